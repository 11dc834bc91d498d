//! Arguments as models really send them: what runs, what runs after a repair, and what is refused with which words.

mod alternatives;
mod bounds;
mod chinese;
mod keys;
mod reading;
mod secrets;
mod strict;
mod table;
mod tools;
mod values;

use serde_json::Value;
use toolkit::{Arguments, ErrorClass, Executor, Outcome, RepairMode, ToolCall};

use self::tools::executor;

/// One payload: the tool, the arguments, and what happens.
struct Row(&'static str, &'static str, Then);

enum Then {
    /// It runs untouched, and the tool says this.
    Runs(&'static str),
    /// It runs, and what was repaired is recorded.
    Repaired(&'static str),
    /// It does not run, and the problems hold these words.
    Refused(&'static [&'static str]),
}

use Then::{Refused, Repaired, Runs};

/// What became of a call: its text and whether something was repaired, or every problem.
async fn run(executor: &Executor, tool: &str, arguments: impl Into<Arguments>) -> Result<(String, bool), String> {
    let result = executor.call(ToolCall::new(tool, arguments).confirmed(true)).await;
    if result.is_success() {
        return Ok((result.text().to_owned(), !result.repairs().is_empty()));
    }
    assert_eq!(result.stop().map(toolkit::StopReason::as_str), Some("invalid_arguments"), "{}", result.text());
    assert_eq!(result.error().map(toolkit::ToolError::class), Some(ErrorClass::InvalidArgument));
    assert_eq!(result.outcome(), Outcome::NotExecuted);
    assert!(result.attempts().is_empty());
    assert!(!result.text().contains("$ref"), "a schema that refers to what is not shown: {}", result.text());
    Err(problems(result.text()).join("\n"))
}

/// The problems of a message; its own sentence, where it lists none.
fn problems(message: &str) -> Vec<String> {
    let message: Value = serde_json::from_str(message).expect("a message is JSON");
    let listed = message["problems"].as_array().cloned().unwrap_or_default();
    let mut lines: Vec<String> = listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if lines.is_empty() {
        lines.extend(message["message"].as_str().map(str::to_owned));
    }
    lines
}

/// Holds every row to what it says, as text and as a value, and without repairs.
async fn check(rows: &[Row]) {
    let (lenient, strict) = (executor(RepairMode::Lossless), executor(RepairMode::Off));
    for Row(tool, arguments, then) in rows {
        let ran = run(&lenient, tool, *arguments).await;
        let without = run(&strict, tool, *arguments).await;
        match then {
            Runs(text) => assert_eq!(ran, Ok(((*text).to_owned(), false)), "{tool} {arguments}"),
            Repaired(text) => {
                assert_eq!(ran, Ok(((*text).to_owned(), true)), "{tool} {arguments}");
                assert!(without.is_err(), "without repairs it must not run: {tool} {arguments}");
            }
            Refused(words) => {
                let problems = ran.clone().expect_err(&format!("must not run: {tool} {arguments}"));
                for word in *words {
                    assert!(problems.contains(word), "{tool} {arguments}: {word:?} is not in {problems:?}");
                }
                is_for_people(&problems);
                assert!(without.is_err(), "{tool} {arguments}");
            }
        }
        // What can be a JSON value at all does the same as one.
        if let Ok(value) = serde_json::from_str::<Value>(arguments)
            && serde_json::to_string(&value).is_ok_and(|text| text == *arguments)
        {
            assert_eq!(run(&lenient, tool, value).await, ran, "as a value: {tool} {arguments}");
        }
    }
}

/// Whether the problems are words for a model: bounded, and without names of Rust.
fn is_for_people(problems: &str) {
    for rust in ["alloc::", "serde", "untagged", "http", "struct ", "Option<", "u8", "i64", "enum "] {
        assert!(!problems.contains(rust), "{rust}: {problems}");
    }
    for problem in problems.lines() {
        assert!(problem.chars().count() <= 300, "{problem}");
    }
}
