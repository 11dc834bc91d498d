//! One walk over value and schema: repairs what has one reading, and collects everything that is wrong.

use serde_json::{Map, Number, Value};

use super::read::note;
use super::{Reading, Refusal, SECRET, nearest, parameter, same_key, shown};
use crate::call::{Repair, RepairKind};
use crate::schema::resolve;
use crate::tool::ToolSpec;

mod describe;
mod limits;

/// Arguments in which the walk found nothing wrong.
pub(super) struct Checked {
    pub(super) value: Value,
    pub(super) repairs: Vec<Repair>,
}

struct Walk<'a> {
    root: &'a Value,
    reading: Reading,
    repairs: Vec<Repair>,
    problems: Vec<String>,
    /// Whether the value in hand must not be shown.
    secret: bool,
}

/// Checks arguments against the schema of their tool.
///
/// # Errors
/// Every problem.
pub(super) fn check(spec: &ToolSpec, value: Value, reading: Reading, repairs: Vec<Repair>) -> Result<Checked, Refusal> {
    let root = spec.input_schema();
    let mut walk = Walk { root, reading, repairs, problems: Vec::new(), secret: false };
    let Value::Object(object) = value else {
        let got = describe::kind(&value, reading.language);
        let problem = reading.language.pick(
            || format!("the arguments must be one JSON object, and {got} came"),
            || format!("参数必须是单个 JSON 对象，收到的是{got}"),
        );
        return Err(Refusal { problems: vec![problem], expected: super::required(spec) });
    };
    let mut object = walk.keys(object, spec.params().iter().map(|param| param.name).collect(), "");
    let mut concerned = Vec::new();
    for param in spec.params() {
        let before = walk.problems.len();
        let schema = &root["properties"][param.name];
        walk.secret = param.secret;
        match object.remove(param.name) {
            // An optional parameter of the model's without a value is one that it leaves out.
            Some(Value::Null) if !param.is_required() && !param.is_optional() && reading.repairs() => {
                walk.repairs.push(note(param.name, "null", "", RepairKind::Value));
            }
            Some(value) => {
                let value = walk.value(value, schema, param.name);
                object.insert(param.name.to_owned(), value);
            }
            None if param.is_required() => walk.missing(param.name, schema),
            None => {}
        }
        if walk.problems.len() > before {
            concerned.push(param.name.to_owned());
        }
    }
    for key in object.keys().filter(|key| parameter(spec, key).is_none()) {
        walk.unknown(key, spec.params().iter().map(|param| param.name), "");
    }
    if walk.problems.is_empty() {
        Ok(Checked { value: Value::Object(object), repairs: walk.repairs })
    } else {
        Err(Refusal { problems: walk.problems, expected: concerned })
    }
}

impl Walk<'_> {
    /// A value as messages show it.
    fn shown(&self, value: &Value) -> String {
        if self.secret { SECRET.to_owned() } else { shown(value) }
    }

    fn repaired_value(&mut self, path: &str, from: &Value, to: &Value) {
        let repair = note(path, &self.shown(from), &self.shown(to), RepairKind::Value);
        self.repairs.push(repair);
    }

    /// The object with every key that names a property in another spelling under the property's own name.
    fn keys(&mut self, object: Map<String, Value>, names: Vec<&str>, path: &str) -> Map<String, Value> {
        if !self.reading.repairs() || object.keys().all(|key| names.contains(&key.as_str())) {
            return object;
        }
        let mut renamed = Map::new();
        for (key, value) in &object {
            let mut candidates = names.iter().filter(|name| same_key(name, key));
            let target = match (candidates.next(), candidates.next()) {
                (Some(only), None) if !names.contains(&key.as_str()) && !object.contains_key(*only) => *only,
                _ => key,
            };
            if target != key && !renamed.contains_key(target) {
                self.repairs.push(note(&join(path, target), key, target, RepairKind::Key));
                renamed.insert(target.to_owned(), value.clone());
            } else {
                renamed.insert(key.clone(), value.clone());
            }
        }
        renamed
    }

    /// The value as its schema wants it, where there is one reading of it.
    fn value(&mut self, value: Value, schema: &Value, path: &str) -> Value {
        let schema = resolve(self.root, schema);
        if let Some(branches) = branches(schema) {
            return self.union(value, branches, schema, path);
        }
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => return value,
        };
        let value = match self.repaired(&value, &types) {
            Some(repaired) => {
                self.repaired_value(path, &value, &repaired);
                repaired
            }
            None => value,
        };
        if !types.iter().any(|name| describe::is_of_type(&value, name)) {
            self.wrong(&value, schema, path);
            return value;
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
            return self.choice(value, allowed, schema, path);
        }
        if let Some(broken) = limits::broken(&value, schema, self.reading.language) {
            let got = self.shown(&value);
            self.problems.push(self.reading.language.pick(
                || format!("`{path}` must {broken}; {got} came"),
                || format!("`{path}` {broken}，收到的是 {got}"),
            ));
            return value;
        }
        match value {
            Value::Object(object) => Value::Object(self.object(object, schema, path)),
            Value::Array(items) => match schema.get("items") {
                Some(item) => Value::Array(
                    items.into_iter().enumerate().map(|(i, v)| self.value(v, item, &format!("{path}[{i}]"))).collect(),
                ),
                None => Value::Array(items),
            },
            scalar => scalar,
        }
    }

    fn object(&mut self, object: Map<String, Value>, schema: &Value, path: &str) -> Map<String, Value> {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return object };
        let mut object = self.keys(object, properties.keys().map(String::as_str).collect(), path);
        for (name, property) in properties {
            if let Some(value) = object.get_mut(name) {
                *value = self.value(value.take(), property, &join(path, name));
            } else if describe::requires(schema, name) {
                self.missing(&join(path, name), property);
            }
        }
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            for key in object.keys().filter(|key| !properties.contains_key(*key)) {
                self.unknown(key, properties.keys().map(String::as_str), path);
            }
        }
        object
    }

    /// A value of one of several schemas: left alone where one takes it, repaired where one alone can be meant.
    fn union(&mut self, value: Value, branches: &[Value], schema: &Value, path: &str) -> Value {
        let mut found = Vec::new();
        for branch in branches {
            let mut attempt = Walk { repairs: Vec::new(), problems: Vec::new(), ..*self };
            let taken = attempt.value(value.clone(), branch, path);
            if attempt.problems.is_empty() {
                found.push((attempt.repairs, taken));
            }
        }
        if found.iter().any(|(repairs, _)| repairs.is_empty()) {
            return value;
        }
        if found.len() == 1
            && let Some((repairs, taken)) = found.pop()
        {
            self.repairs.extend(repairs);
            return taken;
        }
        self.wrong(&value, schema, path);
        value
    }

    /// One of the listed values, also in another spelling where only one can be meant.
    fn choice(&mut self, value: Value, allowed: &[Value], schema: &Value, path: &str) -> Value {
        if allowed.contains(&value) {
            return value;
        }
        if let Some(written) = value.as_str().filter(|_| self.reading.repairs()) {
            let mut candidates = allowed.iter().filter(|one| one.as_str().is_some_and(|one| same_key(one, written)));
            if let (Some(only), None) = (candidates.next(), candidates.next()) {
                self.repaired_value(path, &value, only);
                return only.clone();
            }
        }
        self.wrong(&value, schema, path);
        value
    }

    /// The one value of the wanted types that a value of another type writes out, where there is one.
    fn repaired(&self, value: &Value, types: &[&str]) -> Option<Value> {
        if !self.reading.repairs() || types.iter().any(|name| describe::is_of_type(value, name)) {
            return None;
        }
        let wants = |name: &str| types.contains(&name);
        match value {
            Value::String(text) => {
                let text = text.trim();
                if wants("integer")
                    && let Some(number) = integer(text)
                {
                    return Some(number);
                }
                if wants("number")
                    && let Ok(number) = text.parse::<Number>()
                {
                    return Some(Value::Number(number));
                }
                if wants("boolean") && text.eq_ignore_ascii_case("true") {
                    return Some(Value::Bool(true));
                }
                if wants("boolean") && text.eq_ignore_ascii_case("false") {
                    return Some(Value::Bool(false));
                }
                let inner: Option<Value> = serde_json::from_str(text).ok();
                inner.filter(|inner| match inner {
                    Value::Object(_) => wants("object"),
                    Value::Array(_) => wants("array"),
                    _ => false,
                })
            }
            Value::Number(number) if wants("integer") => integer(&number.to_string()),
            _ => None,
        }
    }

    fn wrong(&mut self, value: &Value, schema: &Value, path: &str) {
        let language = self.reading.language;
        let got = describe::kind(value, language);
        let want = describe::schema(self.root, schema, language);
        let near = match (value, schema.get("enum").and_then(Value::as_array)) {
            (Value::String(text), Some(all)) => nearest(text, all.iter().filter_map(Value::as_str)),
            _ => None,
        };
        let mut problem = language.pick(
            || format!("`{path}` must be {want}; {got} came: {}", self.shown(value)),
            || format!("`{path}` 必须是{want}，收到的是{got}：{}", self.shown(value)),
        );
        if let Some(near) = near {
            problem += &language.pick(|| format!("; the nearest is \"{near}\""), || format!("；最接近的是 \"{near}\""));
        }
        self.problems.push(problem);
    }

    fn missing(&mut self, path: &str, schema: &Value) {
        let language = self.reading.language;
        let want = describe::schema(self.root, schema, language);
        self.problems.push(
            language
                .pick(|| format!("`{path}` is missing: it must be {want}"), || format!("缺少 `{path}`：应为{want}")),
        );
    }

    fn unknown<'n>(&mut self, key: &str, names: impl Iterator<Item = &'n str> + Clone, path: &str) {
        let language = self.reading.language;
        let name = join(path, &super::shorten(key, 64));
        let mut problem =
            language.pick(|| format!("there is no parameter `{name}`"), || format!("没有名为 `{name}` 的参数"));
        if let Some(near) = nearest(key, names.clone()) {
            problem += &language.pick(|| format!("; did you mean `{near}`?"), || format!("；您是不是想用 `{near}`？"));
        } else {
            let all: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            problem += &if all.is_empty() {
                language.pick(|| "; the tool takes none".to_owned(), || "；该工具不接受参数".to_owned())
            } else {
                let all = all.join(", ");
                language.pick(|| format!("; the parameters are {all}"), || format!("；可用的参数有 {all}"))
            };
        }
        self.problems.push(problem);
    }
}

fn branches(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key)?.as_array()).map(Vec::as_slice)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The integer that a text writes out without a loss: `2`, `2.0`, `2e0`, `-0`; never through a float.
fn integer(text: &str) -> Option<Value> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<u32>().ok().filter(|exponent| *exponent <= 40)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !plain(digits) || !plain(fraction) || mantissa.ends_with('.') {
        return None;
    }
    // `007` is more likely a code than a number.
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let shift = usize::try_from(exponent).ok()?;
    if fraction.len() > shift {
        return None;
    }
    let mut all = format!("{whole}{fraction}");
    all.extend(std::iter::repeat_n('0', shift - fraction.len()));
    let number: i128 = all.parse().ok()?;
    if let Ok(small) = i64::try_from(number) {
        return Some(small.into());
    }
    u64::try_from(number).ok().map(Value::from)
}
