//! A result that is longer than the model may see, cut so that it still says what it is.

use serde_json::{Map, Value};

use super::ToolOutput;
use crate::feedback::Language;

/// What the model reads of an output; `None` where it is the output's own text. A limit of 0 is none.
pub(crate) fn shown(output: &ToolOutput, limit: usize, language: Language) -> Option<String> {
    let beside = attachments(output, language);
    let cut = if limit == 0 { None } else { cut(output, limit, language) };
    if beside.is_empty() {
        // In English the result says so by itself.
        let blank = language == Language::Zh && output.as_text().trim().is_empty();
        return if blank { Some("（无输出）".to_owned()) } else { cut };
    }
    let text = cut.as_deref().unwrap_or(output.as_text());
    Some(if text.trim().is_empty() { beside } else { format!("{text}\n{beside}") })
}

/// A line for each image and file, for those who cannot be shown them.
fn attachments(output: &ToolOutput, language: Language) -> String {
    let lines = output.attachments().iter().map(|attachment| {
        let (kind, size) = (attachment.media_type(), attachment.data().len());
        let name = attachment.name().map(|name| format!(" {name}")).unwrap_or_default();
        language.pick(
            || format!("[binary result{name}, {kind}, {size} bytes, not shown]"),
            || format!("[二进制结果{name}，{kind}，{size} 字节，未显示]"),
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn cut(output: &ToolOutput, limit: usize, language: Language) -> Option<String> {
    let text = output.as_text();
    // A character is at least one byte, so most outputs are known to be short without counting.
    if text.len() <= limit {
        return None;
    }
    let total = text.chars().count();
    if total <= limit {
        return None;
    }
    if output.is_json() {
        return Some(cut_json(output.value(), total, limit, language));
    }
    // The end of a log says what went wrong, and the beginning what was being done.
    let tail = limit / 3;
    let head = limit - tail;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(total - tail).collect();
    let notice = notice(total, limit, language);
    Some(format!("{start}\n[{notice}]\n{end}"))
}

fn notice(total: usize, shown: usize, language: Language) -> String {
    language.pick(
        || format!("cut: {shown} of {total} characters are shown, {} are left out", total - shown),
        || format!("已截断：共 {total} 个字符，显示 {shown} 个，省略 {} 个", total - shown),
    )
}

/// Valid JSON that says what is missing: whole items of the longest lists are left out, and then ends of long texts.
fn cut_json(value: &Value, total: usize, limit: usize, language: Language) -> String {
    let mut value = value.clone();
    let mut omitted = 0;
    // Each round takes off at least half of what is too much, or the last thing that can be taken.
    for _ in 0..64 {
        let size = value.to_string().chars().count();
        if size <= limit {
            break;
        }
        let Some(taken) = shorten(&mut value, size - limit) else { break };
        omitted += taken;
    }
    let size = value.to_string().chars().count();
    let mut wrapped = Map::new();
    wrapped.insert("notice".to_owned(), notice(total, size.min(total), language).into());
    if omitted > 0 {
        wrapped.insert("omitted_items".to_owned(), omitted.into());
    }
    // What has neither a list nor a text to cut is one great object; nothing of it can be left out unseen.
    wrapped.insert("result".to_owned(), if size <= limit { value } else { Value::Null });
    Value::Object(wrapped).to_string()
}

/// Takes `surplus` characters off the longest list or text in the value; says how many items that were.
fn shorten(value: &mut Value, surplus: usize) -> Option<usize> {
    let place = longest(value)?;
    let target = place.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })?;
    match target {
        Value::Array(items) => {
            let mut freed = 0;
            let mut taken = 0;
            while freed < surplus
                && let Some(item) = items.pop()
            {
                freed += item.to_string().chars().count() + 1;
                taken += 1;
            }
            Some(taken)
        }
        Value::String(text) => {
            let length = text.chars().count();
            let keep = length.saturating_sub(surplus.max(1) + 1);
            *text = text.chars().take(keep).collect();
            text.push('…');
            (keep + 1 < length).then_some(0)
        }
        _ => None,
    }
}

enum Step {
    Key(String),
    Index(usize),
}

/// The way to the longest list that has items, or to the longest text where no list is long.
fn longest(value: &Value) -> Option<Vec<Step>> {
    fn visit(
        value: &Value,
        path: &mut Vec<(Option<String>, usize)>,
        best: &mut Option<(usize, Vec<(Option<String>, usize)>)>,
    ) {
        let size = match value {
            Value::Array(items) if !items.is_empty() => value.to_string().len(),
            Value::String(text) if text.chars().count() > 1 => text.len(),
            _ => 0,
        };
        if size > best.as_ref().map_or(0, |(size, _)| *size) {
            *best = Some((size, path.clone()));
        }
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    path.push((None, index));
                    visit(item, path, best);
                    path.pop();
                }
            }
            Value::Object(entries) => {
                for (key, entry) in entries {
                    path.push((Some(key.clone()), 0));
                    visit(entry, path, best);
                    path.pop();
                }
            }
            _ => {}
        }
    }
    let mut best = None;
    visit(value, &mut Vec::new(), &mut best);
    let (_, path) = best?;
    Some(path.into_iter().map(|(key, index)| key.map_or(Step::Index(index), Step::Key)).collect())
}
