//! The model, as the host reaches it.

use std::future::Future;

use serde_json::Value;

use crate::error::ToolError;

/// Something that sends a request body to a model and gives back the whole body of the reply.
///
/// The client is the host's. [`ToolError::from_http`] makes the error of a failed answer, with its class and the wait that
/// it asks for, by which the request is sent again or not. A limit on the time of one request is the client's business; the
/// run's deadline ends it in any case.
///
/// Every `Fn(Value) -> impl Future<Output = Result<Value, ToolError>>` is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "a conversation sends its requests to this",
    note = "a closure is one where it takes a `serde_json::Value` and returns a future of `Result<Value, ToolError>`: \
            `|body: Value| async move {{ … }}`"
)]
pub trait Model: Send + Sync {
    /// Sends one request.
    ///
    /// # Errors
    /// There is no reply, and why.
    fn send(&self, body: &Value) -> impl Future<Output = Result<Value, ToolError>> + Send;
}

#[diagnostic::do_not_recommend]
impl<F, R> Model for F
where
    F: Fn(Value) -> R + Send + Sync,
    R: Future<Output = Result<Value, ToolError>> + Send,
{
    fn send(&self, body: &Value) -> impl Future<Output = Result<Value, ToolError>> + Send {
        self(body.clone())
    }
}
