//! How the scripted model learns from what it is told. It knows its own call, the tools that were offered and the
//! text that came back; a text that does not say what to change leaves it where it is.

use serde_json::{Map, Value};

/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draft {
    pub(crate) tool: String,
    pub(crate) arguments: String,
}

/// The better call, with what the model saw in the text, or `None` where the text does not lead to one.
#[derive(Debug, PartialEq)]
pub(crate) struct Correction {
    pub(crate) tool: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) lesson: Lesson,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Lesson {
    /// The call broke off.
    WholeArguments,
    /// The tool has another name.
    Tool(String),
    /// This argument was missing or of another type.
    Argument(String),
}

/// Corrects a call from the text that came back for it. `facts` is what the model knows: every argument that it could
/// send for this wish.
pub(crate) fn correct(call: &Draft, told: &str, tools: &Value, facts: &Map<String, Value>) -> Option<Correction> {
    // The history shows a call that broke off in a form that is JSON again, so it is the text that tells.
    let broke_off = ["cut off", "truncated", "截断"].iter().any(|word| told.contains(word));
    let sent = match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(sent)) if !broke_off => sent,
        _ => {
            let named = broke_off || ["JSON", "json"].iter().any(|word| told.contains(word));
            let lesson = Lesson::WholeArguments;
            return named.then(|| Correction { tool: call.tool.clone(), arguments: facts.clone(), lesson });
        }
    };
    let Some(schema) = schema_of(tools, &call.tool) else {
        let proposed = names(tools).filter_map(|name| Some((find_word(told, name)?, name))).min()?.1.to_owned();
        return Some(Correction { tool: proposed.clone(), arguments: sent, lesson: Lesson::Tool(proposed) });
    };
    let properties = schema["properties"].as_object()?;
    let (name, value) = properties.iter().find_map(|(name, property)| {
        find_word(told, name)?;
        let kind = property["type"].as_str().unwrap_or_default();
        let fact = facts.get(name)?;
        let required = schema["required"].as_array().is_some_and(|required| required.iter().any(|key| key == name));
        match sent.get(name) {
            None if required => Some((name, fact)),
            Some(value) if !is_kind(value, kind) && names_kind(told, kind) => Some((name, fact)),
            _ => None,
        }
    })?;
    let mut arguments = sent;
    arguments.insert(name.clone(), value.clone());
    Some(Correction { tool: call.tool.clone(), arguments, lesson: Lesson::Argument(name.clone()) })
}

/// The names of the offered tools.
pub(crate) fn names(tools: &Value) -> impl Iterator<Item = &str> {
    tools.as_array().into_iter().flatten().filter_map(|tool| tool["function"]["name"].as_str())
}

fn schema_of<'a>(tools: &'a Value, name: &str) -> Option<&'a Value> {
    let tool = tools.as_array()?.iter().find(|tool| tool["function"]["name"] == name)?;
    Some(&tool["function"]["parameters"])
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => true,
    }
}

fn names_kind(text: &str, kind: &str) -> bool {
    let words: &[&str] = match kind {
        "string" => &["string", "text", "字符串", "文本"],
        "integer" => &["integer", "whole number", "整数"],
        "number" => &["number", "数字", "数值"],
        "boolean" => &["boolean", "true", "布尔"],
        _ => &[],
    };
    words.iter().any(|word| text.contains(word))
}

/// Where the word stands in the text, not as a part of a longer one.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(place, _)| place)
        .find(|place| !text[..*place].ends_with(is_part) && !text[place + word.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lesson(tool: &str, arguments: &str, told: &str) -> Option<(Correction, Lesson)> {
        let tools = json!([
            {"function": {"name": "cancel_order", "parameters": {"properties": {"order_id": {"type": "string"}}}}},
            {"function": {"name": "check_order_status", "parameters": {
                "properties": {"order_id": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["order_id"],
            }}},
        ]);
        let facts = json!({"order_id": "ORD10000001", "days": 3});
        let call = Draft { tool: tool.to_owned(), arguments: arguments.to_owned() };
        let mut correction = correct(&call, told, &tools, facts.as_object()?)?;
        let lesson = std::mem::replace(&mut correction.lesson, Lesson::WholeArguments);
        Some((correction, lesson))
    }

    #[test]
    fn takes_the_name_that_the_text_proposes_first() {
        let told = "there is no tool `check_status`; did you mean `check_order_status`? others: `cancel_order`";
        let (correction, lesson) = lesson("check_status", "{\"order_id\":\"x\"}", told).expect("a lesson");
        assert_eq!(
            (correction.tool.as_str(), lesson),
            ("check_order_status", Lesson::Tool("check_order_status".into()))
        );
    }

    #[test]
    fn adds_what_is_missing_and_mends_a_type_where_the_text_names_them() {
        for (sent, told) in [
            ("{}", "缺少参数 order_id（字符串）"),
            ("{\"order_id\":10000001}", "`order_id`: a string is expected, not a number"),
        ] {
            let (correction, lesson) = lesson("check_order_status", sent, told).expect("a lesson");
            assert_eq!(correction.arguments["order_id"], "ORD10000001");
            assert_eq!(lesson, Lesson::Argument("order_id".into()));
        }
        let (correction, _) =
            lesson("check_order_status", "{\"order_id\":\"OR", "the JSON was cut off").expect("a lesson");
        assert_eq!(correction.arguments["days"], 3);
    }

    #[test]
    fn a_text_that_says_nothing_teaches_nothing() {
        for (tool, sent) in [
            ("check_status", "{}"),
            ("check_order_status", "{}"),
            ("check_order_status", "{\"order_id\":1}"),
            ("check_order_status", "{\"order_id\":\"OR"),
            ("check_order_status", "{\"order_id\":\"ORD10000001\"}"),
        ] {
            assert_eq!(lesson(tool, sent, "an error occurred, try again"), None, "{tool} {sent}");
        }
        // Part of a longer word is not the word.
        assert_eq!(lesson("check_order_status", "{}", "bad_order_id_format: string"), None);
    }
}
