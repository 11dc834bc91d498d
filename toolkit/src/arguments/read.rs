//! From the model's text to a value: JSON as models write it, read where it has one reading.
//!
//! Not a general tolerant reader: it has to keep every digit and every key, to tell what is cut off from what is wrong,
//! and to record what it passed over, and no reader at hand does all three.

mod scan;

use super::node::{Node, beginning};
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
pub(super) fn read<'t>(text: &'t str, reading: Reading, repairs: &mut Vec<Repair>) -> Result<Node<'t>, Unreadable> {
    if text.len() > LONGEST {
        let problem = reading.language.pick(
            || format!("the arguments are {} bytes long; at most {LONGEST} are read. Send less", text.len()),
            || format!("参数长度为 {} 字节，最多只读取 {LONGEST} 字节，请减少内容", text.len()),
        );
        return Err(Unreadable { problem, cut_off: false });
    }
    let mut value = whole(text, reading, repairs)?;
    let nothing = match &value {
        Node::Null => true,
        Node::List(items) => items.is_empty() && reading.repairs(),
        _ => false,
    };
    if nothing {
        return Ok(Node::Object(Vec::new()));
    }
    // Some servers encode the object as a JSON string, some of them twice.
    for _ in 0..2 {
        let Node::Text(inner) = &value else { break };
        if !reading.repairs() || !(inner.trim().is_empty() || begins_like_json(inner)) {
            break;
        }
        let decoded = whole(inner, reading, repairs)?.into_owned();
        repairs.push(note_whole(text, &decoded, reading));
        value = decoded;
    }
    Ok(value)
}

/// A value that a text holds, where it holds one of this kind: an object or a list inside of a string, so many levels
/// deep in the whole.
pub(super) fn inside(text: &str, opening: char, depth: usize) -> Option<Node<'static>> {
    if !text.trim_start().starts_with(opening) {
        return None;
    }
    let mut scan = Scan::new(text, depth);
    scan.document().ok().flatten().map(Node::into_owned)
}

#[allow(dead_code, reason = "for the one spelling of arguments")]
/// The value of a text, as tolerant as can be; an empty object where the text is blank.
pub(super) fn plain(text: &str) -> Option<Node<'_>> {
    let mut scan = Scan::new(text, 0);
    scan.document().ok().map(|value| value.unwrap_or(Node::Object(Vec::new())))
}

/// Whether the text ends in the middle of its value.
pub(super) fn breaks_off(text: &str) -> bool {
    text.len() <= LONGEST && Scan::new(text, 0).document().is_err_and(|fault| matches!(fault.kind, FaultKind::CutOff))
}

/// The value of a text that is JSON.
pub(super) fn exact(text: &str) -> Option<Node<'_>> {
    let mut scan = Scan::new(text, 0);
    let value = scan.document().ok()??;
    scan.oddity().is_none().then_some(value)
}

fn begins_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '"', '[', '`', '\u{feff}'])
}

fn whole<'t>(text: &'t str, reading: Reading, repairs: &mut Vec<Repair>) -> Result<Node<'t>, Unreadable> {
    let mut scan = Scan::new(text, 0);
    let value = scan.document().map_err(|fault| explain(&fault, text, reading))?;
    match scan.oddity() {
        None => {}
        Some(_) if reading.repairs() => {
            let value = value.unwrap_or(Node::Object(Vec::new()));
            repairs.push(note_whole(text, &value, reading));
            return Ok(value);
        }
        Some(fault) => return Err(explain(&fault, text, reading)),
    }
    Ok(value.unwrap_or(Node::Object(Vec::new())))
}

/// A repair of the whole text. Where a part of it is secret, nobody knows yet which.
pub(super) fn note_whole(from: &str, to: &Node<'_>, reading: Reading) -> Repair {
    if reading.secret {
        return note("", SECRET, SECRET, RepairKind::Text);
    }
    note("", from, &beginning(to, 200), RepairKind::Text)
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
    // Whatever stands there may be the value of a secret parameter.
    let near = || text.get(fault.at..).unwrap_or_default().chars().take(20).collect::<String>().replace('`', "'");
    let near = (!reading.secret).then(near).filter(|near| !near.is_empty());
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
        FaultKind::TwoValues(..) if reading.secret => {
            ("a key stands twice, with two values".into(), "一个键出现两次，值不同".into())
        }
        FaultKind::TwoValues(key, first, second) => (
            format!("the key `{key}` stands twice, with {first} and with {second}"),
            format!("键 `{key}` 出现两次，值分别为 {first} 和 {second}"),
        ),
        FaultKind::Odd(what) => (format!("{} not JSON", what.0), format!("{}不是 JSON", what.1)),
    };
    let near = near
        .map_or_else(String::new, |near| language.pick(|| format!(", near `{near}`"), || format!("，`{near}` 附近")));
    language.pick(
        || format!("the arguments cannot be read: {english}, at line {line}, column {column}{near}"),
        || format!("无法读取参数：{chinese}（第 {line} 行第 {column} 列{near}）"),
    )
}
