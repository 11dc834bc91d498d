//! A value that may be of one of several schemas: an `Option` of a type, an enum in any of serde's representations, or
//! alternatives that nothing names.

use serde_json::Value;

use super::{Walk, branches, describe, join, types};
use crate::arguments::node::Node;
use crate::arguments::{nearest, same_key};
use crate::call::RepairKind;
use crate::schema::resolve;

impl Walk<'_> {
    /// Left alone where one schema takes it as it is; else read by the schema that it names, or by the only one that can
    /// be meant.
    pub(super) fn union(&mut self, value: Node, all: &[Value], schema: &Value, path: &str) -> Node {
        let all: Vec<&Value> = all.iter().map(|branch| resolve(self.root, branch)).collect();
        // Flattened fields: the properties of the object itself stand beside the alternatives.
        if let Some(own) = schema.get("properties").and_then(Value::as_object) {
            return self.flattened(value, &all, own, schema, path);
        }
        if all.iter().any(|branch| self.takes(&value, branch, path)) {
            return value;
        }
        let others: Vec<&Value> = all.iter().copied().filter(|branch| types(branch) != ["null"]).collect();
        if let [only] = others.as_slice()
            && others.len() < all.len()
        {
            return self.value(value, only, path);
        }
        let allowed = describe::allowed(schema);
        if !allowed.is_empty() && !matches!(value, Node::Object(_)) {
            return self.choice(value, &allowed, schema, path);
        }
        if let Some((name, value)) = self.tagged(&value, &others, path) {
            return match name {
                Some(branch) => self.inside_union(value, branch, path),
                None => value,
            };
        }
        let mut found = Vec::new();
        for branch in &others {
            let mut attempt = Walk { repairs: Vec::new(), problems: Vec::new(), in_union: true, ..self.clone() };
            let taken = attempt.value(value.clone(), branch, path);
            if attempt.problems.is_empty() {
                found.push((attempt.repairs, taken));
            }
        }
        if let (Some((repairs, taken)), true) = (found.pop(), found.is_empty()) {
            self.repairs.extend(repairs);
            return taken;
        }
        self.wrong(&value, schema, path);
        value
    }

    fn inside_union(&mut self, value: Node, branch: &Value, path: &str) -> Node {
        let before = std::mem::replace(&mut self.in_union, true);
        let value = self.value(value, branch, path);
        self.in_union = before;
        value
    }

    /// Whether the schema takes the value without a repair.
    fn takes(&self, value: &Node, branch: &Value, path: &str) -> bool {
        let mut attempt = Walk { repairs: Vec::new(), problems: Vec::new(), in_union: true, ..self.clone() };
        attempt.reading.mode = crate::arguments::RepairMode::Off;
        attempt.value(value.clone(), branch, path);
        attempt.problems.is_empty()
    }

    /// The schema that an object names: by the value of a tag that all of them have, or by its one key. `None` inside
    /// where it names none of them, which is then reported.
    fn tagged<'s>(&mut self, value: &Node, all: &[&'s Value], path: &str) -> Option<(Option<&'s Value>, Node)> {
        let Node::Object(entries) = value else { return None };
        let objects: Vec<&Value> = all.iter().copied().filter(|branch| branch.get("properties").is_some()).collect();
        let tag = objects.first()?.get("properties")?.as_object()?.keys().find(|name| {
            let constant = |branch: &&Value| tag_value(branch, name).is_some();
            objects.len() > 1 && objects.iter().all(constant)
        });
        if let Some(tag) = tag {
            let names: Vec<&str> = objects.iter().filter_map(|branch| tag_value(branch, tag)).collect();
            let Some(Node::Text(written)) = value.get(tag) else {
                self.report_tag(&join(path, tag), value.get(tag), &names);
                return Some((None, value.clone()));
            };
            let Some(name) = self.name(written, &names) else {
                self.report_tag(&join(path, tag), value.get(tag), &names);
                return Some((None, value.clone()));
            };
            let branch = objects.iter().copied().find(|branch| tag_value(branch, tag) == Some(&name));
            let mut value = value.clone();
            if let (Node::Object(entries), true) = (&mut value, name != *written) {
                self.repaired_value(&join(path, tag), &Node::Text(written.clone()), Some(&Node::Text(name.clone())));
                for (_, entry) in entries.iter_mut().filter(|(key, _)| key == tag) {
                    *entry = Node::Text(name.clone());
                }
            }
            return Some((branch, value));
        }
        // Each alternative is an object with one key, which is its name.
        let sole = |branch: &&'s Value| {
            let properties = branch.get("properties")?.as_object()?;
            let name = properties.keys().next().filter(|_| properties.len() == 1)?;
            describe::requires(branch, name).then_some(name.as_str())
        };
        let names: Option<Vec<&str>> = objects.iter().map(sole).collect();
        let names = names?;
        let [(written, inner)] = entries.as_slice() else { return None };
        let name = self.name(written, &names)?;
        let branch = objects.iter().copied().find(|branch| sole(branch) == Some(name.as_str()));
        if name != *written {
            self.repairs.push(crate::arguments::read::note(&join(path, &name), written, &name, RepairKind::Key));
        }
        Some((branch, Node::Object(vec![(name, inner.clone())])))
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

    fn report_tag(&mut self, path: &str, written: Option<&Node>, names: &[&str]) {
        let language = self.reading.language;
        let all: Vec<String> = names.iter().take(50).map(|name| format!("\"{name}\"")).collect();
        let problem = match written {
            None => language.pick(
                || format!("`{path}` is missing: it must be one of {}", all.join(", ")),
                || format!("缺少 `{path}`：应为以下之一：{}", all.join("、")),
            ),
            Some(written) => {
                let near = match written {
                    Node::Text(text) => nearest(text, names.iter().copied()),
                    _ => None,
                };
                let written = self.shown(written);
                let near = near.map_or_else(String::new, |near| {
                    language.pick(|| format!("; the nearest is \"{near}\""), || format!("；最接近的是 \"{near}\""))
                });
                language.pick(
                    || format!("`{path}` must be one of {}; {written} came{near}", all.join(", ")),
                    || format!("`{path}` 必须是以下之一：{}，收到的是 {written}{near}", all.join("、")),
                )
            }
        };
        self.problems.push(problem);
    }

    /// An object whose own properties stand beside alternatives for the rest of it.
    fn flattened(
        &mut self,
        value: Node,
        all: &[&Value],
        own: &serde_json::Map<String, Value>,
        schema: &Value,
        path: &str,
    ) -> Node {
        let Node::Object(entries) = value else {
            self.wrong(&value, schema, path);
            return value;
        };
        let (mine, rest): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| own.contains_key(key));
        let mut base = schema.clone();
        if let Some(base) = base.as_object_mut() {
            base.retain(|key, _| matches!(key.as_str(), "type" | "properties" | "required" | "$defs"));
        }
        let mut kept = self.object(mine, &base, path);
        // Serde passes over a key that neither side knows; a model that sends one meant something by it.
        let closed = |branch: &&Value| {
            let mut branch = (*branch).clone();
            if let Some(object) = branch.as_object_mut().filter(|object| object.contains_key("properties")) {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            branch
        };
        let alternatives =
            Value::Object([("anyOf".to_owned(), all.iter().map(closed).collect())].into_iter().collect());
        let rest = match branches(&alternatives) {
            Some(branches) => self.union(Node::Object(rest), branches, &alternatives, path),
            None => Node::Object(rest),
        };
        if let Node::Object(rest) = rest {
            kept.extend(rest);
        }
        Node::Object(kept)
    }
}

/// The one value that a property of an alternative may have.
fn tag_value<'s>(branch: &'s Value, name: &str) -> Option<&'s str> {
    let property = branch.get("properties")?.get(name)?;
    match property.get("const").or_else(|| property.get("enum")?.as_array().filter(|all| all.len() == 1)?.first()) {
        Some(Value::String(value)) => Some(value),
        _ => None,
    }
}
