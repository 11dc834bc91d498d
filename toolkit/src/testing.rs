//! For tests of yours: a tool that does what a script says, a clock that is moved by hand, and a record of what happened.
//!
//! No runtime is needed, and nothing takes any time: where a call waits, the clock goes on to the end of the wait.
//!
//! ```
//! use toolkit::testing::{ManualClock, Step, Trace, scripted};
//! use toolkit::{ErrorClass, Executor, Registry, StopReason, ToolCall};
//!
//! let steps = [Step::fail(ErrorClass::Network), Step::Hang, Step::succeed("found")];
//! let (tool, played) = scripted("find", steps);
//! let (clock, trace) = (ManualClock::new(), Trace::new());
//! let executor = Executor::builder(Registry::builder().dynamic(tool).build()?)
//!     .effects(clock.clone())
//!     .observer(trace.clone())
//!     .seed(1)
//!     .build()?;
//!
//! let result = clock.run(executor.call(ToolCall::new("find", r#"{"id": 7}"#))).expect("it waits for nothing but time");
//! assert_eq!((result.text(), played.attempts()), ("found", 3));
//! assert_eq!(played.arguments()[0], serde_json::json!({"id": 7}));
//!
//! let told = trace.to_string();
//! assert!(told.starts_with("find attempt_started attempt=1\nfind attempt_finished attempt=1 class=network time=0ns\n"));
//! assert!(told.contains("find attempt_finished attempt=2 class=timeout time=10s\n"));
//! assert_eq!(trace.events().last().and_then(|event| event.attempts), Some(3));
//! # Ok::<(), toolkit::BuildError>(())
//! ```
//!
//! Where the code around the calls uses tokio's own timers, keep tokio's clock and stop that:
//! `#[tokio::test(start_paused = true)]`, from its feature `test-util`.

mod clock;
mod script;
mod trace;

pub use self::clock::ManualClock;
pub use self::script::{Played, Step, scripted};
pub use self::trace::{Recorded, Trace};
