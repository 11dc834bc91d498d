//! The values of secret parameters are in no message and in no record of a repair.

use toolkit::{Language, RepairMode, ToolCall};

use super::tools::builder;
use super::{Refused, Repaired, Row, Runs, check};

pub(super) const SECRETS: &[Row] = &[
    Row("sign_in", r#"{"password":"hunter2","pin":1234}"#, Runs("7 1234 None")),
    Row("sign_in", r#"{"password":"hunter2","pin":"1234"}"#, Repaired("7 1234 None")),
    Row(
        "sign_in",
        r#"{"password":48151623,"pin":1}"#,
        Refused(&["`password` must be a string; a number came: [secret]"]),
    ),
    Row(
        "sign_in",
        r#"{"password":"h","pin":1}"#,
        Refused(&["`password` must have at least 2 characters; [secret] came"]),
    ),
    Row("vault", r#"{"keys":{"hunter2":1}}"#, Runs("1 false")),
];

#[tokio::test]
async fn a_secret_parameter_is_read_like_any_other() {
    check(SECRETS).await;
}

#[tokio::test]
async fn a_secret_is_in_no_message_and_in_no_repair() {
    for text in [
        r#"{"password": 48151623, "pin": "hunter2"}"#,
        r#"{"password": "hunter2", "pin": "4815"}"#,
        r#"{"password": "hunter2", "pin": 70000}"#,
        r#"{"password": "hunter2", "pin": hunter2}"#,
        r#"{"password": hunter2"#,
        r#"{"password": "hunter2" "pin": 1}"#,
        r#"{"password": "hunter2", "password": "other48151623"}"#,
        r#"{"password": "hunter2\x", "pin": 1}"#,
        r#"{"password": "hunter2"} hunter2"#,
        r#"{"password": "hunter2", "pin": 1}}"#,
        r#"{"password": "hunter2", "pin": 1,}"#,
        r#"{"input": {"password": "hunter2", "pin": 1}}"#,
        r#""{\"password\": \"hunter2\", \"pin\": 1}""#,
        r#"{"pasword": "hunter2", "pin": 1}"#,
        r#"{"password": ["hunter2"], "pin": {"48151623": 1}}"#,
        r#"{"password": "hunter2hunter2hunter2hunter2", "pin": 1}"#,
    ] {
        says_nothing("sign_in", text).await;
    }
    for text in [
        r#"{"keys": {"hunter2": "x"}}"#,
        r#"{"keys": {"hunter2": {"hunter2": 1}}}"#,
        r#"{"keys": {}, "payment": {"kind": "hunter2"}}"#,
        r#"{"keys": {}, "payment": {"kind": "card", "hunter2": 1}}"#,
        r#"{"keys": {}, "payment": {"kind": "card", "number": 48151623}}"#,
        r#"{"keys": {}, "payment": {"kind": "voucher", "code": "hunter2"}}"#,
        r#"{"keys": {}, "payment": "hunter2"}"#,
        r#"{"keys": "{\"hunter2\": \"4815\"}"}"#,
    ] {
        says_nothing("vault", text).await;
    }
}

async fn says_nothing(tool: &str, text: &str) {
    for language in [Language::En, Language::Zh] {
        for mode in [RepairMode::Lossless, RepairMode::Off] {
            let executor = builder().language(language).repair(mode).build().expect("nothing is missing");
            let result = executor.call(ToolCall::new(tool, text)).await;
            let repairs: Vec<String> = result
                .repairs()
                .iter()
                .map(|repair| format!("{} {} {}", repair.path(), repair.from(), repair.to()))
                .collect();
            let told = format!("{} {}", if result.is_success() { "" } else { result.text() }, repairs.join(" "));
            for secret in ["hunter2", "48151623", "4815"] {
                assert!(!told.contains(secret), "{tool} {text}: {told}");
            }
        }
    }
}
