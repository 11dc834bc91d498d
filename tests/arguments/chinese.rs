//! Problems in Chinese hold no English but names, values and paths.

use toolkit::{Language, RepairMode, ToolCall};

use super::table::GROUPS;
use super::tools::{builder, executor};
use super::{Refused, Row, problems};

#[tokio::test]
async fn problems_in_chinese_are_chinese() {
    let chinese = builder().language(Language::Zh).build().expect("nothing is missing");
    let strict = builder().language(Language::Zh).repair(RepairMode::Off).build().expect("nothing is missing");
    let english = executor(RepairMode::Lossless);
    for Row(tool, arguments, then) in GROUPS.iter().flat_map(|group| group.rows) {
        for executor in [&chinese, &strict] {
            let result = executor.call(ToolCall::new(*tool, *arguments).confirmed(true)).await;
            if result.is_success() {
                continue;
            }
            let told = problems(result.text());
            for problem in &told {
                let words = without_names(problem);
                assert!(
                    !words.contains(|c: char| c.is_ascii_alphabetic()),
                    "{tool} {arguments}: {words:?} in {problem}"
                );
                assert!(problem.chars().count() <= 300, "{problem}");
            }
        }
        if let Refused(_) = then {
            let result = chinese.call(ToolCall::new(*tool, *arguments).confirmed(true)).await;
            let other = english.call(ToolCall::new(*tool, *arguments).confirmed(true)).await;
            assert_eq!(problems(result.text()).len(), problems(other.text()).len(), "{tool} {arguments}");
        }
    }
}

/// What is left of a sentence without names in back quotes, values, patterns, and the words that JSON itself is made of.
fn without_names(problem: &str) -> String {
    let mut words = String::new();
    for (at, part) in problem.split('`').enumerate() {
        words += if at % 2 == 0 { part } else { "" };
    }
    let mut plain = String::new();
    for (at, part) in words.split(['"', '“', '”']).enumerate() {
        plain += if at % 2 == 0 { part } else { "" };
    }
    // What came, and a pattern, stand at the end.
    for end in ["收到的是", "必须匹配模式"] {
        plain = plain.split(end).next().unwrap_or_default().to_owned();
    }
    // The words of a type's author are his own.
    for word in [
        "A number that is even.",
        "JSON",
        "NaN",
        "Infinity",
        "null",
        "true",
        "false",
        "e38",
        "IPv4",
        "IPv6",
        "IP",
        "UUID",
        "URI",
    ] {
        plain = plain.replace(word, "");
    }
    plain
}
