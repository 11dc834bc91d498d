//! What a result holds beside its text, for providers that show models images and files.

use std::borrow::Cow;

use serde_json::Value;

use crate::call::ToolResult;
use crate::output::{Attachment, ToolOutput};

/// The images and files of a result.
pub(super) fn attachments(result: &ToolResult) -> &[Attachment] {
    result.output().map_or(&[], ToolOutput::attachments)
}

/// What the model reads, without the lines that stand for attachments which it is shown. Blank only where a result has
/// nothing but such attachments.
pub(super) fn words(result: &ToolResult, shown: impl Fn(&Attachment) -> bool) -> Cow<'_, str> {
    let attachments = attachments(result);
    let text = result.text();
    if !attachments.iter().any(&shown) {
        return Cow::Borrowed(text);
    }
    // One line for each stands at the end.
    let lines: Vec<&str> = text.split('\n').collect();
    let own = lines.len().saturating_sub(attachments.len());
    let is_kept = |(number, line): &(usize, &str)| {
        let attachment = number.checked_sub(own).and_then(|place| attachments.get(place));
        !attachment.is_some_and(|attachment| shown(attachment) && line.contains(attachment.media_type()))
    };
    let kept: Vec<&str> = lines.into_iter().enumerate().filter(is_kept).map(|(_, line)| line).collect();
    kept.join("\n").into()
}

/// The value of a result, where it is JSON, these words are the whole of it, and no number in it loses digits on a host
/// that has doubles alone.
pub(super) fn exact_value<'a>(result: &'a ToolResult, words: &str) -> Option<&'a Value> {
    let output = result.output()?;
    (output.is_json() && output.as_text() == words && is_exact(output.value())).then(|| output.value())
}

fn is_exact(value: &Value) -> bool {
    const LARGEST: u64 = 1 << 53;
    match value {
        Value::Number(number) => {
            number.is_f64()
                || number.as_u64().is_some_and(|number| number <= LARGEST)
                || number.as_i64().is_some_and(|number| number.unsigned_abs() <= LARGEST)
        }
        Value::Array(list) => list.iter().all(is_exact),
        Value::Object(fields) => fields.values().all(is_exact),
        _ => true,
    }
}

/// The part of a text of at most this many characters, with a mark where it was cut.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    const MARK: &str = "\n[cut off]";
    if text.len() <= most || text.chars().count() <= most {
        return Cow::Borrowed(text);
    }
    text.chars().take(most.saturating_sub(MARK.len())).chain(MARK.chars()).collect::<String>().into()
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes of a text that [`base64`] has made; `None` of any other.
pub(crate) fn unbase64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut chunks = text.as_bytes().chunks_exact(4);
    for chunk in &mut chunks {
        let padding = chunk.iter().rev().take_while(|digit| **digit == b'=').count();
        let bits = chunk.iter().try_fold(0_u32, |bits, digit| {
            let value = DIGITS.iter().position(|one| one == digit).or((*digit == b'=').then_some(0))?;
            Some((bits << 6) | u32::try_from(value).ok()?)
        })?;
        let [_, triple @ ..] = bits.to_be_bytes();
        bytes.extend(triple.iter().take(3_usize.checked_sub(padding)?));
    }
    chunks.remainder().is_empty().then_some(bytes)
}

/// Base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS.get(((bits >> (18 - 6 * place)) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_base64() {
        let texts =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in texts {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(unbase64(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("ééé", 3), "ééé");
        assert_eq!(cut(&"é".repeat(20), 12), "éé\n[cut off]");
    }

    #[test]
    fn numbers_that_a_double_cannot_hold_are_not_exact() {
        assert!(is_exact(&serde_json::json!([1, -5, 1.5, { "a": 9_007_199_254_740_992_u64 }])));
        assert!(!is_exact(&serde_json::json!({ "a": [u64::MAX] })));
    }
}
