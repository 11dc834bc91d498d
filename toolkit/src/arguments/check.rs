//! One walk over value and schema: repairs what has one reading, and collects everything that is wrong.

mod describe;
mod fits;
mod formats;
mod limits;
mod object;
mod path;
mod plain;
mod report;
mod union;
mod unwrap;

use serde_json::Value;

pub(crate) use self::formats::is_checked_here;
use self::path::Path;
use super::node::{Entries, Node};
use super::number::{integer, is_finite_number};
use super::read::inside;
use super::{Reading, Refusal, parameter, same_key};
use crate::call::Repair;
use crate::schema::{keyword, resolve};
use crate::tool::ToolSpec;

/// What the walk made of the arguments.
pub(super) struct Checked<'t> {
    pub(super) node: Node<'t>,
    pub(super) repairs: Vec<Repair>,
    pub(super) problems: Vec<String>,
    /// Keys that no schema has, and what is missing beside them. A type may know them by another name.
    pub(super) strangers: Vec<Stranger>,
    /// Values that a schema does not list. A type may know them by another name.
    pub(super) unlisted: Vec<String>,
    /// The parameters that the problems are about.
    pub(super) concerned: Vec<String>,
}

/// A key that the schema of its object does not have; without a key, one that is missing beside it.
pub(super) struct Stranger {
    /// The way to the object.
    pub(super) place: Vec<usize>,
    pub(super) key: Option<String>,
    /// Which schema that is.
    pub(super) of: usize,
    pub(super) words: String,
}

/// What the value in hand is a part of.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Nothing in particular.
    Plain,
    /// An alternative that serde reads from a buffer, where nobody can see what it makes of a value.
    Buffered,
    /// One of several schemas that nothing names: what is wrong decides which of them is meant, and is not told.
    Tried,
}

struct Walk<'a> {
    root: &'a Value,
    reading: Reading,
    repairs: Vec<Repair>,
    problems: Vec<String>,
    strangers: Vec<Stranger>,
    unlisted: Vec<String>,
    /// Where the value in hand stands.
    place: Vec<usize>,
    /// How many entries of the same object are walked elsewhere.
    offset: usize,
    /// How deep the value in hand stands, texts that hold JSON included.
    depth: usize,
    /// What may still be done: alternatives in alternatives can be tried in more ways than there is time.
    steps: usize,
    /// Whether the value in hand must not be shown.
    secret: bool,
    /// The arguments of which that holds, where the tool is made at run time.
    secrets: &'a [String],
    within: Within,
    /// The object in hand stands beside properties that are checked elsewhere, and takes no others than its own.
    flat: bool,
}

/// Checks arguments against the schema of their tool.
///
/// # Errors
/// They are no object, or more than can be checked.
pub(super) fn check<'t>(
    spec: &ToolSpec,
    value: Node<'t>,
    reading: Reading,
    repairs: Vec<Repair>,
) -> Result<Checked<'t>, Refusal> {
    let secrets = spec.dynamic().map_or(&[][..], |dynamic| &dynamic.secrets);
    let mut walk = Walk {
        root: spec.input_schema(),
        reading,
        repairs,
        problems: vec![],
        strangers: vec![],
        unlisted: vec![],
        place: vec![],
        offset: 0,
        depth: 1,
        // Far more than a value takes that is read in one way, and less than a tenth of a second.
        steps: 1_000_000 + 8 * value.size(usize::MAX),
        secret: !secrets.is_empty(),
        secrets,
        within: Within::Plain,
        flat: false,
    };
    let value = walk.unwrapped(value, spec);
    let Node::Object(entries) = value else {
        let got = describe::kind(&value, reading.language);
        let problem = reading.language.pick(
            || format!("the arguments must be one JSON object, and {got} came"),
            || format!("参数必须是单个 JSON 对象，收到的是{got}"),
        );
        return Err(Refusal { problems: vec![problem], expected: super::required(spec), cut_off: false });
    };
    // A tool that has a schema and no parameters of its own is held beside the whole of it.
    let (node, concerned) = if spec.dynamic().is_some() {
        (walk.value(Node::Object(entries), spec.input_schema(), &Path::Root), Vec::new())
    } else {
        let (entries, concerned) = walk.parameters(entries, spec);
        (Node::Object(entries), concerned)
    };
    if walk.steps == 0 || !walk.is_read_in_time(&node, spec) {
        let problem = reading.language.pick(
            || "the arguments are too deeply nested to be told apart; send simpler ones".to_owned(),
            || "参数嵌套过于复杂，无法判别；请发送更简单的参数".to_owned(),
        );
        return Err(Refusal { problems: vec![problem], expected: Vec::new(), cut_off: false });
    }
    let Walk { repairs, problems, strangers, unlisted, .. } = walk;
    Ok(Checked { node, repairs, problems, strangers, unlisted, concerned })
}

impl Walk<'_> {
    /// The arguments with every parameter checked, and the parameters that something is wrong with.
    fn parameters<'t>(&mut self, entries: Entries<'t>, spec: &ToolSpec) -> (Entries<'t>, Vec<String>) {
        let properties = keyword(self.root, "properties").unwrap_or(&Value::Null);
        let names: Vec<&str> = spec.params().iter().map(|param| param.name).collect();
        let mut entries = self.keys(entries, &names, &Path::Root);
        let mut concerned = Vec::new();
        // First what is left out, so that the places of the others stay.
        for param in spec.params().iter().filter(|param| !param.is_required()) {
            self.secret = param.secret;
            let schema = &properties[param.name];
            if let Some(at) = entries.iter().position(|(key, _)| key == param.name)
                && self.means_absent(&entries[at].1, schema, || param.is_optional())
            {
                let (_, value) = entries.remove(at);
                self.note_value(&Path::Key(&Path::Root, param.name), &value, None);
            }
        }
        for param in spec.params() {
            let found = |walk: &Self| walk.problems.len() + walk.strangers.len() + walk.unlisted.len();
            let before = found(self);
            let schema = &properties[param.name];
            let path = Path::Key(&Path::Root, param.name);
            self.secret = param.secret;
            match entries.iter().position(|(key, _)| key == param.name) {
                None if param.is_required() => self.missing(&path, schema),
                None => {}
                Some(at) => {
                    let value = std::mem::replace(&mut entries[at].1, Node::Null);
                    self.place.push(at);
                    entries[at].1 = self.value(value, schema, &path);
                    self.place.pop();
                }
            }
            if found(self) > before {
                concerned.push(param.name.to_owned());
            }
        }
        self.secret = false;
        for (key, _) in entries.iter().filter(|(key, _)| parameter(spec, key).is_none()) {
            self.problem(|walk| walk.unknown_key(key, &names, &Path::Root));
        }
        (entries, concerned)
    }

    /// Whether a type can be trusted to read the repaired value before long: serde tries the alternatives of its own
    /// accord, one in another, as the check here does.
    fn is_read_in_time(&mut self, node: &Node<'_>, spec: &ToolSpec) -> bool {
        if self.repairs.is_empty() || !self.problems.is_empty() || !spec.is_recursive() {
            return true;
        }
        let properties = &self.root["properties"];
        for (key, value) in node.entries() {
            self.fits(value, &properties[&**key]);
        }
        self.steps > 0
    }

    fn is_trying(&self) -> bool {
        self.within == Within::Tried
    }

    /// Takes so many steps; says whether there were enough.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// The value as its schema wants it, where there is one reading of it.
    fn value<'t>(&mut self, value: Node<'t>, schema: &Value, path: &Path<'_>) -> Node<'t> {
        if !self.spend(1) {
            return value;
        }
        self.depth += 1;
        let value = self.at_depth(value, schema, path);
        self.depth -= 1;
        value
    }

    fn at_depth<'t>(&mut self, value: Node<'t>, schema: &Value, path: &Path<'_>) -> Node<'t> {
        let schema = resolve(self.root, schema);
        if plain::takes(&value, schema) {
            return value;
        }
        if let Some(branches) = branches(schema) {
            return self.union(value, branches, schema, path);
        }
        let types = types(schema);
        let value = match self.repaired(&value, types) {
            Some(repaired) => {
                self.note_value(path, &value, Some(&repaired));
                repaired
            }
            None => value,
        };
        let nothing = *schema == Value::Bool(false);
        if nothing || (!types.is_empty() && !types.any(|name| value.is_of_type(name))) {
            self.wrong(&value, schema, path);
            return value;
        }
        if let Some(allowed) = keyword(schema, "enum").and_then(Value::as_array) {
            return self.choice(value, &allowed.iter().collect::<Vec<_>>(), schema, path);
        }
        if let Some(broken) = limits::broken(&value, schema, self.reading.language, self.secret) {
            self.breaks(&broken, &value, path);
            return value;
        }
        match value {
            Node::Object(entries) => Node::Object(self.object(entries, schema, path)),
            Node::List(items) => {
                let items = self.list(items, schema, path);
                // After the items are repaired: `["1", 1]` holds one number twice.
                if limits::holds_one_twice(&items, schema) {
                    let words = self.reading.language.pick(|| "not hold an item twice", || "不能包含重复的项");
                    self.breaks(words, &Node::List(Vec::new()), path);
                }
                Node::List(items)
            }
            scalar => scalar,
        }
    }

    fn list<'t>(&mut self, mut items: Vec<Node<'t>>, schema: &Value, path: &Path<'_>) -> Vec<Node<'t>> {
        let places = keyword(schema, "prefixItems").and_then(Value::as_array);
        let rest = keyword(schema, "items");
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(schema) = places.and_then(|places| places.get(index)).or(rest) {
                self.place.push(index);
                *item = self.value(std::mem::replace(item, Node::Null), schema, &Path::At(path, index));
                self.place.pop();
            }
        }
        items
    }

    /// One of the listed values, also in another spelling where only one can be meant.
    fn choice<'t>(&mut self, value: Node<'t>, allowed: &[&Value], schema: &Value, path: &Path<'_>) -> Node<'t> {
        if allowed.iter().any(|one| value.equals(one)) {
            return value;
        }
        if let Node::Text(written) = &value {
            let mut candidates = allowed.iter().filter_map(|one| one.as_str()).filter(|one| same_key(one, written));
            if let (Some(only), None, true) = (candidates.next(), candidates.next(), self.reading.repairs()) {
                let meant = Node::Text(only.to_owned().into());
                self.note_value(path, &value, Some(&meant));
                return meant;
            }
            if self.within == Within::Plain {
                self.unlisted.push(self.wrong_words(&value, schema, path));
                return value;
            }
        }
        self.wrong(&value, schema, path);
        value
    }

    /// The one value of the wanted types that a value of another type writes out, where there is one.
    fn repaired(&mut self, value: &Node<'_>, types: Types<'_>) -> Option<Node<'static>> {
        if !self.reading.repairs() || types.any(|name| value.is_of_type(name)) {
            return None;
        }
        let wants = |name: &str| types.contains(name);
        match value {
            Node::Text(text) => {
                let trimmed = text.trim();
                if wants("integer")
                    && let Some(number) = integer(trimmed)
                {
                    return Some(Node::Number(number.into()));
                }
                if wants("number") && is_finite_number(trimmed) {
                    return Some(Node::Number(trimmed.to_owned().into()));
                }
                if wants("boolean") && trimmed.eq_ignore_ascii_case("true") {
                    return Some(Node::Bool(true));
                }
                if wants("boolean") && trimmed.eq_ignore_ascii_case("false") {
                    return Some(Node::Bool(false));
                }
                self.spend(text.len() / 16);
                if wants("array") {
                    let empty = text.is_empty().then(|| Node::List(Vec::new()));
                    return empty.or_else(|| inside(text, '[', self.depth));
                }
                if wants("object") { inside(text, '{', self.depth) } else { None }
            }
            Node::Number(text) if wants("integer") => integer(text).map(|number| Node::Number(number.into())),
            _ => None,
        }
    }
}

/// The types that a schema names.
#[derive(Clone, Copy)]
struct Types<'s>(&'s [Value]);

impl<'s> Types<'s> {
    fn iter(self) -> impl Iterator<Item = &'s str> {
        self.0.iter().filter_map(Value::as_str)
    }

    fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    fn any(self, is: impl FnMut(&'s str) -> bool) -> bool {
        self.iter().any(is)
    }

    fn contains(self, name: &str) -> bool {
        self.any(|one| one == name)
    }
}

fn types(schema: &Value) -> Types<'_> {
    match keyword(schema, "type") {
        Some(one @ Value::String(_)) => Types(std::slice::from_ref(one)),
        Some(Value::Array(several)) => Types(several),
        _ => Types(&[]),
    }
}

fn branches(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"].into_iter().find_map(|key| keyword(schema, key)?.as_array()).map(Vec::as_slice)
}
