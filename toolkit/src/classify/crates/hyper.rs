//! `hyper`, which speaks HTTP below reqwest and tonic.

use std::error::Error;

use hyper::Error as HttpError;

use crate::classify::ErrorClass::{self, Internal, Network};
use crate::classify::chain::peel;
use crate::classify::types::Inferred;

type Condition = (&'static str, fn(&HttpError) -> bool, ErrorClass);

/// The first that holds decides. What none of them knows is left to what stands behind it.
pub(in crate::classify) const CONDITIONS: [Condition; 4] = [
    ("is_incomplete_message", HttpError::is_incomplete_message, Network),
    ("is_canceled", HttpError::is_canceled, Network),
    ("is_closed", HttpError::is_closed, Network),
    // What came is not HTTP. The request may have run, and asking again gets the same.
    ("is_parse", HttpError::is_parse, Internal),
];

pub(in crate::classify) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    let error = peel::<HttpError>(link)?;
    let holds = CONDITIONS.iter().find(|(_, holds, _)| holds(error));
    Some(Inferred::maybe(holds.map(|(_, _, class)| *class)))
}
