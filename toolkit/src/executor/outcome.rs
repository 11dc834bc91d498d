//! What a call did that failed.

use crate::call::{Attempt, Outcome};
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::tool::ToolSpec;

/// What a call did that ended without success, all its attempts together.
///
/// Nothing, only where that is certain of every attempt. For a tool that must not run twice, a failure is in doubt
/// unless the tool itself says that it turned the call down: a class that was only inferred proves nothing.
pub(super) fn outcome(spec: &ToolSpec, attempts: &[Attempt], is_still_running: bool) -> Outcome {
    // What still runs may take effect later, whatever its tool says of running twice.
    if is_still_running {
        return Outcome::Unknown;
    }
    let mut errors = attempts.iter().filter_map(Attempt::error).filter(|error| !error.has_no_effect()).peekable();
    if errors.peek().is_none() {
        return Outcome::NotExecuted;
    }
    let turned_down = |error: &ToolError| {
        error.is_stated()
            && matches!(
                error.class(),
                ErrorClass::InvalidArgument
                    | ErrorClass::NotFound
                    | ErrorClass::PermissionDenied
                    | ErrorClass::Conflict
            )
    };
    if spec.idempotent() || errors.all(turned_down) { Outcome::Failed } else { Outcome::Unknown }
}
