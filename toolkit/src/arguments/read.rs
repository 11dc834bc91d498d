//! From the model's text to a value: JSON as models write it, read where it has one reading.
//!
//! Not a general tolerant reader: it has to keep every digit and every key, to tell what is cut off from what is wrong,
//! and to record what it passed over, and no reader at hand does all three.

mod scan;

use super::node::Node;
use super::{LONGEST, Reading, SECRET, shorten};
use crate::call::{Repair, RepairKind};
use scan::{Fault, FaultKind, Scan};

/// Why a text is no value, in one sentence.
pub(super) struct Unreadable {
    pub(super) problem: String,
    /// It ends in the middle.
    pub(super) cut_off: bool,
}

/// The value of the text.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn read(text: &str, reading: Reading, repairs: &mut Vec<Repair>) -> Result<Node, Unreadable> {
    if text.len() > LONGEST {
        let problem = reading.language.pick(
            || format!("the arguments are {} bytes long; at most {LONGEST} are read. Send less", text.len()),
            || format!("参数长度为 {} 字节，最多只读取 {LONGEST} 字节，请减少内容", text.len()),
        );
        return Err(Unreadable { problem, cut_off: false });
    }
    let mut value = whole(text, reading, repairs)?;
    // Some servers encode the object as a JSON string, some of them twice.
    for _ in 0..2 {
        let Node::Text(inner) = &value else { break };
        if inner.trim().is_empty() {
            value = Node::Object(Vec::new());
            break;
        }
        if !reading.repairs() || !begins_like_json(inner) {
            break;
        }
        let decoded = whole(inner, reading, repairs)?;
        repairs.push(whole_note(text, &decoded.to_string(), reading));
        value = decoded;
    }
    let nothing = match &value {
        Node::Null => true,
        Node::List(items) => items.is_empty(),
        _ => false,
    };
    Ok(if nothing { Node::Object(Vec::new()) } else { value })
}

/// A value that a text holds, where it holds one of this kind: an object or a list inside of a string.
pub(super) fn inside(text: &str, opening: char) -> Option<Node> {
    if !text.trim_start().starts_with(opening) {
        return None;
    }
    let mut scan = Scan::new(text);
    scan.document().ok().flatten()
}

fn begins_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '"', '[', '`', '\u{feff}'])
}

fn whole(text: &str, reading: Reading, repairs: &mut Vec<Repair>) -> Result<Node, Unreadable> {
    let mut scan = Scan::new(text);
    let value = scan.document().map_err(|fault| explain(&fault, text, reading))?;
    match scan.oddity() {
        None => {}
        Some(_) if reading.repairs() => repairs.push(whole_note(text, &text_of(value.as_ref()), reading)),
        Some(fault) => return Err(explain(&fault, text, reading)),
    }
    Ok(value.unwrap_or(Node::Object(Vec::new())))
}

fn text_of(value: Option<&Node>) -> String {
    value.map_or_else(String::new, Node::to_string)
}

/// A repair of the whole text.
pub(super) fn whole_note(from: &str, to: &str, reading: Reading) -> Repair {
    let (from, to) = if reading.secret { (SECRET, SECRET) } else { (from, to) };
    note("", from, to, RepairKind::Text)
}

pub(super) fn note(path: &str, from: &str, to: &str, kind: RepairKind) -> Repair {
    let short = |text: &str| shorten(text, 200).into_owned();
    Repair { path: path.to_owned(), from: short(from), to: short(to), kind }
}

/// A fault in the model's language, with the place where it is.
fn explain(fault: &Fault, text: &str, reading: Reading) -> Unreadable {
    let problem = words(fault, text, reading);
    Unreadable { problem, cut_off: matches!(fault.kind, FaultKind::CutOff) }
}

fn words(fault: &Fault, text: &str, reading: Reading) -> String {
    let before = text.get(..fault.at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    // What stands there may be what must not be shown.
    let near: String = if reading.secret { SECRET.to_owned() } else { near(text, fault.at) };
    let language = reading.language;
    let (english, chinese): (String, String) = match &fault.kind {
        FaultKind::CutOff => {
            return language.pick(
                || "the arguments are cut off: the JSON ends before it is complete. Send less".to_owned(),
                || "参数被截断：JSON 不完整。请减少内容后重新发送".to_owned(),
            );
        }
        FaultKind::Expected(what) => (format!("expected {}", what.0), format!("此处应为{}", what.1)),
        FaultKind::NotAValue => ("this is no JSON value".into(), "这不是 JSON 值".into()),
        FaultKind::NotFinite => ("JSON has no NaN and no Infinity".into(), "JSON 中没有 NaN 和 Infinity".into()),
        FaultKind::BadEscape => ("this escape is none of JSON's".into(), "这不是 JSON 的转义序列".into()),
        FaultKind::LoneSurrogate => (
            "half of a surrogate pair stands alone, so the character is lost".into(),
            "代理对只有一半，字符已丢失".into(),
        ),
        FaultKind::TooDeep => ("the JSON is nested more than 128 deep".into(), "JSON 嵌套超过 128 层".into()),
        FaultKind::SecondValue => (
            "a second object follows; send one object per call".into(),
            "后面还有第二个对象；每次调用只发送一个对象".into(),
        ),
        FaultKind::TextAfter => ("text follows the object".into(), "对象之后还有其他文本".into()),
        FaultKind::TwoValues(key, _, _) if reading.secret => {
            (format!("the key `{key}` stands twice, with different values"), format!("键 `{key}` 出现两次，值不相同"))
        }
        FaultKind::TwoValues(key, first, second) => (
            format!("the key `{key}` stands twice, with {first} and with {second}"),
            format!("键 `{key}` 出现两次，值分别为 {first} 和 {second}"),
        ),
        FaultKind::Odd(what) => (format!("{} not JSON", what.0), format!("{}不是 JSON", what.1)),
    };
    language.pick(
        || format!("the arguments cannot be read: {english}, at line {line}, column {column}, near `{near}`"),
        || format!("无法读取参数：{chinese}（第 {line} 行第 {column} 列，`{near}` 附近）"),
    )
}

/// What stands at the fault.
fn near(text: &str, at: usize) -> String {
    text.get(at..).unwrap_or_default().chars().take(20).collect()
}
