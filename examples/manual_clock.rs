//! The decisions about retries, made by hand: no runtime, no timer, and a clock that is a number.
//!
//! `Retry` takes the time and the random number as arguments, so anything can drive it: an event loop of its own, a
//! workflow engine that sleeps for a day and wakes on another machine, a simulation. Run it with
//! `cargo run -p toolkit-examples --example manual_clock`.

use std::error::Error;
use std::time::{Duration, Instant};

use toolkit::{Backoff, Decision, ErrorClass, Jitter, Retry, RetryPolicy, StopReason, ToolError};

/// What the service answers, one attempt after the other.
fn attempt(number: usize) -> Result<&'static str, ToolError> {
    match number {
        1 => Err(ToolError::new(ErrorClass::Network, "connection reset")),
        2 => Err(ToolError::new(ErrorClass::RateLimit, "slow down").retry_after(Duration::from_secs(7))),
        3 => Err(ToolError::new(ErrorClass::Timeout, "no answer")),
        _ => Ok("the order is on its way"),
    }
}

/// One call, from the first attempt to its end, as lines of text. Every attempt takes a quarter of a second.
fn call(policy: &RetryPolicy, deadline: Option<Duration>) -> Result<Vec<String>, StopReason> {
    let start = Instant::now();
    let Some(budget) = policy.new_budget() else { return Err(StopReason::Budget) };
    let mut retry = Retry::start(policy, 4, true, deadline.map(|deadline| start + deadline)).budget(&budget);
    let mut clock = Duration::ZERO;
    let mut trace = Vec::new();
    for number in 1.. {
        clock += Duration::from_millis(250);
        let error = match attempt(number) {
            Ok(answer) => {
                budget.deposit(start + clock);
                trace.push(format!("{clock:>9.2?}  attempt {number}: {answer}"));
                break;
            }
            Err(error) => error,
        };
        // Half of the way between the shortest wait and the longest. A real caller draws a new number each time.
        match retry.on_failure(&error, start + clock, 0.5) {
            Decision::Retry { after } => {
                let (class, left) = (error.class(), budget.thousandths(start + clock));
                trace.push(format!("{clock:>9.2?}  attempt {number}: {class}, again in {after:?}, {left} left"));
                clock += after;
            }
            Decision::Stop(reason) => {
                trace.push(format!("{clock:>9.2?}  attempt {number}: {}, stop: {reason}", error.class()));
                break;
            }
        }
    }
    Ok(trace)
}

fn main() -> Result<(), Box<dyn Error>> {
    let policy = RetryPolicy::builder()
        .class(ErrorClass::Network, Backoff::fixed(Duration::from_secs(1)).jitter(Jitter::None))
        .class(ErrorClass::Timeout, Backoff::exponential(Duration::from_millis(500)).cap(Duration::from_secs(10)))
        .build()?;
    for deadline in [None, Some(Duration::from_secs(5))] {
        println!("deadline: {deadline:?}");
        for line in call(&policy, deadline).map_err(|reason| reason.to_string())? {
            println!("{line}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_the_same_whenever_it_is_made() {
        let trace = |deadline| call(&RetryPolicy::default(), deadline).unwrap();
        assert_eq!(trace(None), trace(None));
        assert_eq!(trace(None).len(), 4);
        assert!(trace(None)[3].ends_with("attempt 4: the order is on its way"));
        let cut = trace(Some(Duration::from_secs(5)));
        assert_eq!((cut.len(), cut[1].ends_with("stop: deadline")), (2, true));
    }
}
