//! A value that may be of one of several schemas: an `Option` of a type, an enum in any of serde's representations, or
//! alternatives that nothing names.

use serde_json::Value;

use super::path::Path;
use super::{Walk, Within, branches, describe, types};
use crate::arguments::node::Node;
use crate::arguments::{nearest, same_key};
use crate::schema::{keyword, resolve};

/// More readings than one, or than can be tried.
struct TooMany;

/// The alternative that a list must be meant for which none takes: the only one of lists. What is wrong with its items
/// says more than that it is no list of the right kind.
fn only_list<'s>(value: &Node<'_>, all: &[&'s Value]) -> Option<&'s Value> {
    let mut lists = all.iter().filter(|branch| value.is_of_type("array") && types(branch).contains("array"));
    match (lists.next(), lists.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

impl Walk<'_> {
    /// Read by the schema that it names; else left alone where one schema takes it as it is; else read by the only one
    /// that can be meant.
    pub(super) fn union<'t>(&mut self, value: Node<'t>, all: &[Value], schema: &Value, path: &Path<'_>) -> Node<'t> {
        let all: Vec<&Value> = all.iter().map(|branch| resolve(self.root, branch)).collect();
        // Flattened fields: the properties of the object itself stand beside the alternatives.
        if let Some(own) = keyword(schema, "properties").and_then(Value::as_object) {
            return self.flattened(value, &all, own, schema, path);
        }
        let flat = std::mem::take(&mut self.flat);
        let offset = std::mem::take(&mut self.offset);
        let value = match self.tagged(value, &all, path) {
            Ok(value) => value,
            Err((None, value)) => return value,
            Err((Some(branch), value)) => {
                let before = self.within;
                if before == Within::Plain {
                    self.within = Within::Buffered;
                }
                (self.flat, self.offset) = (flat, offset);
                let value = self.value(value, branch, path);
                self.within = before;
                return value;
            }
        };
        let size = value.size(self.steps);
        if !self.spend(size) || all.iter().any(|branch| self.fits_beside(&value, branch, flat)) {
            return value;
        }
        let others: Vec<&Value> = all.iter().copied().filter(|branch| !types(branch).iter().eq(["null"])).collect();
        if let [only] = others.as_slice()
            && others.len() < all.len()
        {
            return self.value(value, only, path);
        }
        let allowed = describe::allowed(schema);
        if !allowed.is_empty() && !matches!(value, Node::Object(_)) {
            return self.choice(value, &allowed, schema, path);
        }
        let branch = match self.only_reading(&value, &others, (flat, offset)) {
            Ok(None) => only_list(&value, &others),
            reading => reading.ok().flatten(),
        };
        match branch {
            Some(branch) => {
                (self.flat, self.offset) = (flat, offset);
                self.value(value, branch, path)
            }
            None => {
                self.wrong(&value, schema, path);
                value
            }
        }
    }

    /// The one alternative that takes the value after a repair. `Err` where there is a second one, or too much to try.
    fn only_reading<'s>(
        &mut self,
        value: &Node<'_>,
        all: &[&'s Value],
        beside: (bool, usize),
    ) -> Result<Option<&'s Value>, TooMany> {
        let mut found = None;
        for branch in all {
            let size = value.size(self.steps);
            if !self.spend(size) {
                return Err(TooMany);
            }
            let mut attempt = Walk {
                root: self.root,
                reading: self.reading,
                repairs: Vec::new(),
                problems: Vec::new(),
                strangers: Vec::new(),
                unlisted: Vec::new(),
                place: Vec::new(),
                offset: beside.1,
                depth: self.depth,
                steps: self.steps,
                secret: self.secret,
                secrets: self.secrets,
                within: Within::Tried,
                flat: beside.0,
            };
            attempt.value(value.clone(), branch, &Path::Root);
            self.steps = attempt.steps;
            if attempt.problems.is_empty() && found.replace(*branch).is_some() {
                return Err(TooMany);
            }
        }
        Ok(found)
    }

    /// The schema that an object names: by the value of a tag that all of them have, or by its one key. `Err` without
    /// one where it names none of them, which is then reported; the value back where there are no names.
    fn tagged<'s, 't>(
        &mut self,
        mut value: Node<'t>,
        all: &[&'s Value],
        path: &Path<'_>,
    ) -> Result<Node<'t>, (Option<&'s Value>, Node<'t>)> {
        let (Node::Object(entries), Some(names)) = (&mut value, names(all)) else { return Ok(value) };
        let Some(tag) = names.tag else {
            let [(written, _)] = entries.as_mut_slice() else { return Ok(value) };
            let Some(name) = self.name(written, &names.all) else { return Ok(value) };
            if name != *written {
                self.note_key(&Path::Key(path, &name), written, &name);
                *written = name.clone().into();
            }
            return Err((names.branch(&name), value));
        };
        let written = entries.iter_mut().find(|(key, _)| key == tag).map(|(_, value)| value);
        let name = match &written {
            Some(Node::Text(written)) => self.name(written, &names.all),
            _ => None,
        };
        let (Some(name), Some(entry)) = (name, written) else {
            self.report_tag(&Path::Key(path, tag), value.get(tag), &names.all);
            return Err((None, value));
        };
        let meant = Node::Text(name.into());
        if *entry != meant {
            self.note_value(&Path::Key(path, tag), entry, Some(&meant));
            *entry = meant.clone();
        }
        let branch = if let Node::Text(name) = &meant { names.branch(name) } else { None };
        Err((branch, value))
    }

    /// The name that was written, also in another spelling where only one can be meant.
    fn name(&self, written: &str, names: &[&str]) -> Option<String> {
        if names.contains(&written) {
            return Some(written.to_owned());
        }
        let mut candidates = names.iter().filter(|name| self.reading.repairs() && same_key(name, written));
        match (candidates.next(), candidates.next()) {
            (Some(only), None) => Some((*only).to_owned()),
            _ => None,
        }
    }

    fn report_tag(&mut self, path: &Path<'_>, written: Option<&Node<'_>>, names: &[&str]) {
        self.problem(|walk| {
            let language = walk.reading.language;
            let near = match written {
                Some(Node::Text(text)) => nearest(text, names.iter().copied()),
                _ => None,
            };
            let all = describe::listed(names.iter().map(|name| format!("\"{name}\"")), language);
            let Some(written) = written else {
                return language.pick(
                    || format!("`{path}` is missing: it must be one of {all}"),
                    || format!("缺少 `{path}`：应为以下之一：{all}"),
                );
            };
            let written = walk.shown(written);
            let near = near.filter(|_| !walk.secret).map_or_else(String::new, |near| {
                language.pick(|| format!("; the nearest is \"{near}\""), || format!("；最接近的是 \"{near}\""))
            });
            language.pick(
                || format!("`{path}` must be one of {all}; {written} came{near}"),
                || format!("`{path}` 必须是以下之一：{all}，收到的是 {written}{near}"),
            )
        });
    }

    /// An object whose own properties stand beside alternatives for the rest of it.
    fn flattened<'t>(
        &mut self,
        value: Node<'t>,
        all: &[&Value],
        own: &serde_json::Map<String, Value>,
        schema: &Value,
        path: &Path<'_>,
    ) -> Node<'t> {
        let Node::Object(entries) = value else {
            self.wrong(&value, schema, path);
            return value;
        };
        let (mine, rest): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| own.contains_key(&**key));
        let mut kept = self.object(mine, schema, path);
        // serde passes over a key that neither side knows; a model that sends one meant something by it.
        self.flat = true;
        self.offset = kept.len();
        let bare: Vec<Value> = all.iter().map(|branch| (*branch).clone()).collect();
        let alternatives = Value::Object([("anyOf".to_owned(), Value::Array(bare))].into_iter().collect());
        let rest = match branches(&alternatives) {
            Some(branches) => self.union(Node::Object(rest), branches, &alternatives, path),
            None => Node::Object(rest),
        };
        (self.flat, self.offset) = (false, 0);
        if let Node::Object(rest) = rest {
            kept.extend(rest);
        }
        Node::Object(kept)
    }
}

/// The alternatives that are told apart by a name: that in their tag, or that of their one key.
struct Names<'s> {
    tag: Option<&'s str>,
    all: Vec<&'s str>,
    branches: Vec<&'s Value>,
}

impl<'s> Names<'s> {
    fn branch(&self, name: &str) -> Option<&'s Value> {
        let at = self.all.iter().position(|one| *one == name)?;
        self.branches.get(at).copied()
    }
}

/// The names of the alternatives that are objects, where each has its own.
fn names<'s>(all: &[&'s Value]) -> Option<Names<'s>> {
    let branches: Vec<&Value> = all.iter().copied().filter(|branch| keyword(branch, "properties").is_some()).collect();
    // Beside an alternative that takes an object of any kind, no name decides.
    if all.iter().any(|branch| keyword(branch, "properties").is_none() && may_be_object(branch)) {
        return None;
    }
    let apart = |all: &[&str]| all.iter().enumerate().all(|(at, name)| !all[..at].contains(name));
    let first = branches.first()?.get("properties")?.as_object()?;
    for tag in first.keys() {
        let all: Option<Vec<&str>> = branches.iter().map(|branch| tag_value(branch, tag)).collect();
        if let Some(all) = all.filter(|all| branches.len() > 1 && apart(all)) {
            return Some(Names { tag: Some(tag), all, branches });
        }
    }
    // Each alternative is an object with one key, which is its name.
    let sole = |branch: &&'s Value| {
        let properties = keyword(branch, "properties")?.as_object()?;
        let name = properties.keys().next().filter(|_| properties.len() == 1)?;
        describe::requires(branch, name).then_some(name.as_str())
    };
    let all = branches.iter().map(sole).collect::<Option<Vec<&str>>>().filter(|all| apart(all))?;
    Some(Names { tag: None, all, branches })
}

fn may_be_object(schema: &Value) -> bool {
    let types = types(schema);
    let listed = keyword(schema, "const").is_some() || keyword(schema, "enum").is_some();
    types.contains("object") || (types.is_empty() && !listed)
}

/// The alternative that a value names, as it is written.
pub(super) fn named<'s>(value: &Node<'_>, all: &[&'s Value]) -> Option<&'s Value> {
    let Node::Object(entries) = value else { return None };
    let names = names(all)?;
    match (names.tag, entries.as_slice()) {
        (Some(tag), _) => match value.get(tag) {
            Some(Node::Text(name)) => names.branch(name),
            _ => None,
        },
        (None, [(name, _)]) => names.branch(name),
        (None, _) => None,
    }
}

/// The one value that a property of an alternative may have.
fn tag_value<'s>(branch: &'s Value, name: &str) -> Option<&'s str> {
    let property = keyword(branch, "properties")?.get(name)?;
    match keyword(property, "const")
        .or_else(|| keyword(property, "enum")?.as_array().filter(|all| all.len() == 1)?.first())
    {
        Some(Value::String(value)) => Some(value),
        _ => None,
    }
}
