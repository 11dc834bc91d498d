//! What everything in a workspace builds upon.

pub use toolkit;
pub use toolkit::{tool, tools};
