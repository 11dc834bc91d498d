//! No text takes long, and none is told at length.

use serde_json::Value;
use toolkit::{Language, RepairMode, ToolCall};

use super::tools::{builder, executor};
use super::{Repaired, Row, Runs, check, problems};

/// As large as arguments may be; without optimisation a quarter of it, which shows what grows too fast as well.
const LARGE: usize = if cfg!(debug_assertions) { 1 << 18 } else { 1 << 20 };

#[tokio::test]
async fn size_and_depth_are_bounded() {
    check(&[Row("anything", r#"{"value": 1}"#, Runs("1"))]).await;
    let executor = executor(RepairMode::Lossless);
    let nested = |depth: usize| format!("{{\"value\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    let deep = executor.call(ToolCall::new("anything", nested(127))).await;
    assert_eq!(deep.text(), format!("{}{}", "[".repeat(127), "]".repeat(127)));
    for depth in [128, 100_000] {
        let result = executor.call(ToolCall::new("anything", nested(depth))).await;
        assert!(problems(result.text()).join("").contains("128 deep"), "{}", result.text());
    }
    let long = format!("{{\"value\": \"{}\"}}", "x".repeat(1 << 20));
    let result = executor.call(ToolCall::new("anything", long)).await;
    assert!(problems(result.text()).join("").contains("at most 1048576 are read"), "{}", result.text());
}

#[tokio::test]
async fn depth_counts_through_texts_that_hold_json() {
    let mut value = "[]".to_owned();
    for _ in 0..6 {
        value = format!("{}{}{}", "[".repeat(40), Value::from(value), "]".repeat(40));
    }
    check(&[Row("grid", r#"{"rows":["[1]"]}"#, Repaired("[[1]]"))]).await;
    // Twenty trees in one another, all of them in a text in the next one.
    let grown = |inner: &str| {
        let (open, close) = ("{\"label\":\"x\",\"children\":[".repeat(20), "]}".repeat(20));
        format!("{{\"label\":\"x\",\"children\":[{}]}}", Value::from(format!("{open}{inner}{close}")))
    };
    let leaf = r#"{"label":"x"}"#;
    let executor = executor(RepairMode::Lossless);
    let fits = executor.call(ToolCall::new("plant", format!("{{\"tree\":{}}}", grown(&grown(leaf))))).await;
    assert!(fits.is_success(), "{}", fits.text());
    let deep = grown(&grown(&grown(&grown(leaf))));
    for (tool, text) in [("grid", format!("{{\"rows\":{value}}}")), ("plant", format!("{{\"tree\":{deep}}}"))] {
        let result = executor.call(ToolCall::new(tool, text)).await;
        assert_eq!(result.stop().map(toolkit::StopReason::as_str), Some("invalid_arguments"), "{}", result.text());
    }
}

#[tokio::test]
async fn a_megabyte_of_anything_is_read_in_no_time() {
    // Each beginning with the tool that has the most to do with it.
    let beginnings = [
        ("anything", ""),
        ("anything", "\""),
        ("anything", "{\"value\":"),
        ("draw", "{\"shape\":"),
        ("filter", "{\"filter\":"),
        ("map", "{\"entries\":{"),
        ("guests", "{\"guests\":["),
        ("list", "{\"items\":"),
    ];
    let floods = [
        "[",
        "{",
        "\"",
        "\\",
        "1",
        ",",
        "{\"a\":",
        "[[",
        "{\"of\":[",
        "{\"of\":[{\"and\":1,",
        "'",
        "\\\\\\\"",
        "/*",
        "//\n",
        "\"a\":1,",
        "{\"a\":1},",
        "[],",
        "null,",
        "\"x\",",
        "\"1\",",
        "\\u12",
        "-",
        "e",
        "a",
        "\u{a0}",
        "日",
        "`",
        "}",
        "]",
        "{\"email\":1},",
        "\"a_\":1,\"A\":2,",
        "{'",
        "\"{\\\"a\\\":",
    ];
    let executor = executor(RepairMode::Lossless);
    for (tool, beginning) in beginnings {
        for flood in floods {
            comes_to_an_end(&executor, tool, &format!("{beginning}{}", flood.repeat((LARGE - 20) / flood.len()))).await;
        }
    }
}

async fn comes_to_an_end(executor: &toolkit::Executor, tool: &str, text: &str) {
    // Nobody looks at the clock: what takes more than linear time takes 2^40 steps here, and never ends.
    let result = executor.call(ToolCall::new(tool, text)).await;
    assert!(result.is_success() || result.text().chars().count() <= 2000);
}

#[tokio::test]
async fn many_keys_in_many_spellings_are_read_in_no_time() {
    let executor = executor(RepairMode::Lossless);
    let keys: Vec<String> = (0..60_000).map(|n| format!("\"max{}depth{n}\":1", "_".repeat(n % 7))).collect();
    comes_to_an_end(&executor, "keys", &format!("{{{}}}", keys.join(","))).await;
    let keys: Vec<String> = (0..1400).map(|n| format!("\"max{}depth\":1", "_".repeat(n))).collect();
    comes_to_an_end(&executor, "keys", &format!("{{{}}}", keys.join(","))).await;
    let guests: Vec<String> = (0..30_000).map(|n| format!("{{\"email\":\"a\",\"x{n}\":1}}")).collect();
    comes_to_an_end(&executor, "guests", &format!("{{\"guests\":[{}]}}", guests.join(","))).await;
    let guests = vec![r#"{"email":"a","remark":"b","seats":"1"}"#; 25_000];
    comes_to_an_end(&executor, "guests", &format!("{{\"guests\":[{}]}}", guests.join(","))).await;
}

#[tokio::test]
async fn alternatives_in_alternatives_end() {
    let executor = executor(RepairMode::Lossless);
    for (leaf, key) in [("1", "or"), ("\"a\"", "or"), ("\"a\"", "and"), ("\"a\"", "zzz"), ("[", "or")] {
        for depth in [10, 30, 60] {
            let text = format!(
                "{{\"filter\":{}{leaf}{}}}",
                "{\"of\":[".repeat(depth),
                format!("],\"{key}\":true}}").repeat(depth)
            );
            comes_to_an_end(&executor, "filter", &text).await;
        }
    }
    let text = format!("{{\"filter\":{}\"a\"{}}}", "{\"of\":[".repeat(8), "],\"or\":true}".repeat(8));
    assert!(executor.call(ToolCall::new("filter", text)).await.is_success());
    let text = format!("{{\"filter\":{}\"a\"{}}}", "{\"of\":[".repeat(6), "],\"or\":\"true\"}".repeat(6));
    let result = executor.call(ToolCall::new("filter", text)).await;
    assert!(result.is_success(), "{}", result.text());
}

#[tokio::test]
async fn what_came_is_told_in_a_few_characters() {
    let across = format!("{}{}", "a".repeat(199), "→".repeat(50));
    for language in [Language::En, Language::Zh] {
        let executor = builder().language(language).build().expect("nothing is missing");
        for value in [across.clone(), "→".repeat(100_000), "\u{1}\"".repeat(1000), "x".repeat(LARGE - 100)] {
            let text = format!("{{\"n\":{}}}", Value::from(value));
            let result = executor.call(ToolCall::new("count", text)).await;
            assert_eq!(result.stop().map(toolkit::StopReason::as_str), Some("invalid_arguments"));
            assert!(result.text().chars().count() <= 2000);
            for problem in problems(result.text()) {
                assert!(problem.chars().count() <= 300, "{problem}");
            }
        }
        let text = format!("{{\"n\":1,\"{}\":2}}", "k".repeat(100_000));
        let result = executor.call(ToolCall::new("count", text)).await;
        assert!(problems(result.text())[0].contains('…'), "a long key is cut: {}", result.text());
        let many = format!("{{\"guests\":[{}]}}", vec!["7"; 5000].join(","));
        let result = executor.call(ToolCall::new("guests", many)).await;
        assert!(problems(result.text()).last().is_some_and(|last| last.contains("4992")), "{}", result.text());
    }
}

#[test]
fn arguments_need_little_of_the_stack() {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let executor = executor(RepairMode::Lossless);
        let deep = format!("{{\"filter\":{}1{}}}", "{\"of\":[".repeat(62), "],\"or\":1}".repeat(62));
        let tree = format!("{{\"tree\":{}1{}}}", "{\"label\":1,\"children\":[".repeat(62), "]}".repeat(62));
        for (tool, text) in [("filter", deep), ("plant", tree)] {
            assert!(!runtime.block_on(executor.call(ToolCall::new(tool, text))).is_success());
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    thread.join().expect("two megabytes are enough");
}
