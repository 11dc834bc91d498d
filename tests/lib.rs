//! The tests of `toolkit`, one module per subject.
#![cfg(test)]

mod arguments;
mod captured;
mod derive_classify;
mod every_type;
mod executor;
mod express;
mod feedback;
mod main_job;
mod openai_chat;
mod outputs;
mod panics;
mod permissions;
mod registry;
mod repeats;
mod replies;
mod retrying;
mod runs;
mod scripted;
mod shown;
mod ui;
