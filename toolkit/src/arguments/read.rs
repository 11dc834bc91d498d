//! From the model's text to a JSON value, with nothing lost on the way: two keys of one name are not one.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::{Reading, shorten};
use crate::call::{Repair, RepairKind};

/// The most text that is read at all.
const LONGEST: usize = 1 << 20;

/// The value of the text.
///
/// # Errors
/// What is wrong with the text, in one sentence.
pub(super) fn read(text: &str, reading: Reading, repairs: &mut Vec<Repair>) -> Result<Value, String> {
    let language = reading.language;
    if text.len() > LONGEST {
        return Err(language.pick(
            || format!("the arguments are {} bytes long; at most {LONGEST} are read. Send less", text.len()),
            || format!("参数长度为 {} 字节，最多只读取 {LONGEST} 字节，请减少内容", text.len()),
        ));
    }
    let mut value = match parse(text) {
        _ if text.trim().is_empty() => Value::Object(Map::new()),
        Ok(value) => value,
        Err(error) if error.is_eof() => {
            return Err(language.pick(
                || "the arguments are cut off: the JSON ends before it is complete. Send less".to_owned(),
                || "参数被截断：JSON 不完整。请减少内容后重新发送".to_owned(),
            ));
        }
        Err(error) => {
            return Err(language.pick(
                || format!("the arguments are not JSON: {error}. They must be one JSON object"),
                || format!("参数不是有效的 JSON：{error}。参数必须是单个 JSON 对象"),
            ));
        }
    };
    // Some servers encode the object as a JSON string, some of them twice.
    for _ in 0..2 {
        let Value::String(inner) = &value else { break };
        if !reading.repairs() {
            break;
        }
        match parse(inner) {
            Ok(decoded @ (Value::Object(_) | Value::String(_))) => {
                repairs.push(note("", &shorten(inner, 200), &super::shown(&decoded), RepairKind::Text));
                value = decoded;
            }
            _ => break,
        }
    }
    let nothing = match &value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    if nothing { Ok(Value::Object(Map::new())) } else { Ok(value) }
}

pub(super) fn note(path: &str, from: &str, to: &str, kind: RepairKind) -> Repair {
    Repair { path: path.to_owned(), from: from.to_owned(), to: to.to_owned(), kind }
}

fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Whole.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Reads a [`Value`] and refuses an object that says two things under one key.
struct Whole;

impl<'de> DeserializeSeed<'de> for Whole {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Whole {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Whole)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Whole)?;
            match object.get(&key) {
                Some(first) if *first != value => {
                    return Err(A::Error::custom(format_args!(
                        "the key `{}` stands twice, with {} and with {}",
                        shorten(&key, 64),
                        super::shown(first),
                        super::shown(&value)
                    )));
                }
                Some(_) => {}
                None => {
                    object.insert(key, value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}
