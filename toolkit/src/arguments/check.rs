//! One walk over value and schema: repairs what has one reading, and collects everything that is wrong.

mod describe;
mod limits;
mod union;

use serde_json::Value;

use super::node::Node;
use super::number::{integer, is_finite_number};
use super::read::{inside, note, whole_note};
use super::{Reading, Refusal, Repaired, SECRET, nearest, parameter, same_key, shorten, shown};
use crate::call::{Repair, RepairKind};
use crate::schema::resolve;
use crate::tool::ToolSpec;

#[derive(Clone)]
struct Walk<'a> {
    root: &'a Value,
    reading: Reading,
    repairs: Vec<Repair>,
    problems: Vec<String>,
    /// Keys inside of a value that its schema does not know. A type may know them by another name.
    unknown: Vec<String>,
    /// Whether the value in hand must not be shown.
    secret: bool,
    /// Inside one of several schemas, where a key that is not known decides which of them is meant.
    in_union: bool,
}

/// Checks arguments against the schema of their tool.
///
/// # Errors
/// Every problem.
pub(super) fn check(spec: &ToolSpec, value: Node, reading: Reading, repairs: Vec<Repair>) -> Result<Repaired, Refusal> {
    let root = spec.input_schema();
    let mut walk = Walk { root, reading, repairs, problems: vec![], unknown: vec![], secret: false, in_union: false };
    let value = walk.unwrapped(value, spec);
    let Node::Object(entries) = value else {
        let got = describe::kind(&value, reading.language);
        let problem = reading.language.pick(
            || format!("the arguments must be one JSON object, and {got} came"),
            || format!("参数必须是单个 JSON 对象，收到的是{got}"),
        );
        return Err(Refusal { problems: vec![problem], expected: super::required(spec), cut_off: false });
    };
    let names: Vec<&str> = spec.params().iter().map(|param| param.name).collect();
    let mut entries = walk.keys(entries, &names, "");
    let mut concerned = Vec::new();
    for param in spec.params() {
        let (problems, unknown) = (walk.problems.len(), walk.unknown.len());
        let schema = &root["properties"][param.name];
        walk.secret = param.secret;
        let place = entries.iter().position(|(key, _)| key == param.name);
        match place {
            None if param.is_required() => walk.missing(param.name, schema),
            None => {}
            Some(place) => {
                let (_, value) = entries.remove(place);
                if !param.is_required() && walk.means_absent(&value, schema, param.is_optional()) {
                    walk.repaired_value(param.name, &value, None);
                } else {
                    let value = walk.value(value, schema, param.name);
                    entries.insert(place, (param.name.to_owned(), value));
                }
            }
        }
        if walk.problems.len() > problems || walk.unknown.len() > unknown {
            concerned.push(param.name.to_owned());
        }
    }
    for (key, _) in entries.iter().filter(|(key, _)| parameter(spec, key).is_none()) {
        let problem = walk.unknown_key(key, &names, "");
        walk.problems.push(problem);
    }
    if walk.problems.is_empty() {
        let text = Node::Object(entries).to_string();
        let invalid = spec.invalid(&text);
        if !invalid.is_empty() {
            return Err(walk.invalid(invalid));
        }
        Ok(Repaired { text, repairs: walk.repairs, unknown: walk.unknown, concerned })
    } else {
        walk.problems.extend(walk.unknown);
        Err(Refusal { problems: walk.problems, expected: concerned, cut_off: false })
    }
}

impl Walk<'_> {
    /// The object inside of wrappings that the schema does not know: one of the usual names as the sole key, or the whole
    /// call instead of its arguments. At most three of them.
    fn unwrapped(&mut self, mut value: Node, spec: &ToolSpec) -> Node {
        const WRAPPERS: [&str; 7] = ["input", "arguments", "parameters", "args", "kwargs", "params", "properties"];
        for _ in 0..3 {
            let Node::Object(entries) = &value else { break };
            let inner = match entries.as_slice() {
                _ if !self.reading.repairs() => None,
                [(key, inner)] if WRAPPERS.contains(&key.as_str()) && parameter(spec, key).is_none() => Some(inner),
                [(a, name), (b, inner)] | [(b, inner), (a, name)]
                    if a == "name"
                        && WRAPPERS.contains(&b.as_str())
                        && parameter(spec, a).is_none()
                        && parameter(spec, b).is_none()
                        && matches!(name, Node::Text(name) if name == spec.name()) =>
                {
                    Some(inner)
                }
                _ => None,
            };
            let inner = match inner {
                Some(object @ Node::Object(_)) => object.clone(),
                Some(Node::Text(text)) => match inside(text, '{') {
                    Some(object) => object,
                    None => break,
                },
                _ => break,
            };
            self.repairs.push(whole_note(&value.to_string(), &inner.to_string(), self.reading));
            value = inner;
        }
        value
    }

    /// What a validator of JSON Schema says, in the form of our own problems.
    fn invalid(&self, problems: Vec<(String, String)>) -> Refusal {
        let mut refusal = Refusal::default();
        for (pointer, reason) in problems {
            let mut steps = pointer.split('/').skip(1);
            let name = steps.next().unwrap_or_default().to_owned();
            let path = steps.fold(name.clone(), |path, step| match step.parse::<usize>() {
                Ok(index) => format!("{path}[{index}]"),
                Err(_) => join(&path, step),
            });
            refusal
                .problems
                .push(self.reading.language.pick(|| format!("`{path}`: {reason}"), || format!("`{path}`：{reason}")));
            if !refusal.expected.contains(&name) {
                refusal.expected.push(name);
            }
        }
        refusal
    }

    /// A value as messages show it.
    fn shown(&self, value: &Node) -> String {
        if self.secret { SECRET.to_owned() } else { shown(value) }
    }

    fn repaired_value(&mut self, path: &str, from: &Node, to: Option<&Node>) {
        let to = to.map_or_else(String::new, |to| self.shown(to));
        self.repairs.push(note(path, &self.shown(from), &to, RepairKind::Value));
    }

    /// Whether a value says that it is left out: `null`, where the schema has no use for it, or an empty text where
    /// something else is asked for.
    fn means_absent(&self, value: &Node, schema: &Value, takes_null: bool) -> bool {
        self.reading.repairs()
            && match value {
                Node::Null => !takes_null,
                Node::Text(text) => {
                    let types = types(resolve(self.root, schema));
                    text.is_empty()
                        && !types.is_empty()
                        && !types.iter().any(|name| matches!(*name, "string" | "array"))
                }
                _ => false,
            }
    }

    /// The entries with every key that names a property in another spelling under the property's own name.
    fn keys(&mut self, entries: Vec<(String, Node)>, names: &[&str], path: &str) -> Vec<(String, Node)> {
        if !self.reading.repairs() || entries.iter().all(|(key, _)| names.contains(&key.as_str())) {
            return entries;
        }
        let given: Vec<String> = entries.iter().map(|(key, _)| key.clone()).collect();
        let target = |key: &str| {
            let mut candidates = names.iter().filter(|name| same_key(name, key));
            let (only, None) = (candidates.next()?, candidates.next()) else { return None };
            let spellings = given.iter().filter(|other| same_key(other, only)).count();
            (spellings == 1 && key != *only).then(|| (*only).to_owned())
        };
        let mut renamed = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match target(&key) {
                Some(name) => {
                    self.repairs.push(note(&join(path, &name), &key, &name, RepairKind::Key));
                    renamed.push((name, value));
                }
                None => renamed.push((key, value)),
            }
        }
        renamed
    }

    /// The value as its schema wants it, where there is one reading of it.
    fn value(&mut self, value: Node, schema: &Value, path: &str) -> Node {
        let schema = resolve(self.root, schema);
        if let Some(branches) = branches(schema) {
            return self.union(value, branches, schema, path);
        }
        let types = types(schema);
        let value = match self.repaired(&value, &types) {
            Some(repaired) => {
                self.repaired_value(path, &value, Some(&repaired));
                repaired
            }
            None => value,
        };
        if !types.is_empty() && !types.iter().any(|name| value.is_of_type(name)) {
            self.wrong(&value, schema, path);
            return value;
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
            return self.choice(value, &allowed.iter().collect::<Vec<_>>(), schema, path);
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
            Node::Object(entries) => Node::Object(self.object(entries, schema, path)),
            Node::List(items) => Node::List(self.list(items, schema, path)),
            scalar => scalar,
        }
    }

    fn list(&mut self, items: Vec<Node>, schema: &Value, path: &str) -> Vec<Node> {
        let places = schema.get("prefixItems").and_then(Value::as_array);
        let rest = schema.get("items");
        let check = |(index, item)| match places.and_then(|places| places.get(index)).or(rest) {
            Some(schema) => self.value(item, schema, &format!("{path}[{index}]")),
            None => item,
        };
        items.into_iter().enumerate().map(check).collect()
    }

    fn object(&mut self, entries: Vec<(String, Node)>, schema: &Value, path: &str) -> Vec<(String, Node)> {
        let none = serde_json::Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let mut entries = if names.is_empty() { entries } else { self.keys(entries, &names, path) };
        let others = schema.get("additionalProperties");
        let mut kept = Vec::with_capacity(entries.len());
        let mut strangers = false;
        for (key, value) in entries.drain(..) {
            let path = join(path, &shorten(&key, 64));
            match properties.get(&key) {
                Some(property) => {
                    let required = describe::requires(schema, &key);
                    let takes_null = describe::takes_null(self.root, property);
                    if !required && self.means_absent(&value, property, takes_null) {
                        self.repaired_value(&path, &value, None);
                    } else {
                        let value = self.value(value, property, &path);
                        kept.push((key, value));
                    }
                }
                None => {
                    let value = match others {
                        Some(Value::Bool(false)) if !limits::has_pattern_for(schema, &key) => {
                            strangers = true;
                            value
                        }
                        Some(schema @ Value::Object(_)) => self.value(value, schema, &path),
                        _ => value,
                    };
                    kept.push((key, value));
                }
            }
        }
        let unknown: Vec<String> = if strangers {
            let strange = |key: &str| !properties.contains_key(key) && !limits::has_pattern_for(schema, key);
            kept.iter().filter(|(key, _)| strange(key)).map(|(key, _)| self.unknown_key(key, &names, path)).collect()
        } else {
            Vec::new()
        };
        let mut missing = Vec::new();
        for (name, property) in properties {
            if describe::requires(schema, name) && !kept.iter().any(|(key, _)| key == name) {
                missing.push((join(path, name), property));
            }
        }
        // Beside a stranger, what is missing may be there under another name that the type knows.
        let soft = strangers && !self.in_union;
        for (path, property) in missing {
            let problem = self.missing_words(&path, property);
            if soft { self.unknown.push(problem) } else { self.problems.push(problem) }
        }
        if soft {
            self.unknown.extend(unknown)
        } else {
            self.problems.extend(unknown)
        }
        kept
    }

    /// One of the listed values, also in another spelling where only one can be meant.
    fn choice(&mut self, value: Node, allowed: &[&Value], schema: &Value, path: &str) -> Node {
        if allowed.iter().any(|one| value.equals(one)) {
            return value;
        }
        if let (Node::Text(written), true) = (&value, self.reading.repairs()) {
            let mut candidates = allowed.iter().filter_map(|one| one.as_str()).filter(|one| same_key(one, written));
            if let (Some(only), None) = (candidates.next(), candidates.next()) {
                let meant = Node::Text(only.to_owned());
                self.repaired_value(path, &value, Some(&meant));
                return meant;
            }
        }
        self.wrong(&value, schema, path);
        value
    }

    /// The one value of the wanted types that a value of another type writes out, where there is one.
    fn repaired(&self, value: &Node, types: &[&str]) -> Option<Node> {
        if !self.reading.repairs() || types.iter().any(|name| value.is_of_type(name)) {
            return None;
        }
        let wants = |name: &str| types.contains(&name);
        match value {
            Node::Text(text) => {
                let trimmed = text.trim();
                if wants("integer")
                    && let Some(number) = integer(trimmed)
                {
                    return Some(Node::Number(number));
                }
                if wants("number") && is_finite_number(trimmed) {
                    return Some(Node::Number(trimmed.to_owned()));
                }
                if wants("boolean") && trimmed.eq_ignore_ascii_case("true") {
                    return Some(Node::Bool(true));
                }
                if wants("boolean") && trimmed.eq_ignore_ascii_case("false") {
                    return Some(Node::Bool(false));
                }
                if wants("array") {
                    let empty = text.is_empty().then(|| Node::List(Vec::new()));
                    return empty.or_else(|| inside(text, '['));
                }
                if wants("object") { inside(text, '{') } else { None }
            }
            Node::Number(text) if wants("integer") => integer(text).map(Node::Number),
            _ => None,
        }
    }

    fn wrong(&mut self, value: &Node, schema: &Value, path: &str) {
        let language = self.reading.language;
        let got = describe::kind(value, language);
        let want = describe::schema(self.root, schema, language);
        let allowed = describe::allowed(schema);
        let near = match value {
            Node::Text(text) if !self.secret => nearest(text, allowed.iter().filter_map(|one| one.as_str())),
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
        let problem = self.missing_words(path, schema);
        self.problems.push(problem);
    }

    fn missing_words(&self, path: &str, schema: &Value) -> String {
        let language = self.reading.language;
        let want = describe::schema(self.root, schema, language);
        language.pick(|| format!("`{path}` is missing: it must be {want}"), || format!("缺少 `{path}`：应为{want}"))
    }

    fn unknown_key(&self, key: &str, names: &[&str], path: &str) -> String {
        let language = self.reading.language;
        let name = join(path, &shorten(key, 64));
        let mut problem =
            language.pick(|| format!("there is no parameter `{name}`"), || format!("没有名为 `{name}` 的参数"));
        if let Some(near) = nearest(key, names.iter().copied()) {
            problem += &language.pick(|| format!("; did you mean `{near}`?"), || format!("；您是不是想用 `{near}`？"));
        } else {
            let all: Vec<String> = names.iter().take(30).map(|name| format!("`{name}`")).collect();
            problem += &if all.is_empty() {
                language.pick(|| "; none is taken here".to_owned(), || "；此处不接受参数".to_owned())
            } else {
                let all = all.join(", ");
                language.pick(|| format!("; the parameters are {all}"), || format!("；可用的参数有 {all}"))
            };
        }
        problem
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn branches(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key)?.as_array()).map(Vec::as_slice)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
