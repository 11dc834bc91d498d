//! The table in the documentation of `Arguments`, made from the rows that the tests check.

use std::fmt::Write as _;
use std::path::Path;

use toolkit::{RepairMode, ToolCall};

use super::tools::{SIGNATURES, executor};
use super::{Refused, Repaired, Row, Runs, alternatives, keys, problems, reading, secrets, strict, values};

pub(super) struct Group {
    title: &'static str,
    pub(super) rows: &'static [Row],
}

const fn group(title: &'static str, rows: &'static [Row]) -> Group {
    Group { title, rows }
}

pub(super) const GROUPS: &[Group] = &[
    group("No arguments", reading::NOTHING),
    group("What surrounds the object", reading::AROUND),
    group("What has two readings", reading::TWO_READINGS),
    group("Whole numbers", values::INTEGERS),
    group("Other numbers", values::NUMBERS),
    group("True and false", values::BOOLEANS),
    group("Texts", values::TEXTS),
    group("Lists and objects", values::LISTS),
    group("`null`", values::NULLS),
    group("Limits", values::LIMITS),
    group("Formats", values::FORMATS),
    group("Enums", alternatives::ENUMS),
    group("Enums with values", alternatives::TAGGED),
    group("Values of several types", alternatives::UNIONS),
    group("Keys", keys::KEYS),
    group("Other names of a type (`serde(alias)`)", keys::ALIASES),
    group("Maps and flattened fields", keys::MAPS),
    group("Secrets", secrets::SECRETS),
    group("Dangerous tools", strict::DANGEROUS),
];

const WHERE: &str = "../toolkit/src/arguments/TABLE.md";

#[tokio::test]
async fn the_documentation_holds_these_rows() {
    let table = table().await;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(WHERE);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &table).expect("the table can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == table, "{WHERE} is stale: run this test with UPDATE=1");
}

async fn table() -> String {
    let executor = executor(RepairMode::Lossless);
    let mut text = "# What happens to which arguments\n\n\
        Made by the tests from the rows that they check. `runs` is exact input; `repaired` runs too, and the result's\n\
        `repairs()` say what was changed; what is refused ran nothing, and the model reads the message.\n"
        .to_owned();
    for Group { title, rows } in GROUPS {
        let _ = writeln!(text, "\n## {title}\n\n| tool | arguments | what happens | message |\n|---|---|---|---|");
        for Row(tool, arguments, then) in *rows {
            let result = executor.call(ToolCall::new(*tool, *arguments).confirmed(true)).await;
            let (happens, message) = match then {
                Runs(_) => ("runs", String::new()),
                Repaired(_) => ("repaired", String::new()),
                Refused(_) => {
                    ("refused", problems(result.text()).iter().map(|one| cell(one)).collect::<Vec<_>>().join("<br>"))
                }
            };
            let tool = code(&format!("{tool}({})", signature(tool)));
            let _ = writeln!(text, "| {tool} | {} | {happens} | {message} |", code(arguments));
        }
    }
    text
}

/// What the tool takes.
fn signature(tool: &str) -> String {
    let found =
        SIGNATURES.iter().find(|(name, _)| *name == tool).map_or("disk: u8, label: Option<String>, ", |(_, all)| all);
    found.trim_end_matches(", ").replace(" : ", ": ")
}

/// As code, in which blanks and line ends can be seen.
fn code(text: &str) -> String {
    if text.is_empty() {
        return "nothing at all".to_owned();
    }
    let visible = text.replace('\n', "⏎").replace('\t', "⇥").replace('\u{feff}', "BOM ").replace('\u{a0}', "␣");
    let visible = if visible.trim().is_empty() { visible.replace(' ', "␣") } else { visible };
    let visible = visible.replace('|', "\\|");
    // A mark that the text itself holds, doubled, and kept apart from it.
    if visible.contains('`') { format!("```` {visible} ````") } else { format!("`{visible}`") }
}

/// A sentence whose names in back quotes stay code, and whose other marks are no markup.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            let _ = write!(out, "`{}`", part.replace('|', "\\|"));
            continue;
        }
        for c in part.chars() {
            if matches!(c, '[' | ']' | '<' | '>' | '|' | '*' | '_' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}
