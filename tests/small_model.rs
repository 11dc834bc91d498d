//! Thirty-five calls as a real small model wrote them: each runs, or is refused for what is wrong with it.
//!
//! The outputs themselves are no part of the repository. They are read from `smollm2_calls.jsonl` in the folder that the
//! variable `TOOLKIT_CORPORA` names; without the variable, or without the file, this fails.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolkit::{Arguments, ErrorClass, Executor, Outcome, Registry, ToolCall, tool};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Room {
    Single,
    Double,
    Suite,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Person {
    name: String,
    #[schemars(regex(pattern = "^[^@ ]+@[^@ ]+$"))]
    email: String,
}

/// Books a hotel.
#[tool(category = Write)]
async fn book_hotel(
    city: String,
    #[arg(range = 1..=30)] nights: u8,
    budget: f64,
    vip: bool,
    tags: Vec<String>,
    room: Room,
) -> String {
    serde_json::json!([city, nights, budget, vip, tags, room]).to_string()
}

/// Searches the documentation.
#[tool(category = Read)]
async fn search_docs(query: String, #[arg(range = 1..=50)] limit: u8, langs: Vec<String>) -> String {
    serde_json::json!([query, limit, langs]).to_string()
}

/// Puts an event into the calendar.
#[tool(category = Write)]
async fn create_event(title: String, start: String, attendees: Vec<Person>, remind: bool) -> String {
    serde_json::json!([title, start, attendees, remind]).to_string()
}

/// Plans a dinner.
#[tool(category = Write)]
async fn plan_dinner(
    title: String,
    start: String,
    end: Option<String>,
    date: Option<String>,
    guests: Vec<Person>,
    remind: bool,
) -> String {
    serde_json::json!([title, start, end, date, guests, remind]).to_string()
}

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> String {
    city
}

#[derive(Clone, Copy)]
enum Then {
    /// The call stands around its own arguments, which is the one thing that is repaired in all of these.
    Runs,
    /// Refused for its arguments, with these words among the problems.
    Refused(&'static [&'static str]),
    /// It ends in the middle.
    CutOff,
    /// There is no such tool.
    Unknown,
}

use Then::{CutOff, Refused, Runs, Unknown};

/// Every line, judged by hand.
const JUDGED: [(Then, &str); 35] = [
    (Runs, "a whole call"),
    (Runs, "a whole call"),
    (Runs, "a whole call; that it searches for the tool's own name is the model's affair"),
    (Runs, "the same"),
    (Refused(&["`guests` must be an array; an object came"]), "one guest inside of another instead of a list"),
    (Refused(&["`guests` must be an array; an object came"]), "the same"),
    (Runs, "the wrong tool, called rightly: a decision is not repaired"),
    (Runs, "the same"),
    (Runs, "the same"),
    (Runs, "the same"),
    (
        Refused(&["`title` is missing", "no parameter `arguments`"]),
        "an argument beside the arguments: to move it would be a guess",
    ),
    (Refused(&["`title` is missing", "no parameter `location`"]), "most arguments missing, some beside"),
    (Refused(&["`nights` must be from 1 to 30; 45 came"]), "out of range"),
    (Refused(&["`title` is missing", "no parameter `arguments`"]), "an argument beside the arguments"),
    (Runs, "the wrong tool, called rightly"),
    (Refused(&["`city` is missing", "no parameter `windSpeed`"]), "answers instead of arguments, some beside"),
    (Runs, "a whole call"),
    (Runs, "a whole call"),
    (Unknown, "no such tool, and none is run by likeness"),
    (Unknown, "the same"),
    (Runs, "one surplus brace at the end"),
    (Runs, "a whole call"),
    (Unknown, "cut off inside of the name"),
    (Refused(&["`attendees[0].email` must match the pattern"]), "an address without its sign"),
    (Runs, "a whole call"),
    (Runs, "a whole call"),
    (Runs, "a whole call"),
    (Refused(&[]), "invented arguments of a tool in another spelling, some beside"),
    (CutOff, "the output ends inside of a text"),
    (Unknown, "no such tool, and a list that is not closed"),
    (Runs, "a whole call"),
    (Runs, "a whole call"),
    (
        Refused(&["`guests` is missing", "no parameter `arguments`"]),
        "guests left out, an argument beside the arguments",
    ),
    (
        Refused(&["`title` is missing", "no parameter `arguments`"]),
        "an argument beside the arguments, and a surplus brace",
    ),
    (Refused(&["`title` is missing", "no parameter `reminder_type`"]), "the same"),
];

fn lines() -> Vec<String> {
    let folder = std::env::var_os("TOOLKIT_CORPORA")
        .expect("the variable TOOLKIT_CORPORA names the folder of the recorded outputs");
    let path = PathBuf::from(folder).join("smollm2_calls.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text_of = |line: &str| serde_json::from_str::<Value>(line).ok()?["text"].as_str().map(str::to_owned);
    text.lines().map(|line| text_of(line).unwrap_or_else(|| panic!("no output: {line}"))).collect()
}

#[tokio::test]
async fn every_call_of_a_small_model_runs_or_is_refused_rightly() {
    let tools = Registry::builder().tool::<book_hotel>().tool::<search_docs>().tool::<create_event>();
    let registry = tools.tool::<plan_dinner>().tool::<weather>().build().expect("five names");
    let executor = Executor::builder(registry).build().expect("no states");
    let lines = lines();
    assert_eq!(lines.len(), JUDGED.len(), "each line is judged by hand");
    for (at, (text, (then, why))) in lines.iter().zip(JUDGED).enumerate() {
        let name = text.split("\"name\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let result = executor.call(ToolCall::new(name, Arguments::raw(text.as_str()))).await;
        let what = format!("line {}, {why}: {text} gave {}", at + 1, result.text());
        let class = result.error().map(toolkit::ToolError::class);
        assert_eq!(result.outcome() == Outcome::Succeeded, matches!(then, Runs), "{what}");
        match then {
            Runs => {
                let meant: Value =
                    serde_json::from_str(text.strip_suffix("}}}").map_or(text, |_| &text[..text.len() - 1]))
                        .expect("JSON");
                let sent = meant["arguments"].as_object().map(serde_json::Map::len);
                let used =
                    result.value().and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
                assert_eq!(used.and_then(|used| Some(used.as_array()?.len())), sent, "{what}");
                assert!(!result.repairs().is_empty(), "{what}");
            }
            Refused(words) => {
                assert!(words.iter().all(|word| result.text().contains(word)), "{what}");
                assert_eq!(result.outcome(), Outcome::NotExecuted, "{what}");
            }
            CutOff => {
                assert!(class == Some(ErrorClass::InvalidArgument) && result.text().contains("cut off"), "{what}");
            }
            Unknown => assert_eq!(class, Some(ErrorClass::NotFound), "{what}"),
        }
    }
}
