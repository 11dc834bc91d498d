//! What comes as one piece even where it comes as an event: MCP sends a call as one message.

use serde_json::{Map, Value};

use super::{Assembly, Problem};

/// A body that needs no putting together. Of several messages the last counts.
#[derive(Default)]
pub(in crate::provider) struct Whole(Option<Value>);

impl Assembly for Whole {
    fn take(&mut self, event: &Map<String, Value>, _text: &mut String) -> Result<(), Problem> {
        self.0 = Some(event.clone().into());
        Ok(())
    }

    fn complete(&self) -> bool {
        self.0.is_some()
    }

    fn finish(self: Box<Self>) -> Option<Value> {
        self.0
    }
}
