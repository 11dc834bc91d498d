//! The object inside of what models and servers put around it.

use super::Walk;
use crate::arguments::node::{Node, beginning};
use crate::arguments::read::{inside, note_whole};
use crate::arguments::same_key;
use crate::schema::keyword;
use crate::tool::ToolSpec;

/// Names that stand for the arguments as a whole.
const WRAPPERS: [&str; 7] = ["input", "arguments", "parameters", "args", "kwargs", "params", "properties"];

impl Walk<'_> {
    /// The object inside of wrappings that the schema does not know: one of the usual names as the sole key, or the whole
    /// call instead of its arguments. At most three of them.
    pub(super) fn unwrapped<'t>(&mut self, mut value: Node<'t>, spec: &ToolSpec) -> Node<'t> {
        let properties = keyword(spec.input_schema(), "properties").and_then(|properties| properties.as_object());
        let declared = |key: &str| properties.is_some_and(|all| all.keys().any(|name| same_key(name, key)));
        let is_wrapper = |key: &str| WRAPPERS.contains(&key) && !declared(key);
        for _ in 0..3 {
            let Node::Object(entries) = &mut value else { break };
            let at = match entries.as_slice() {
                _ if !self.reading.repairs() => None,
                [(key, _)] if is_wrapper(key) => Some(0),
                [(a, name), (b, _)] if is_call(a, name, spec) && !declared(a) && is_wrapper(b) => Some(1),
                [(b, _), (a, name)] if is_call(a, name, spec) && !declared(a) && is_wrapper(b) => Some(0),
                _ => None,
            };
            let inner = match at.map(|at| &mut entries[at].1) {
                Some(object @ Node::Object(_)) => std::mem::replace(object, Node::Null),
                Some(Node::Text(text)) => match inside(text, '{', self.depth) {
                    Some(object) => object,
                    None => break,
                },
                _ => break,
            };
            let key = at.map_or("", |at| &*entries[at].0);
            let before = format!("{{\"{key}\":{}", beginning(&inner, 200));
            self.repairs.push(note_whole(&before, &inner, self.reading));
            value = inner;
        }
        value
    }
}

/// Whether an entry names the tool that is called.
fn is_call(key: &str, value: &Node<'_>, spec: &ToolSpec) -> bool {
    key == "name" && matches!(value, Node::Text(name) if name == spec.name())
}
