//! Arguments as models really send them: what runs, what runs after a repair, and what is refused with which words.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use toolkit::{Arguments, Executor, Registry, RepairMode, ToolCall, tool};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Guest {
    email: String,
    #[serde(default)]
    seats: u8,
    #[serde(alias = "remark")]
    note: Option<String>,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Celsius,
    DegreesFahrenheit,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Card { number: String },
    Cash { amount: f64 },
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
enum Shape {
    Circle { radius: f64 },
    Square(f64),
    Point,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Named { name: String },
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Limited {
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    #[schemars(length(max = 3))]
    tag: String,
}

/// Counts.
#[tool(category = Compute)]
async fn count(n: i64) -> String {
    n.to_string()
}

/// Takes nothing.
#[tool(category = Compute)]
async fn nothing() -> &'static str {
    "ran"
}

/// Takes what may be left out.
#[tool(category = Compute)]
async fn optional(n: Option<i64>, text: Option<String>, #[arg(default = 7)] limit: u32) -> String {
    format!("{n:?} {text:?} {limit}")
}

/// Says it back.
#[tool(category = Compute)]
async fn say(text: String) -> String {
    format!("{text:?}")
}

/// Is it so?
#[tool(category = Compute)]
async fn flag(on: bool) -> String {
    on.to_string()
}

/// A number.
#[tool(category = Compute)]
async fn float(x: f64) -> String {
    x.to_string()
}

/// A small number.
#[tool(category = Compute)]
async fn single(x: f32) -> String {
    x.to_string()
}

/// Whole numbers of every size.
#[tool(category = Compute)]
async fn sizes(small: Option<u8>, id: Option<u64>, huge: Option<i128>) -> String {
    format!("{small:?} {id:?} {huge:?}")
}

/// A list.
#[tool(category = Compute)]
async fn list(items: Vec<String>) -> String {
    items.join("|")
}

/// Guests.
#[tool(category = Compute)]
async fn guests(guests: Vec<Guest>) -> String {
    guests.iter().map(|guest| format!("{} {} {:?}", guest.email, guest.seats, guest.note)).collect::<Vec<_>>().join("|")
}

/// One guest.
#[tool(category = Compute)]
async fn guest(guest: Guest) -> String {
    format!("{} {} {:?}", guest.email, guest.seats, guest.note)
}

/// A unit.
#[tool(category = Compute)]
async fn unit(unit: Unit) -> String {
    format!("{unit:?}")
}

/// Pays.
#[tool(category = Compute)]
async fn pay(payment: Payment) -> String {
    format!("{payment:?}")
}

/// Draws.
#[tool(category = Compute)]
async fn draw(shape: Shape) -> String {
    format!("{shape:?}")
}

/// Finds.
#[tool(category = Compute)]
async fn find(id: Id) -> String {
    format!("{id:?}")
}

/// Maps.
#[tool(category = Compute)]
async fn map(entries: BTreeMap<String, i64>, numbers: Option<HashMap<u64, String>>) -> String {
    format!("{entries:?} {numbers:?}")
}

/// Rates.
#[tool(category = Compute)]
async fn rate(rating: Limited) -> String {
    format!("{} {}", rating.stars, rating.tag)
}

/// Anything.
#[tool(category = Compute)]
async fn anything(value: Value) -> String {
    value.to_string()
}

/// Several words in a key.
#[tool(category = Compute)]
async fn keys(max_depth: u32, city: String) -> String {
    format!("{max_depth} {city}")
}

/// Deletes.
#[tool(category = Dangerous)]
async fn wipe(disk: u8) -> String {
    format!("wiped {disk}")
}

/// Keeps a secret.
#[tool(category = Compute)]
async fn sign_in(#[arg(secret)] password: String, #[arg(secret)] pin: u16) -> String {
    format!("{} {pin}", password.len())
}

fn executor(mode: RepairMode) -> Executor {
    let registry = Registry::builder()
        .tool::<count>()
        .tool::<nothing>()
        .tool::<optional>()
        .tool::<say>()
        .tool::<flag>()
        .tool::<float>()
        .tool::<single>()
        .tool::<sizes>()
        .tool::<list>()
        .tool::<guests>()
        .tool::<guest>()
        .tool::<unit>()
        .tool::<pay>()
        .tool::<draw>()
        .tool::<find>()
        .tool::<map>()
        .tool::<rate>()
        .tool::<anything>()
        .tool::<keys>()
        .tool::<wipe>()
        .tool::<sign_in>()
        .build()
        .expect("the tools have different names");
    Executor::builder(registry).repair(mode).build().expect("nothing is missing")
}

/// What became of a call: its text and whether something was repaired, or every problem.
async fn run(tool: &str, arguments: impl Into<Arguments>) -> Result<(String, bool), String> {
    let result = executor(RepairMode::Lossless).call(ToolCall::new(tool, arguments).confirmed(true)).await;
    if result.is_success() {
        return Ok((result.text().to_owned(), !result.repairs().is_empty()));
    }
    assert_eq!(result.stop().map(|stop| stop.as_str()), Some("invalid_arguments"), "{}", result.text());
    assert!(result.attempts().is_empty());
    let message: Value = serde_json::from_str(result.text()).expect("a message is JSON");
    let problems = message["problems"].as_array().cloned().unwrap_or_default();
    let mut lines: Vec<&str> = problems.iter().filter_map(Value::as_str).collect();
    lines.extend(message["message"].as_str());
    Err(lines.join("\n"))
}

/// Runs untouched.
async fn exact(tool: &str, arguments: &str, text: &str) {
    assert_eq!(run(tool, arguments).await, Ok((text.to_owned(), false)), "{tool} {arguments}");
}

/// Runs, and says what was repaired.
async fn repaired(tool: &str, arguments: &str, text: &str) {
    assert_eq!(run(tool, arguments).await, Ok((text.to_owned(), true)), "{tool} {arguments}");
    let strict = executor(RepairMode::Off).call(ToolCall::new(tool, arguments)).await;
    assert!(!strict.is_success(), "without repairs it must not run: {tool} {arguments}");
    // What can be a JSON value at all does the same as one.
    if let Ok(value) = serde_json::from_str::<Value>(arguments)
        && value.to_string() == arguments
    {
        assert_eq!(run(tool, value).await, Ok((text.to_owned(), true)), "as a value: {tool} {arguments}");
    }
}

/// Does not run, and the problems hold all of these words.
async fn refused(tool: &str, arguments: &str, words: &[&str]) {
    let problems = run(tool, arguments).await.expect_err(&format!("must not run: {tool} {arguments}"));
    for word in words {
        assert!(problems.contains(word), "{tool} {arguments}: {word:?} is not in {problems:?}");
    }
    for rust in ["alloc::", "serde", "untagged", "http", "struct ", "Option<"] {
        assert!(!problems.contains(rust), "{tool} {arguments}: {problems}");
    }
}

#[tokio::test]
async fn nothing_is_an_empty_object() {
    for none in ["", "   ", "\n", "null", "{}", " {} ", "[]", "\"\"", "\"{}\""] {
        assert_eq!(run("nothing", none).await.map(|(text, _)| text), Ok("ran".to_owned()), "{none:?}");
        let told = run("optional", none).await.map(|(text, _)| text);
        assert_eq!(told, Ok("None None 7".to_owned()), "{none:?}");
        refused(
            "keys",
            none,
            &["`max_depth` is missing: it must be an integer from 0 to 4294967295", "`city` is missing"],
        )
        .await;
    }
}

#[tokio::test]
async fn what_surrounds_the_object_is_taken_off() {
    exact("count", r#"{"n": 2}"#, "2").await;
    for odd in [
        r#""{\"n\": 2}""#,
        r#""\"{\\\"n\\\": 2}\"""#,
        r#"{"input": {"n": 2}}"#,
        r#"{"arguments": {"n": 2}}"#,
        r#"{"parameters": {"args": {"kwargs": {"n": 2}}}}"#,
        r#"{"properties": {"n": 2}}"#,
        r#"{"params": "{\"n\": 2}"}"#,
        r#"{"name": "count", "arguments": {"n": 2}}"#,
        r#"{"n": 2}</tool_call>"#,
        r#"{"n": 2}}"#,
        r#"{"n": 2};"#,
        "```json\n{\"n\": 2}\n```",
        "\u{feff}{\"n\": 2}",
        "{\"n\": 2} // two",
        "{/* the number */ \"n\": 2}",
        r#"{"n": 2,}"#,
        "{'n': 2}",
        "{n: 2}",
    ] {
        repaired("count", odd, "2").await;
    }
    repaired("flag", "{\"on\": True}", "true").await;
    repaired("optional", "{\"n\": None, \"text\": 'it\\'s'}", "None Some(\"it's\") 7").await;
    repaired("say", "{\"text\": \"a\nb\tc\"}", r#""a\nb\tc""#).await;
}

#[tokio::test]
async fn what_has_two_readings_is_refused() {
    refused("count", r#"{"n": 1}{"n": 2}"#, &["one object per call"]).await;
    refused("count", r#"{"n": 1} {"n": 2}"#, &["one object per call"]).await;
    refused("count", r#"{"n": 1, "n": 2}"#, &["`n` stands twice, with 1 and with 2"]).await;
    exact_or_repaired("count", r#"{"n": 1, "n": 1}"#, "1").await;
    refused("map", r#"{"entries": {"a": 1, "a": 2}}"#, &["`a` stands twice"]).await;
    refused("count", r#"{"n": 2} and that is all"#, &["text follows the object"]).await;
    refused("count", r#"here: {"n": 2}"#, &["no JSON value"]).await;
    refused("say", r#"{"text": "\ud99c"}"#, &["surrogate", "line 1, column 11"]).await;
    refused("say", r#"{"text": "\ud99cx"}"#, &["surrogate"]).await;
    exact("say", r#"{"text": "\ud83d\ude00"}"#, "\"😀\"").await;
    refused("count", r#"{"wrong": {"n": 2}}"#, &["`n` is missing", "no parameter `wrong`"]).await;
    refused("count", r#"{"name": "other", "arguments": {"n": 2}}"#, &["`n` is missing"]).await;
    refused("count", "[2]", &["an array came"]).await;
    refused("guest", r#"{"guest": ["a@b", 1]}"#, &["`guest` must be an object", "an array came"]).await;
    refused("guests", r#"{"guests": [["a@b", 1]]}"#, &["`guests[0]` must be an object"]).await;
}

async fn exact_or_repaired(tool: &str, arguments: &str, text: &str) {
    assert_eq!(run(tool, arguments).await.map(|(text, _)| text), Ok(text.to_owned()), "{tool} {arguments}");
}

#[tokio::test]
async fn what_is_cut_off_never_runs() {
    let whole = r#"{"guests": [{"email": "a@example.com", "seats": 2}]}"#;
    exact("guests", whole, "a@example.com 2 None").await;
    for end in 1..whole.len() {
        refused("guests", &whole[..end], &["cut off"]).await;
    }
}

#[tokio::test]
async fn whole_numbers_keep_every_digit() {
    for (written, read) in [("\"2\"", "2"), ("\" 2 \"", "2"), ("2.0", "2"), ("2e0", "2"), ("-0", "0"), ("1e3", "1000")]
    {
        repaired("count", &format!("{{\"n\":{written}}}"), read).await;
    }
    for number in [i64::MAX, i64::MIN, 9_007_199_254_740_993] {
        exact("count", &format!("{{\"n\": {number}}}"), &number.to_string()).await;
        repaired("count", &format!("{{\"n\": \"{number}\"}}"), &number.to_string()).await;
    }
    exact("sizes", &format!("{{\"id\": {}}}", u64::MAX), &format!("None Some({}) None", u64::MAX)).await;
    exact("sizes", &format!("{{\"huge\": {}}}", i128::MIN), &format!("None None Some({})", i128::MIN)).await;
    repaired("sizes", &format!("{{\"huge\": \"{}\"}}", i128::MAX), &format!("None None Some({})", i128::MAX)).await;
    for wrong in ["2.5", "\"2.5\"", "\"two\"", "\"1,000\"", "\"\"", "true", "null", "\"007\"", "[2]"] {
        refused("count", &format!("{{\"n\":{wrong}}}"), &["`n` must be an integer from -9223372036854775808"]).await;
    }
    refused("sizes", r#"{"small": 256}"#, &["`small` must be from 0 to 255", "256 came"]).await;
    refused("sizes", r#"{"id": -1}"#, &["`id`", "0 to 18446744073709551615"]).await;
    refused("count", r#"{"n": 9223372036854775808}"#, &["9223372036854775807"]).await;
    repaired("sizes", r#"{"small": ""}"#, "None None None").await;
}

#[tokio::test]
async fn other_numbers_are_finite() {
    exact("float", r#"{"x": 2.5}"#, "2.5").await;
    exact("float", r#"{"x": 2}"#, "2").await;
    repaired("float", r#"{"x":"2.5"}"#, "2.5").await;
    for wrong in ["NaN", "Infinity", "-Infinity", "\"NaN\"", "\"inf\"", "1e400", "\"1e400\"", "\"\"", "\"2,5\""] {
        refused("float", &format!("{{\"x\": {wrong}}}"), &[]).await;
    }
    refused("float", "{\"x\": 1e400}", &["finite"]).await;
    refused("single", "{\"x\": 1e39}", &["`x`"]).await;
}

#[tokio::test]
async fn booleans_are_words() {
    exact("flag", r#"{"on": true}"#, "true").await;
    repaired("flag", r#"{"on":"true"}"#, "true").await;
    repaired("flag", r#"{"on":"False"}"#, "false").await;
    for wrong in ["1", "0", "\"yes\"", "\"1\"", "null", "\"\""] {
        refused("flag", &format!("{{\"on\": {wrong}}}"), &["`on` must be true or false"]).await;
    }
}

#[tokio::test]
async fn texts_are_never_touched() {
    for text in ["true", "null", "5", "[1]", "", " ", "{\"a\":1}", "None"] {
        let arguments = json!({ "text": text }).to_string();
        exact("say", &arguments, &format!("{text:?}")).await;
    }
    refused("say", r#"{"text": 7}"#, &["`text` must be a string; a number came: 7"]).await;
    refused("say", r#"{"text": true}"#, &["a boolean came"]).await;
    refused("say", r#"{"text": null}"#, &["null came"]).await;
}

#[tokio::test]
async fn lists_and_objects_may_stand_in_a_string() {
    exact("list", r#"{"items": ["a", "b"]}"#, "a|b").await;
    repaired("list", r#"{"items":"[\"a\",\"b\"]"}"#, "a|b").await;
    repaired("list", r#"{"items":""}"#, "(no output)").await;
    for wrong in [r#""a, b""#, r#"{"0": "a"}"#, r#""a""#, "7"] {
        refused("list", &format!("{{\"items\": {wrong}}}"), &["`items` must be an array"]).await;
    }
    repaired("guests", r#"{"guests":["{\"email\":\"a@b\"}"]}"#, "a@b 0 None").await;
    repaired("guest", r#"{"guest":"{\"email\":\"a@b\",\"seats\":\"2\"}"}"#, "a@b 2 None").await;
    repaired(
        "guest",
        "{\"guest\":\"{\\\"email\\\":\\\"a@b\\\",\\n\\\"note\\\":\\\"x\\ny\\\"}\"}",
        "a@b 0 Some(\"x\\ny\")",
    )
    .await;
}

#[tokio::test]
async fn null_is_what_the_schema_makes_of_it() {
    exact("optional", r#"{"n": null}"#, "None None 7").await;
    repaired("optional", r#"{"limit":null}"#, "None None 7").await;
    refused("optional", r#"{"n": "null"}"#, &["`n` must be", "or null"]).await;
    refused("optional", r#"{"n": "None"}"#, &["`n`"]).await;
    exact("optional", r#"{"text": "null"}"#, "None Some(\"null\") 7").await;
    repaired("guest", r#"{"guest":{"email":"a@b","seats":null}}"#, "a@b 0 None").await;
}

#[tokio::test]
async fn enums_forgive_spelling_and_nothing_else() {
    exact("unit", r#"{"unit": "celsius"}"#, "Celsius").await;
    for written in ["Celsius", "CELSIUS"] {
        repaired("unit", &json!({ "unit": written }).to_string(), "Celsius").await;
    }
    repaired("unit", r#"{"unit":"degrees-fahrenheit"}"#, "DegreesFahrenheit").await;
    refused("unit", r#"{"unit": "celcius"}"#, &["\"celsius\"", "\"degrees_fahrenheit\"", "the nearest is \"celsius\""])
        .await;
    refused("unit", r#"{"unit": 1}"#, &["\"celsius\""]).await;
}

#[tokio::test]
async fn tagged_enums_are_judged_by_their_tag() {
    exact_or_repaired("pay", r#"{"payment": {"kind": "card", "number": "1"}}"#, "Card { number: \"1\" }").await;
    repaired("pay", r#"{"payment":{"kind":"Card","number":"1"}}"#, "Card { number: \"1\" }").await;
    repaired("pay", r#"{"payment":{"kind":"cash","amount":"2.5"}}"#, "Cash { amount: 2.5 }").await;
    refused("pay", r#"{"payment": {"kind": "cheque"}}"#, &["`payment.kind`", "\"card\", \"cash\""]).await;
    refused("pay", r#"{"payment": {"number": "1"}}"#, &["`payment.kind` is missing"]).await;
    let problems = run("pay", r#"{"payment": {"kind": "card", "numbr": "1"}}"#).await.expect_err("misspelt");
    assert!(problems.contains("`payment.number` is missing"), "{problems}");
    assert!(problems.contains("did you mean `number`?"), "{problems}");
    assert!(!problems.contains("amount"), "only the chosen variant: {problems}");
}

#[tokio::test]
async fn other_enums_are_judged_by_the_variant_that_is_meant() {
    exact("draw", r#"{"shape": {"Circle": {"radius": 2}}}"#, "Circle { radius: 2.0 }").await;
    exact("draw", r#"{"shape": {"Square": 2}}"#, "Square(2.0)").await;
    exact("draw", r#"{"shape": "Point"}"#, "Point").await;
    repaired("draw", r#"{"shape":{"circle":{"radius":"2"}}}"#, "Circle { radius: 2.0 }").await;
    refused("draw", r#"{"shape": {"Circle": {"diameter": 2}}}"#, &["`shape.Circle.radius` is missing"]).await;
    refused("draw", r#"{"shape": {"Triangle": {}}}"#, &["`shape`"]).await;
    exact_or_repaired("find", r#"{"id": 5}"#, "Number(5)").await;
    exact_or_repaired("find", r#"{"id": {"name": "x"}}"#, "Named { name: \"x\" }").await;
    repaired("find", r#"{"id":"5"}"#, "Number(5)").await;
    refused("find", r#"{"id": {"nam": "x"}}"#, &["`id` must be an integer", "an object with `name`"]).await;
}

#[tokio::test]
async fn keys_forgive_spelling_and_name_the_nearest() {
    exact("keys", r#"{"max_depth": 1, "city": "Rome"}"#, "1 Rome").await;
    for key in ["maxDepth", "MaxDepth", "max-depth", "max depth", "MAX_DEPTH"] {
        repaired("keys", &json!({ key: 1, "city": "Rome" }).to_string(), "1 Rome").await;
    }
    refused("keys", r#"{"max_depth": 1, "citty": "Rome"}"#, &["`city` is missing", "`citty`; did you mean `city`?"])
        .await;
    refused("keys", r#"{"max_depth": 1, "maxDepth": 2, "city": "Rome"}"#, &["no parameter `maxDepth`"]).await;
    refused("keys", r#"{"depth": 1, "city": "Rome"}"#, &["no parameter `depth`"]).await;
    refused("guest", r#"{"guest": {"email": "a@b", "seat": 2}}"#, &["`guest.seat`; did you mean `seats`?"]).await;
    exact("guest", r#"{"guest": {"email": "a@b", "remark": "x"}}"#, "a@b 0 Some(\"x\")").await;
    repaired("guest", r#"{"guest":{"email":"a@b","remark":"x","seats":"1"}}"#, "a@b 1 Some(\"x\")").await;
}

#[tokio::test]
async fn maps_take_any_key() {
    exact("map", r#"{"entries": {"a": 1, "b c": 2}}"#, r#"{"a": 1, "b c": 2} None"#).await;
    repaired("map", r#"{"entries":{"a":"1"}}"#, r#"{"a": 1} None"#).await;
    exact("map", r#"{"entries": {}, "numbers": {"1": "x"}}"#, r#"{} Some({1: "x"})"#).await;
    refused("map", r#"{"entries": {"a": "x"}}"#, &["`entries.a` must be an integer"]).await;
    exact_or_repaired("anything", r#"{"value": {"a": [1, 2.50, null]}}"#, r#"{"a":[1,2.5,null]}"#).await;
}

#[tokio::test]
async fn what_the_schema_shows_is_enforced() {
    exact_or_repaired("rate", r#"{"rating": {"stars": 5, "tag": "abc"}}"#, "5 abc").await;
    refused(
        "rate",
        r#"{"rating": {"stars": 6, "tag": "abcd"}}"#,
        &["`rating.stars`", "5", "`rating.tag`", "3 characters"],
    )
    .await;
}

#[tokio::test]
async fn a_tool_that_cannot_be_undone_takes_exact_input_only() {
    exact("wipe", r#"{"disk": 1}"#, "wiped 1").await;
    for odd in [r#"{"disk": "1"}"#, r#"{"disk": 1,}"#, r#"{"Disk": 1}"#, r#"{"input": {"disk": 1}}"#, "{'disk': 1}"] {
        refused("wipe", odd, &[]).await;
    }
}

#[tokio::test]
async fn a_secret_is_in_no_message() {
    exact("sign_in", r#"{"password": "hunter2", "pin": 1234}"#, "7 1234").await;
    let problems = run("sign_in", r#"{"password": 48151623, "pin": "hunter2"}"#).await.expect_err("wrong types");
    assert!(problems.contains("`password` must be a string"), "{problems}");
    assert!(!problems.contains("48151623") && !problems.contains("hunter2"), "{problems}");
    let result =
        executor(RepairMode::Lossless).call(ToolCall::new("sign_in", r#"{"password": "x", "pin": "4815"}"#)).await;
    assert!(result.is_success());
    assert!(result.repairs().iter().all(|repair| !repair.from().contains("4815") && !repair.to().contains("4815")));
}

#[tokio::test]
async fn size_and_depth_are_bounded() {
    for open in ["[", "{\"a\":", "\"", "\\", "1"] {
        let text = open.repeat((1 << 20) / open.len());
        refused("anything", &format!("{{\"value\": {text}"), &[]).await;
    }
    refused("anything", &format!("{{\"value\": \"{}\"}}", "x".repeat(1 << 20)), &["at most 1048576"]).await;
    let nested = |depth: usize| format!("{{\"value\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    exact_or_repaired("anything", &nested(126), &format!("{}{}", "[".repeat(126), "]".repeat(126))).await;
    refused("anything", &nested(128), &["128 deep"]).await;
}
