//! The tests of `toolkit`, one module per subject.
#![cfg(test)]

mod arguments;
mod captured;
mod conversation;
#[cfg(feature = "corpora")]
mod corpora_bodies;
#[cfg(feature = "corpora")]
mod corpora_mcp;
#[cfg(feature = "corpora")]
mod corpora_streams;
mod derive_classify;
mod effects;
mod dropping;
mod every_type;
mod executor;
mod express;
mod extremes;
mod feedback;
mod invariants;
mod limits;
mod logged;
mod main_job;
mod metrics;
mod openai_chat;
mod outputs;
mod panics;
mod permissions;
mod providers;
mod registry;
mod rejections;
mod repeats;
mod replies;
mod results;
mod retrying;
mod round_trip;
mod roles;
mod runs;
mod runtimes;
mod scripted;
mod shown;
mod spans;
mod registry_cases;
mod tool_macro;
#[cfg(feature = "corpora")]
mod small_model;
mod strict_schemas;
mod ui;
