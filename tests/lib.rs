//! The tests of `toolkit`, one module per subject.

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod captured;
#[cfg(test)]
mod derive_classify;
#[cfg(test)]
mod every_type;
#[cfg(test)]
mod express;
mod executor;
#[cfg(test)]
mod feedback;
#[cfg(test)]
mod main_job;
#[cfg(test)]
mod openai_chat;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod shown;
mod outputs;
#[cfg(test)]
mod panics;
#[cfg(test)]
mod permissions;
#[cfg(test)]
mod registry;
#[cfg(test)]
mod retrying;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod ui;
