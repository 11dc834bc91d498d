//! A result that is longer than the model may see, cut so that it still says what it is.

use super::ToolOutput;
use crate::arguments::{Node, shorten};
use crate::feedback::Language;

/// What the model reads of an output; `None` where it is the output's own text.
pub(crate) fn shown(output: &ToolOutput, limit: usize, language: Language) -> Option<String> {
    let cut = cut(output, limit, language);
    if output.attachments().is_empty() {
        let silent = cut.is_none() && language == Language::Zh && output.as_text().trim().is_empty();
        return if silent { Some("（无输出）".to_owned()) } else { cut };
    }
    let beside = attachments(output, language);
    let text = cut.as_deref().unwrap_or(output.as_text());
    Some(if text.trim().is_empty() { beside } else { format!("{text}\n{beside}") })
}

/// A line for each image and file, for those who cannot be shown them.
fn attachments(output: &ToolOutput, language: Language) -> String {
    let lines = output.attachments().iter().map(|attachment| {
        // Nothing in a name may end the line that speaks of it.
        let line = |text: &str| shorten(text, 64).replace(|c: char| c.is_control() || c == '[' || c == ']', "_");
        let (kind, size) = (line(attachment.media_type()), attachment.data().len());
        let name = attachment.name().map(|name| format!(" {}", line(name))).unwrap_or_default();
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
    if text.len() <= limit || limit == 0 {
        return None;
    }
    let total = text.chars().count();
    if total <= limit {
        return None;
    }
    if output.is_json() {
        return Some(cut_json(output, total, limit, language));
    }
    // The end of a log says what went wrong, and the beginning what was being done.
    let tail = limit / 4;
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

/// Valid JSON that says what is missing: whole items are left out of lists and maps, and ends of long texts.
fn cut_json(output: &ToolOutput, total: usize, limit: usize, language: Language) -> String {
    // By its text, which keeps every digit; what no reader takes, being nested too deep, is shown as the words that it is.
    let text = output.as_text();
    let value = Node::of_json(text).unwrap_or_else(|| Node::Text(text.into()));
    let (mut left, mut shown) = (limit, Shown::default());
    let value = fitted(&value, &Sizes::of(&value), &mut left, &mut shown);
    let shown_size = value.to_string().chars().count().min(total);
    let mut wrapped = vec![("notice".into(), Node::Text(notice(total, shown_size, language).into()))];
    if shown.omitted > 0 {
        wrapped.push(("omitted_items".into(), Node::Number(shown.omitted.to_string().into())));
    }
    wrapped.push(("result".into(), value));
    Node::Object(wrapped).to_string()
}

/// What was left out.
#[derive(Default)]
struct Shown {
    omitted: usize,
}

/// How many characters a value takes as JSON, and each value inside of it.
struct Sizes {
    whole: usize,
    inner: Vec<Sizes>,
}

impl Sizes {
    fn of(value: &Node<'_>) -> Self {
        match value {
            Node::List(items) => {
                let inner: Vec<Sizes> = items.iter().map(Self::of).collect();
                Self { whole: 2 + commas(inner.len()) + inner.iter().map(|size| size.whole).sum::<usize>(), inner }
            }
            Node::Object(entries) => {
                let inner: Vec<Sizes> = entries.iter().map(|(_, value)| Self::of(value)).collect();
                let keys: usize = entries.iter().map(|(key, _)| written(key) + 1).sum();
                Self {
                    whole: 2 + commas(inner.len()) + keys + inner.iter().map(|size| size.whole).sum::<usize>(),
                    inner,
                }
            }
            Node::Text(text) => Self { whole: written(text), inner: Vec::new() },
            Node::Number(text) => Self { whole: text.len(), inner: Vec::new() },
            Node::Bool(true) | Node::Null => Self { whole: 4, inner: Vec::new() },
            Node::Bool(false) => Self { whole: 5, inner: Vec::new() },
        }
    }
}

fn commas(items: usize) -> usize {
    items.saturating_sub(1)
}

/// How many characters a text takes in its quotes.
fn written(text: &str) -> usize {
    2 + text.chars().map(escaped).sum::<usize>()
}

fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\t' | '\r' => 2,
        c if c < ' ' => 6,
        _ => 1,
    }
}

/// The value in at most `left` characters, which are taken off.
fn fitted<'t>(value: &Node<'t>, size: &Sizes, left: &mut usize, shown: &mut Shown) -> Node<'t> {
    if size.whole <= *left {
        *left -= size.whole;
        return value.clone();
    }
    match value {
        Node::List(items) => {
            take(left, 2);
            let mut kept = Vec::new();
            for (item, size) in items.iter().zip(&size.inner) {
                // An item that does not fit is cut only where it is the first: else it is left out whole.
                if (size.whole + 1 > *left && !kept.is_empty()) || *left < LEAST {
                    break;
                }
                kept.push(fitted(item, size, left, shown));
                take(left, 1);
            }
            shown.omitted += items.len() - kept.len();
            Node::List(kept)
        }
        Node::Object(entries) => {
            take(left, 2);
            let keys: Vec<usize> = entries.iter().map(|(key, _)| written(key) + 2).collect();
            let share = share(&size.inner, &keys, *left);
            let mut kept = Vec::new();
            for (((key, value), size), key_size) in entries.iter().zip(&size.inner).zip(keys) {
                let allowed = share.min(left.saturating_sub(key_size));
                if allowed < LEAST.min(size.whole) {
                    break;
                }
                take(left, key_size);
                let mut own = allowed;
                kept.push((key.clone(), fitted(value, size, &mut own, shown)));
                take(left, allowed - own);
            }
            shown.omitted += entries.len() - kept.len();
            Node::Object(kept)
        }
        Node::Text(text) => {
            let mut room = left.saturating_sub(3);
            let fits = |c: &char| {
                let size = escaped(*c);
                let fits = size <= room;
                room = room.saturating_sub(size);
                fits
            };
            let mut kept: String = text.chars().take_while(fits).collect();
            kept.push('…');
            *left = 0;
            Node::Text(kept.into())
        }
        scalar => {
            *left = 0;
            // A number is a few characters long; where there is no room for these, nothing is shown at all.
            if size.whole > 64 { Node::Null } else { scalar.clone() }
        }
    }
}

/// The room that a value needs of which anything can be seen.
const LEAST: usize = 8;

fn take(left: &mut usize, size: usize) {
    *left = left.saturating_sub(size);
}

/// The most characters that one value of an object may take, so that all of them fit: the small ones leave to the great
/// ones what they do not need.
fn share(sizes: &[Sizes], keys: &[usize], left: usize) -> usize {
    let mut room = left.saturating_sub(keys.iter().sum());
    let mut all: Vec<usize> = sizes.iter().map(|size| size.whole).collect();
    all.sort_unstable();
    for (at, size) in all.iter().enumerate() {
        let each = room / (all.len() - at);
        if *size > each {
            return each.max(LEAST);
        }
        room -= size;
    }
    left
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Language, ToolOutput, shown};

    fn cut(value: &Value, limit: usize) -> (Value, usize) {
        let text = shown(&ToolOutput::json(value.clone()), limit, Language::En).expect("it is too long");
        let all: Value = serde_json::from_str(&text).expect("it stays JSON");
        assert!(text.chars().count() <= limit + 200, "{limit}: {text}");
        let shown = all["result"].to_string().chars().count();
        assert!(shown <= limit + 8, "{limit}: {shown} {text}");
        (all["result"].clone(), usize::try_from(all["omitted_items"].as_u64().unwrap_or(0)).expect("it fits"))
    }

    #[test]
    fn whole_items_are_left_out() {
        let rows: Vec<Value> = (0..100).map(|id| json!({"id": id, "name": "abcdef"})).collect();
        let (result, omitted) = cut(&json!({"rows": rows, "total": 100}), 300);
        let kept = result["rows"].as_array().expect("a list").len();
        assert_eq!((kept + omitted, &result["total"]), (100, &json!(100)), "{result}");
        assert!(kept > 5, "{result}");
        assert_eq!(result["rows"][kept - 1], rows[kept - 1], "an item is whole or left out");
    }

    #[test]
    fn every_field_of_an_object_has_its_share() {
        let value = json!({"a": "x".repeat(1000), "b": 5, "c": vec!["y"; 500], "d": "short"});
        let (result, omitted) = cut(&value, 200);
        assert_eq!((&result["b"], &result["d"]), (&json!(5), &json!("short")), "{result}");
        assert!(result["a"].as_str().is_some_and(|text| text.len() > 30 && text.ends_with('…')), "{result}");
        let kept = result["c"].as_array().expect("a list").len();
        assert!(kept > 5 && kept + omitted == 500, "{result}");
    }

    #[test]
    fn entries_of_a_map_are_items_too() {
        let map: serde_json::Map<String, Value> = (0..500).map(|n| (format!("key {n}"), json!(n))).collect();
        let (result, omitted) = cut(&Value::Object(map), 300);
        let kept = result.as_object().expect("an object").len();
        assert!(kept > 5 && kept + omitted == 500, "{result} {omitted}");
    }

    #[test]
    fn numbers_keep_their_digits() {
        let text = format!("[{}, {:?}]", u128::MAX, "x".repeat(100));
        let shown = shown(&ToolOutput::json_text(text), 60, Language::En).expect("it is too long");
        assert!(shown.contains(&u128::MAX.to_string()), "{shown}");
    }

    #[test]
    fn any_value_is_cut_to_any_limit() {
        let mut deep = json!(1);
        for level in 0..120 {
            deep = json!({"pad": "\u{1}\"".repeat(2000), format!("level {level}"): [deep, level]});
        }
        let wide: Vec<Value> = (0..100_000).map(|n| json!([n])).collect();
        for value in [deep, json!(wide), json!("é\n".repeat(200_000)), json!({"a": {"b": wide}})] {
            for limit in [1, 10, 100, 1000, 10_000] {
                cut(&value, limit);
            }
        }
    }
}
