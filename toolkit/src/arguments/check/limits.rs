//! The keywords that limit a value of the right type.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde_json::Value;

use super::formats;
use crate::arguments::node::{Node, is_integer};
use crate::arguments::number::{compare, is_finite_number, is_multiple, range_of};
use crate::feedback::Language;
use crate::parameter::Matcher;
use crate::schema::keyword;

/// What the value breaks, as the end of a sentence that begins with its path and "must".
pub(super) fn broken(value: &Node<'_>, schema: &Value, language: Language, secret: bool) -> Option<String> {
    let count = |key: &str| keyword(schema, key).and_then(Value::as_u64);
    if let Some(wanted) = keyword(schema, "const")
        && !value.equals(wanted)
    {
        return Some(language.pick(|| format!("be {wanted}"), || format!("必须是 {wanted}")));
    }
    if let Some(excluded) = keyword(schema, "not").and_then(|not| keyword(not, "const"))
        && value.equals(excluded)
    {
        return Some(language.pick(|| format!("not be {excluded}"), || format!("不能是 {excluded}")));
    }
    match value {
        Node::Number(given) => number_broken(given, schema, language),
        Node::Text(text) => {
            let bounds = (count("minLength"), count("maxLength"));
            if let Some(words) =
                outside(length(text.chars().count()), bounds, ("character", "个字符"), language, secret)
            {
                return Some(words);
            }
            if let Some(words) = formats::missed(text, schema, language) {
                return Some(words);
            }
            let pattern = keyword(schema, "pattern").and_then(Value::as_str)?;
            let matches = matcher(pattern).is_none_or(|matcher| matcher.is_match(text));
            (!matches)
                .then(|| language.pick(|| format!("match the pattern {pattern}"), || format!("必须匹配模式 {pattern}")))
        }
        Node::List(items) => {
            let bounds = (count("minItems"), count("maxItems"));
            outside(length(items.len()), bounds, ("item", "项"), language, secret)
        }
        Node::Object(entries) => {
            let bounds = (count("minProperties"), count("maxProperties"));
            outside(length(entries.len()), bounds, ("entry", "个条目"), language, secret)
        }
        Node::Null | Node::Bool(_) => None,
    }
}

/// Whether a list that must not holds two items that are the same.
pub(super) fn holds_one_twice(items: &[Node<'_>], schema: &Value) -> bool {
    let unique = keyword(schema, "uniqueItems") == Some(&Value::Bool(true));
    let mut seen = HashSet::new();
    unique && !items.iter().all(|item| seen.insert(item.canonical()))
}

fn number_broken(given: &str, schema: &Value, language: Language) -> Option<String> {
    if !is_finite_number(given) {
        return Some(language.pick(|| "be a finite number".to_owned(), || "必须是有限的数".to_owned()));
    }
    let single = keyword(schema, "format").and_then(Value::as_str) == Some("float");
    if single && given.parse::<f64>().is_ok_and(|given| given.abs() > f64::from(f32::MAX)) {
        let most = f32::MAX;
        return Some(
            language.pick(|| format!("be from -{most:e} to {most:e}"), || format!("必须在 -{most:e} 到 {most:e} 之间")),
        );
    }
    let natural = keyword(schema, "format").and_then(Value::as_str).and_then(range_of).filter(|_| is_integer(given));
    let bound = |key: &str| keyword(schema, key).filter(|bound| bound.is_number()).map(Value::to_string);
    let beyond = |bound: Option<String>, allowed: &[Ordering]| {
        bound.filter(|bound| !compare(given, bound).is_some_and(|order| allowed.contains(&order)))
    };
    let least = bound("minimum").or(natural.as_ref().map(|(least, _)| least.clone()));
    let most = bound("maximum").or(natural.map(|(_, most)| most));
    match (&least, &most) {
        (Some(least), Some(most))
            if beyond(Some(least.clone()), &[Ordering::Greater, Ordering::Equal]).is_some()
                || beyond(Some(most.clone()), &[Ordering::Less, Ordering::Equal]).is_some() =>
        {
            return Some(
                language.pick(|| format!("be from {least} to {most}"), || format!("必须在 {least} 到 {most} 之间")),
            );
        }
        _ => {}
    }
    if let Some(bound) = beyond(least, &[Ordering::Greater, Ordering::Equal]) {
        return Some(language.pick(|| format!("be at least {bound}"), || format!("不能小于 {bound}")));
    }
    if let Some(bound) = beyond(most, &[Ordering::Less, Ordering::Equal]) {
        return Some(language.pick(|| format!("be at most {bound}"), || format!("不能大于 {bound}")));
    }
    if let Some(bound) = beyond(bound("exclusiveMinimum"), &[Ordering::Greater]) {
        return Some(language.pick(|| format!("be more than {bound}"), || format!("必须大于 {bound}")));
    }
    if let Some(bound) = beyond(bound("exclusiveMaximum"), &[Ordering::Less]) {
        return Some(language.pick(|| format!("be less than {bound}"), || format!("必须小于 {bound}")));
    }
    let step = bound("multipleOf")?;
    (!is_multiple(given, &step))
        .then(|| language.pick(|| format!("be a multiple of {step}"), || format!("必须是 {step} 的倍数")))
}

fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// What the schema says of keys of this form.
pub(super) fn pattern_for<'s>(schema: &'s Value, key: &str) -> Option<&'s Value> {
    let patterns = keyword(schema, "patternProperties")?.as_object()?;
    let matches = |pattern: &str| matcher(pattern).is_none_or(|matcher| matcher.is_match(key));
    patterns.iter().find(|(pattern, _)| matches(pattern)).map(|(_, schema)| schema)
}

fn outside(
    length: u64,
    (least, most): (Option<u64>, Option<u64>),
    (unit, chinese): (&str, &str),
    language: Language,
    secret: bool,
) -> Option<String> {
    if least.is_none_or(|least| length >= least) && most.is_none_or(|most| length <= most) {
        return None;
    }
    let has = if secret {
        String::new()
    } else {
        language.pick(|| format!(" and has {length}"), || format!("，现有 {length}"))
    };
    let units = |number: u64| match (number, unit) {
        (1, unit) => format!("1 {unit}"),
        (number, "entry") => format!("{number} entries"),
        (number, unit) => format!("{number} {unit}s"),
    };
    if let Some(least) = least.filter(|least| length < *least) {
        return Some(
            language
                .pick(|| format!("have at least {}{has}", units(least)), || format!("至少要有 {least} {chinese}{has}")),
        );
    }
    let most = most.filter(|most| length > *most)?;
    Some(language.pick(|| format!("have at most {}{has}", units(most)), || format!("最多只能有 {most} {chinese}{has}")))
}

/// The compiled form of a pattern of a schema. One that this engine cannot compile limits nothing here.
fn matcher(pattern: &str) -> Option<Arc<Matcher>> {
    static COMPILED: LazyLock<Mutex<HashMap<String, Option<Arc<Matcher>>>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return known.clone();
    }
    let matcher = Matcher::of(pattern).ok().map(Arc::new);
    compiled.insert(pattern.to_owned(), matcher.clone());
    matcher
}
