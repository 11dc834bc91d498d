//! What the model reads of a call.

use std::fmt;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolkit::{
    Classify, ErrorClass, Executor, ExecutorBuilder, Language, Registry, ToolCall, ToolError, ToolResult, tool,
};

use crate::captured::Captured;
use crate::scripted::told;

/// A secret that must turn up nowhere.
const CANARY: &str = "canary-9f2c71";

/// Fails with the class and the text that it is given.
#[tool(category = Read, max_retries = 0, name = "fail")]
async fn fail(class: String, text: String) -> Result<(), ToolError> {
    Err(ToolError::new(class.parse().unwrap(), text))
}

/// Fails where it must not run twice.
#[tool(category = Write, max_retries = 0)]
async fn fail_once(class: String, text: String) -> Result<(), ToolError> {
    Err(ToolError::new(class.parse().unwrap(), text))
}

/// Signs in with a secret, and blabs.
#[tool(category = Write, max_retries = 1)]
async fn sign_in(
    user: String,
    #[arg(secret)] phrase: String,
    #[arg(secret, default)] pin: u32,
) -> Result<(), ToolError> {
    let cause = std::io::Error::other(format!("tried x{phrase}y and {pin}"));
    let error = ToolError::new(ErrorClass::Conflict, format!("{user} is not {phrase:?}, nor {pin}"));
    Err(error.detail("given", json!([phrase, pin, {"as": format!("<{phrase}>")}])).source(cause))
}

#[derive(Debug)]
struct Raw(&'static str, Option<Box<Raw>>);

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Raw {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("row 7 of ledger.db is corrupt")]
#[class(internal, hidden)]
struct Corrupt(#[source] Raw);

/// Fails with what the model must not see.
#[tool(category = Read)]
async fn corrupt() -> Result<(), Corrupt> {
    Err(Corrupt(Raw("checksum mismatch", Some(Box::new(Raw("page 0x1f", None))))))
}

/// Says what it is told to, as words.
#[tool(category = Read)]
async fn say(text: String) -> String {
    text
}

/// Takes some numbers.
#[tool(category = Read)]
async fn measure(
    /// How many.
    #[arg(range = 1..=30)]
    count: u32,
    note: Option<String>,
    unit: Option<String>,
) -> String {
    format!("{count} {note:?} {unit:?}")
}

fn builder() -> ExecutorBuilder {
    let tools = Registry::builder().tool::<fail>().tool::<fail_once>().tool::<sign_in>().tool::<corrupt>();
    Executor::builder(tools.tool::<say>().tool::<measure>().build().unwrap())
}

async fn run(builder: ExecutorBuilder, name: &str, arguments: Value) -> ToolResult {
    builder.build().unwrap().call(ToolCall::new(name, arguments)).await
}

#[tokio::test]
async fn a_failure_tells_everything_in_a_fixed_order() {
    let result = run(builder(), "fail", json!({"class": "not_found", "text": "there is no order 7"})).await;
    let told = told(&result);
    assert_eq!(
        told,
        json!({
            "error": "not_found",
            "tool": "fail",
            "message": "there is no order 7",
            "outcome": "failed",
            "attempts": 1,
            "may_call_again": true,
            "next": "Check the value you asked for. Call again only with another one, \
                     or tell the user that it does not exist.",
            "arguments": {"class": "not_found", "text": "there is no order 7"},
        })
    );
    let keys: Vec<_> = told.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["error", "tool", "message", "outcome", "attempts", "may_call_again", "next", "arguments"]);
}

#[tokio::test]
async fn every_class_says_what_to_do_next_in_both_languages() {
    for class in ErrorClass::ALL {
        for tool in ["fail", "fail_once"] {
            let arguments = json!({"class": class.as_str(), "text": "the words"});
            let english = told(&run(builder(), tool, arguments.clone()).await);
            let chinese = told(&run(builder().language(Language::Zh), tool, arguments.clone()).await);
            for key in ["error", "tool", "message", "outcome", "attempts", "may_call_again", "arguments"] {
                assert_eq!(english[key], chinese[key], "{key}");
            }
            let (en, zh) = (english["next"].as_str().unwrap(), chinese["next"].as_str().unwrap());
            assert!(en.is_ascii() && zh.chars().all(|c| !c.is_ascii_alphabetic()), "{en} {zh}");
            assert!(!["Try again.", "Please try again."].contains(&en));
            let turned_down = matches!(
                class,
                ErrorClass::InvalidArgument
                    | ErrorClass::NotFound
                    | ErrorClass::PermissionDenied
                    | ErrorClass::Conflict
            );
            let in_doubt = tool == "fail_once" && !turned_down;
            assert_eq!(english["outcome"], if in_doubt { "unknown" } else { "failed" });
            assert_eq!(en.contains("may have taken effect"), in_doubt);
            assert_eq!(zh.contains("可能已经生效"), in_doubt);
            if in_doubt {
                assert_eq!(english["may_call_again"], false);
            }
        }
    }
}

#[tokio::test]
async fn refusals_of_arguments_name_the_problems_and_show_no_arguments() {
    for (language, message) in [(Language::En, "the arguments are not right"), (Language::Zh, "参数不正确")] {
        let arguments = json!({"count": 31, "nope": CANARY, "note": 7});
        let result = run(builder().language(language), "measure", arguments).await;
        let told = told(&result);
        assert_eq!((&told["message"], told.get("arguments")), (&message.into(), None));
        assert_eq!(told["problems"].as_array().unwrap().len(), 3, "{told}");
        let (expected, count) = (told["expected"].as_object().unwrap(), &told["expected"]["count"]);
        assert_eq!((expected.len(), &count["maximum"], &count["description"]), (2, &30.into(), &"How many.".into()));
        assert!(!result.text().contains(CANARY), "{}", result.text());
    }
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_those_there_are() {
    let name = format!("mesure {} \u{1}", "x".repeat(5_000));
    let result = run(builder(), &name, json!({"count": 1, "Password": CANARY, "PIN": 471_100})).await;
    let told = told(&result);
    assert!(told["message"].as_str().unwrap().contains("`measure`"), "{told}");
    assert_eq!(told["arguments"]["count"], 1);
    assert!(!result.text().contains(CANARY) && !result.text().contains("471100"), "{}", result.text());
}

#[tokio::test]
async fn a_secret_argument_turns_up_nowhere() {
    for (phrase, form) in [(CANARY, CANARY), (" canary \"quoted\" ", "canary"), ("canary\\back", "canary")] {
        let log = Captured::start();
        let arguments = json!({"user": "ann", "phrase": phrase, "pin": 47_110_815});
        let result = run(builder(), "sign_in", arguments).await;
        let told = told(&result);
        assert_eq!(told["arguments"], json!({"user": "ann", "phrase": "[secret]", "pin": "[secret]"}));
        assert!(told["message"].as_str().unwrap().starts_with("ann is not"), "{told}");
        let record = serde_json::to_string(&result).unwrap();
        for (place, text) in [("message", result.text()), ("log", &log.text()), ("record", &record)] {
            assert!(!text.contains(form), "{form} in the {place}: {text}");
            assert!(!text.contains("47110815"), "the pin in the {place}: {text}");
        }
        assert!(!result.error().unwrap().to_string().contains(form));
        assert!(log.text().contains("tried x[secret]y and [secret]") || form != CANARY, "{}", log.text());
    }
}

#[tokio::test]
async fn a_short_secret_goes_where_it_stands_alone() {
    let result = run(builder(), "sign_in", json!({"user": "a77b", "phrase": "xy", "pin": 77})).await;
    assert_eq!(told(&result)["message"], r#"a77b is not "[secret]", nor [secret]"#);
}

#[tokio::test]
async fn a_secret_in_unreadable_arguments_turns_up_nowhere() {
    for arguments in [
        format!(r#"{{"user": "ann", "phrase": "{CANARY}", "phrase": "{CANARY}2"}}"#),
        format!(r#"{{"user": "ann", "phrase": ["{CANARY}"]}}"#),
        format!(r#"{{"user": "ann", "phrase": "{CANARY}""#),
        format!(r#"{{"user": "ann", "pin": "{CANARY}"}}"#),
        format!(r#""{{\"user\": \"ann\", \"phrase\": \"{CANARY}\"}}""#),
        format!("user=ann {CANARY}"),
    ] {
        let log = Captured::start();
        let result = builder().build().unwrap().call(ToolCall::new("sign_in", arguments.clone())).await;
        told(&result);
        for text in [result.text(), &log.text(), &format!("{result:?}")] {
            assert!(!text.contains(CANARY), "{arguments}: {text}");
        }
    }
}

#[tokio::test]
async fn credentials_in_texts_are_taken_out() {
    let texts = [
        format!("error sending request for url (https://h.example/s?q=1&api_key={CANARY}&page=2)"),
        format!("https://ann:{CANARY}@h.example/x refused"),
        format!("Authorization: Bearer {CANARY} was not accepted"),
        format!("password={CANARY}"),
    ];
    for text in texts {
        let log = Captured::start();
        let arguments = json!({"class": "conflict", "text": text});
        let result = run(builder(), "fail", arguments).await;
        let record = serde_json::to_string(&result).unwrap();
        for text in [result.text(), &log.text(), &record, &format!("{:?}", result.error())] {
            assert!(!text.contains(CANARY), "{text}");
        }
        told(&result);
        let error =
            ToolError::new(ErrorClass::Conflict, "no").detail("url", text.clone()).detail("all", json!([[text]]));
        assert!(!error.to_llm_message(Language::En).contains(CANARY));
    }
}

#[tokio::test]
async fn a_hidden_error_is_found_in_the_log_by_its_reference() {
    for (language, sentence) in [(Language::En, "the tool failed inside (log"), (Language::Zh, "工具内部出错（日志")]
    {
        let log = Captured::start();
        let result = run(builder().language(language), "corrupt", json!({})).await;
        let message = told(&result)["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(sentence), "{message}");
        let reference: String = message.chars().filter(|c| c.is_ascii_digit() || ('a'..='f').contains(c)).collect();
        let reference = &reference[reference.len() - 8..];
        let log = log.text();
        assert!(log.contains(&format!("reference=\"{reference}\"")), "{reference}: {log}");
        assert!(log.contains("row 7 of ledger.db is corrupt: checksum mismatch: page 0x1f"), "{log}");
        for raw in ["ledger", "checksum", "0x1f"] {
            assert!(!result.text().contains(raw), "{}", result.text());
        }
    }
    let open = run(builder().show_internal_errors(true), "corrupt", json!({})).await;
    assert_eq!(told(&open)["message"], "row 7 of ledger.db is corrupt");
}

#[tokio::test]
async fn a_message_stays_short_whatever_stands_in_it() {
    let hostile = ["x", "\u{1}", "\"", "\\", "汉", "😀", "e\u{301}", "\u{2028}", "\n"];
    for part in hostile {
        for language in [Language::En, Language::Zh] {
            let text = part.repeat(30_000);
            for class in ["conflict", "timeout", "internal"] {
                let result =
                    run(builder().language(language), "fail_once", json!({"class": class, "text": text})).await;
                let told = told(&result);
                assert_eq!(told["error"], class);
                assert!(told["arguments"].as_str().is_some_and(|shown| shown.contains(class)), "{told}");
            }
            told(&run(builder().language(language), &text, json!({text.as_str(): text})).await);
            let many: serde_json::Map<_, _> = (0..50).map(|at| (format!("{at}{text}"), json!(at))).collect();
            let refused = run(builder().language(language), "measure", many.into()).await;
            assert!(!told(&refused)["problems"].as_array().unwrap().is_empty());
            let error = ToolError::new(ErrorClass::Conflict, text.clone()).detail("more", text.clone());
            assert!(error.to_llm_message(language).chars().count() <= 2_000);
        }
    }
}

#[tokio::test]
async fn ten_megabytes_of_error_are_cut() {
    let text = "password=hunter2 ".repeat(10 << 16);
    let log = Captured::start();
    let error = ToolError::new(ErrorClass::Conflict, text.clone());
    assert!(error.to_llm_message(Language::En).chars().count() <= 2_000);
    let result = run(builder(), "fail", json!({"class": "conflict", "text": text})).await;
    told(&result);
    assert!(log.text().len() < 100_000);
}

#[tokio::test]
async fn more_than_a_mebibyte_of_arguments_is_not_read() {
    let fitting = "x".repeat((1 << 20) - 20);
    assert!(run(builder().max_output(0), "say", json!({"text": fitting})).await.is_success());
    let refused = run(builder(), "say", json!({"text": fitting + "0123456789"})).await;
    assert!(told(&refused)["problems"][0].as_str().unwrap().contains("at most 1048576"), "{}", refused.text());
}

#[tokio::test]
async fn many_small_arguments_are_still_shown() {
    let text = json!({"class": "conflict", "text": "x", "more": vec![1; 250]});
    let result = builder().build().unwrap().call(ToolCall::new("nobody", text)).await;
    assert!(told(&result)["arguments"].to_string().contains("conflict"), "{}", result.text());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_message_that_is_whole(text in "\\PC{0,300}|[\u{0}-\u{1f}\"\\\\]{0,900}", class in 0_usize..10) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let arguments = json!({"class": ErrorClass::ALL[class].as_str(), "text": text});
        let result = runtime.block_on(run(builder(), "fail_once", arguments));
        let told = told(&result);
        prop_assert!(told["next"].as_str().unwrap().len() > 40);
    }
}
