//! What holds of every call, whatever fails in it.
//!
//! | invariant | where |
//! |---|---|
//! | the body runs at most `max_retries + 1` times; a permanent failure is the last; the right reason ends the call | `model` |
//! | what is not idempotent has its effect once at most, counted inside the tool | `model` |
//! | a call ends by its deadline, and what is not spent in attempts is spent in recorded waits | `model` |
//! | a dropped call makes no further attempt and gives back what it paid | `drops` |
//! | retries are at most the burst, the share of the successes and the refill | `shared` |
//! | no secret is in a message or in the log; `not_executed` is never said of what ran | `secrets` |
//! | the figures of other systems | `vectors` |
//! | bounds of a million waits, no overflow, more retries lose no success | beside `toolkit/src/retry` |

mod drops;
mod model;
mod secrets;
mod shared;
mod vectors;
