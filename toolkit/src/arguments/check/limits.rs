//! The keywords that limit a value of the right type.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;
use serde_json::{Number, Value};

use crate::feedback::Language;
use crate::parameter::compile;

/// What the value breaks, as the end of a sentence that begins with its path and "must".
pub(super) fn broken(value: &Value, schema: &Value, language: Language) -> Option<String> {
    let number = |key: &str| schema.get(key).and_then(Value::as_number);
    let count = |key: &str| schema.get(key).and_then(Value::as_u64);
    if let Some(wanted) = schema.get("const")
        && wanted != value
    {
        return Some(language.pick(|| format!("be {wanted}"), || format!("必须是 {wanted}")));
    }
    match value {
        Value::Number(given) => {
            let beyond = |key: &str, allowed: &[Ordering]| {
                number(key).filter(|bound| !compare(given, bound).is_some_and(|order| allowed.contains(&order)))
            };
            if let Some(bound) = beyond("minimum", &[Ordering::Greater, Ordering::Equal]) {
                return Some(language.pick(|| format!("be at least {bound}"), || format!("不能小于 {bound}")));
            }
            if let Some(bound) = beyond("maximum", &[Ordering::Less, Ordering::Equal]) {
                return Some(language.pick(|| format!("be at most {bound}"), || format!("不能大于 {bound}")));
            }
            if let Some(bound) = beyond("exclusiveMinimum", &[Ordering::Greater]) {
                return Some(language.pick(|| format!("be more than {bound}"), || format!("必须大于 {bound}")));
            }
            if let Some(bound) = beyond("exclusiveMaximum", &[Ordering::Less]) {
                return Some(language.pick(|| format!("be less than {bound}"), || format!("必须小于 {bound}")));
            }
            let step = number("multipleOf")?;
            (!is_multiple(given, step))
                .then(|| language.pick(|| format!("be a multiple of {step}"), || format!("必须是 {step} 的倍数")))
        }
        Value::String(text) => {
            let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
            let bounds = (count("minLength"), count("maxLength"));
            if let Some(words) = outside(length, bounds, ("character", "个字符"), language) {
                return Some(words);
            }
            let pattern = schema.get("pattern").and_then(Value::as_str)?;
            let matches = regex(pattern).is_none_or(|regex| regex.is_match(text));
            (!matches)
                .then(|| language.pick(|| format!("match the pattern {pattern}"), || format!("必须匹配模式 {pattern}")))
        }
        Value::Array(items) => {
            let bounds = (count("minItems"), count("maxItems"));
            let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
            if let Some(words) = outside(length, bounds, ("item", "项"), language) {
                return Some(words);
            }
            let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
            let twice = unique && items.iter().enumerate().any(|(index, item)| items[..index].contains(item));
            twice.then(|| language.pick(|| "not hold an item twice".to_owned(), || "不能包含重复的项".to_owned()))
        }
        Value::Object(entries) => {
            let bounds = (count("minProperties"), count("maxProperties"));
            let length = u64::try_from(entries.len()).unwrap_or(u64::MAX);
            outside(length, bounds, ("entry", "个条目"), language)
        }
        Value::Null | Value::Bool(_) => None,
    }
}

fn outside(
    length: u64,
    (least, most): (Option<u64>, Option<u64>),
    (unit, chinese): (&str, &str),
    language: Language,
) -> Option<String> {
    let units = |number: u64| match (number, unit) {
        (1, unit) => format!("1 {unit}"),
        (number, "entry") => format!("{number} entries"),
        (number, unit) => format!("{number} {unit}s"),
    };
    if let Some(least) = least.filter(|least| length < *least) {
        return Some(language.pick(
            || format!("have at least {} and has {length}", units(least)),
            || format!("至少要有 {least} {chinese}，现有 {length}"),
        ));
    }
    let most = most.filter(|most| length > *most)?;
    Some(language.pick(
        || format!("have at most {} and has {length}", units(most)),
        || format!("最多只能有 {most} {chinese}，现有 {length}"),
    ))
}

/// Whole numbers are compared as such, so that no digit of an id is lost.
fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

fn is_multiple(number: &Number, step: &Number) -> bool {
    match (whole(number), whole(step)) {
        (Some(number), Some(step)) => step == 0 || number % step == 0,
        _ => match (number.as_f64(), step.as_f64()) {
            (Some(number), Some(step)) => {
                let times = number / step;
                (times - times.round()).abs() < 1e-9
            }
            _ => true,
        },
    }
}

/// The compiled form of a pattern of a schema. One that this engine cannot compile limits nothing here.
fn regex(pattern: &str) -> Option<Regex> {
    static COMPILED: LazyLock<Mutex<HashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return known.clone();
    }
    let regex = compile(pattern).ok();
    compiled.insert(pattern.to_owned(), regex.clone());
    regex
}
