//! What the model reads of a call that succeeded.

use serde_json::{Value, json};
use toolkit::{
    ErrorClass, Executor, ExecutorBuilder, Language, Outcome, Registry, StopReason, ToolCall, ToolOutput, ToolResult,
    tool,
};

use crate::scripted::told;

/// Says what it is told to, as words.
#[tool(category = Read)]
async fn say(text: String) -> String {
    text
}

/// Says little of what it is told to.
#[tool(category = Read, max_output = 10)]
async fn say_little(text: String) -> String {
    text
}

/// Says what it is told to, as JSON.
#[tool(category = Read, max_output = 60)]
async fn say_json(rows: Vec<String>) -> Vec<String> {
    rows
}

/// Gives back a file.
#[tool(category = Read)]
async fn render(text: String) -> ToolOutput {
    ToolOutput::text(text).with(ToolOutput::file("a.pdf", "application/pdf", vec![0; 3000]))
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Report {
    pages: u32,
}

fn has_pages(report: &Report) -> Result<(), &'static str> {
    if report.pages == 0 { Err("the report is empty") } else { Ok(()) }
}

/// Writes a report of so many pages.
#[tool(category = Write, check = has_pages)]
async fn report(pages: u32) -> Result<Report, String> {
    if pages > 9 { Err("no report has so many pages".into()) } else { Ok(Report { pages }) }
}

fn is_loud(text: &str) -> Result<(), &'static str> {
    if text.ends_with('!') { Ok(()) } else { Err("nobody hears that") }
}

/// Shouts.
#[tool(category = Read, check = is_loud)]
async fn shout(text: String) -> String {
    text
}

/// Shouts, or says that it cannot.
#[tool(category = Read, check = is_loud)]
async fn try_to_shout(text: String) -> Result<String, toolkit::ToolError> {
    Ok(text)
}

/// Says nothing.
#[tool(category = Read)]
async fn nothing() {}

fn builder() -> ExecutorBuilder {
    let tools = Registry::builder().tool::<say>().tool::<say_little>().tool::<say_json>().tool::<render>();
    Executor::builder(tools.tool::<report>().tool::<nothing>().tool::<shout>().tool::<try_to_shout>().build().unwrap())
}

async fn run(builder: ExecutorBuilder, name: &str, arguments: Value) -> ToolResult {
    builder.build().unwrap().call(ToolCall::new(name, arguments)).await
}

#[tokio::test]
async fn a_success_is_told_as_it_is() {
    for text in ["line \"1\"\nline 2", r#"{"a":1}"#, "token=abc1234567890"] {
        assert_eq!(run(builder(), "say", json!({"text": text})).await.text(), text);
    }
    let long = "汉".repeat(10_000);
    assert_eq!(run(builder(), "say", json!({"text": long})).await.text(), long);
}

#[tokio::test]
async fn a_text_is_checked_too() {
    for tool in ["shout", "try_to_shout"] {
        assert_eq!(run(builder(), tool, json!({"text": "here!"})).await.text(), "here!");
        let quiet = run(builder(), tool, json!({"text": "here"})).await;
        assert!(quiet.error().unwrap().message().ends_with("nobody hears that"), "{quiet:?}");
    }
}

#[tokio::test]
async fn a_blank_output_is_told_as_such() {
    for text in ["", " \n"] {
        let result = run(builder(), "say", json!({"text": text})).await;
        assert_eq!((result.text(), result.output().unwrap().as_text()), ("(no output)", text));
        assert_eq!(run(builder().language(Language::Zh), "say", json!({"text": text})).await.text(), "（无输出）");
    }
    let file = run(builder(), "render", json!({"text": ""})).await;
    assert_eq!(file.text(), "[binary result a.pdf, application/pdf, 3000 bytes, not shown]");
    let both = run(builder(), "render", json!({"text": "see the file"})).await;
    assert_eq!(both.text(), "see the file\n[binary result a.pdf, application/pdf, 3000 bytes, not shown]");
}

#[tokio::test]
async fn a_long_output_keeps_its_beginning_and_its_end() {
    for (text, beginning, end, missing) in [
        ("START....................ERROR", "START...", "OR", 20),
        ("😀汉字汉字汉字汉字汉字汉字汉字汉字", "😀汉字汉字汉字汉", "汉字", 7),
    ] {
        let result = run(builder(), "say_little", json!({"text": text})).await;
        let total = text.chars().count();
        let notice = format!("[cut: 10 of {total} characters are shown, {missing} are left out]");
        assert_eq!(result.text(), format!("{beginning}\n{notice}\n{end}"));
        assert_eq!(result.output().unwrap().as_text(), text);
    }
    let ten = "😀".repeat(10);
    assert_eq!(run(builder(), "say_little", json!({"text": ten})).await.text(), ten);
    let chinese = run(builder().language(Language::Zh), "say_little", json!({"text": "x".repeat(11)})).await;
    assert_eq!(chinese.text(), "xxxxxxxx\n[已截断：共 11 个字符，显示 10 个，省略 1 个]\nxx");
}

#[tokio::test]
async fn the_limit_of_the_executor_holds_where_the_tool_has_none() {
    let text = "x".repeat(20_000);
    let limited = run(builder(), "say", json!({"text": text})).await;
    assert!((10_000..10_100).contains(&limited.text().len()));
    let small = run(builder().max_output(1), "say", json!({"text": text})).await;
    assert!(
        small.text().starts_with("x\n[cut: 1 of 20000 characters are shown, 19999 are left out]"),
        "{}",
        small.text()
    );
    assert_eq!(run(builder().max_output(0), "say", json!({"text": text})).await.text(), text);
}

#[tokio::test]
async fn cut_json_is_json_with_whole_items() {
    for part in ["a", "\"", "\u{1}", "汉"] {
        let rows = vec![part.repeat(5); 90];
        let result = run(builder(), "say_json", json!({"rows": rows})).await;
        let shown: Value = serde_json::from_str(result.text()).unwrap();
        assert!(shown["notice"].as_str().unwrap().starts_with("cut: "), "{shown}");
        let kept = shown["result"].as_array().unwrap();
        assert!(kept.iter().all(|row| *row == part.repeat(5)), "{shown}");
        assert_eq!(shown["omitted_items"], 90 - kept.len());
        assert!(result.text().chars().count() < 60 + 120, "{}", result.text());
        assert_eq!(result.value().unwrap(), &json!(rows));
    }
}

#[tokio::test]
async fn a_result_that_its_author_refuses_is_a_failure_after_the_fact() {
    let good = run(builder(), "report", json!({"pages": 3})).await;
    assert_eq!((good.text(), good.value().unwrap()), (r#"{"pages":3}"#, &json!({"pages": 3})));
    let empty = run(builder(), "report", json!({"pages": 0})).await;
    assert_eq!((empty.stop(), empty.outcome()), (Some(StopReason::Permanent), Outcome::Unknown));
    let told = told(&empty);
    assert_eq!(told["error"], "internal");
    assert!(told["message"].as_str().unwrap().ends_with("not fit for use: the report is empty"), "{told}");
    let long = run(builder(), "report", json!({"pages": 10})).await;
    assert_eq!(long.error().unwrap().class(), ErrorClass::Unknown);
}

#[tokio::test]
async fn a_tool_that_returns_nothing_succeeds() {
    let result = run(builder(), "nothing", json!({})).await;
    assert_eq!((result.text(), result.value()), ("(no output)", Some(&Value::Null)));
}
