//! What real errors of real crates mean. Nothing here is made up: every error comes out of the call that fails in a
//! program, against a server, a database or a file that is really there.

#[cfg(test)]
mod grpc;
#[cfg(test)]
mod http;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod server;
#[cfg(test)]
mod sqlite;
#[cfg(test)]
mod system;

#[cfg(test)]
use std::error::Error;

#[cfg(test)]
use toolkit::{ErrorClass, ErrorClassifier, ToolError};

#[cfg(test)]
fn judge(error: &(dyn Error + 'static)) -> ToolError {
    ErrorClassifier::standard().classify(error)
}

#[cfg(test)]
fn class(error: &(dyn Error + 'static)) -> ErrorClass {
    judge(error).class()
}
