//! The tests of `toolkit`, one module per subject.

#[cfg(test)]
mod arguments;
#[cfg(test)]
mod derive_classify;
#[cfg(test)]
mod every_type;
#[cfg(test)]
mod main_job;
#[cfg(test)]
mod openai_chat;
#[cfg(test)]
mod ui;
