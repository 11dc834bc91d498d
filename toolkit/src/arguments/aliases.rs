//! Other names that a type goes by, which only the type knows.

use super::check::{Checked, Stranger};
use super::node::Node;
use super::words;
use crate::parameter::Bad;
use crate::tool::ToolSpec;

/// A type has few other names, and a text may hold many keys that are none.
const ASKED: usize = 16;

/// Nor are long ones read again and again.
const BYTES: usize = 16 << 20;

/// Values that no type reads as it reads one of the other kind, and that are passed over where nobody asks for them: the
/// number is none that a type holds, and where it is kept as text, half a character is none.
const NO_LIST: &str = r#"{"":[1e400,"\ud800"]}"#;
const LIST: &str = r#"[1e400,"\ud800"]"#;

/// Puts the names of the schema in the place of other names that a type goes by: a type refuses such a key the second
/// time, and says whose it is. Whether there was one. `exact` is what was wrong with the text as it came.
pub(super) fn rename(
    spec: &ToolSpec,
    checked: &mut Checked<'_>,
    exact: &Bad,
    decode: impl Fn(&str) -> Option<Bad>,
) -> bool {
    // What is made at run time has no types.
    if checked.strangers.is_empty() || spec.dynamic().is_some() {
        return false;
    }
    let told;
    let bad = match exact {
        Bad::Value(..) | Bad::Limit(_) | Bad::Ignored(_) if checked.repairs.is_empty() => Some(exact),
        _ => {
            told = decode(&checked.node.to_string());
            told.as_ref()
        }
    };
    let Some(until) = read_until(spec, &checked.node, bad) else { return false };
    // What the type says of the value where it stops.
    let said = match bad {
        Some(Bad::Value(_, error)) => Some(error.to_string()),
        _ => None,
    };
    // Where a name stands twice already, the answers would be about that one.
    if said.as_deref().and_then(words::duplicate).is_some() {
        return false;
    }
    let mut ask = Ask { decode, bytes: 0 };
    let mut renamed = false;
    let mut known: Vec<(usize, &str, Option<String>)> = Vec::new();
    for Stranger { place, key, of, .. } in &checked.strangers {
        let (Some(key), [argument, inner @ ..]) = (key, place.as_slice()) else { continue };
        let Node::Object(arguments) = &mut checked.node else { continue };
        let Some((name, value)) = arguments.get_mut(*argument) else { continue };
        let Some(entries) = value.entries_at(inner) else { continue };
        let Some(at) = entries.iter().position(|(name, _)| name == key) else { continue };
        let meant = match known.iter().find(|(schema, other, _)| schema == of && other == key) {
            Some((.., meant)) => meant.clone(),
            None if known.len() == ASKED => None,
            None => {
                let said = said.as_deref().filter(|_| *argument == until).map(without_place);
                // Decoding does not come so far.
                let meant = if *argument > until { None } else { ask.name(name, value, (inner, at), said) };
                known.push((*of, key, meant.clone()));
                meant
            }
        };
        if let (Some(meant), Some(entries)) = (meant, value.entries_at(inner))
            && entries.iter().all(|(other, _)| *other != meant)
        {
            entries[at].0 = meant.into();
            renamed = true;
        }
    }
    renamed
}

/// The place of the argument at which decoding stops; one beyond the last where it reads them all. `None` where it reads
/// none of them.
fn read_until(spec: &ToolSpec, node: &Node<'_>, bad: Option<&Bad>) -> Option<usize> {
    let entries = node.entries();
    match bad {
        None | Some(Bad::Missing | Bad::Unsure) => Some(entries.len()),
        Some(Bad::Value(index, _) | Bad::Limit(index) | Bad::Ignored(index)) => {
            let name = spec.params().get(*index)?.name;
            Some(entries.iter().position(|(key, _)| key == name).unwrap_or(entries.len()))
        }
        Some(Bad::Key | Bad::Syntax) => entries.iter().position(|(key, _)| super::parameter(spec, key).is_none()),
        Some(Bad::State(_) | Bad::Panicked) => None,
    }
}

/// What serde says, without the position in the text.
fn without_place(error: &str) -> &str {
    error.rsplit_once(" at line ").map_or(error, |(words, _)| words)
}

struct Ask<D> {
    decode: D,
    /// How many were read so far.
    bytes: usize,
}

impl<D: Fn(&str) -> Option<Bad>> Ask<D> {
    /// The field whose other name the key at this place in the argument is. `said` is what the type says of the argument
    /// as it is.
    fn name(
        &mut self,
        argument: &str,
        value: &mut Node<'_>,
        (place, at): (&[usize], usize),
        said: Option<&str>,
    ) -> Option<String> {
        let inner = &mut value.entries_at(place)?.get_mut(at)?.1;
        let unreadable = if matches!(inner, Node::List(_)) { NO_LIST } else { LIST };
        let own = std::mem::replace(inner, Node::Number(unreadable.into()));
        // A type that does not mind what stands there does not know the key.
        let told = self.error(argument, value);
        let mut name = None;
        if told.as_deref().map(without_place) != said {
            // The value may need a repair before its type reads it: any that the type does read is as good.
            for one in [own.clone()].into_iter().chain(Node::of_every_kind()) {
                let entries = value.entries_at(place)?;
                let key = entries.get(at)?.0.clone();
                entries[at].1 = one.clone();
                entries.insert(at + 1, (key, one));
                name = self.error(argument, value).as_deref().and_then(words::duplicate);
                value.entries_at(place)?.remove(at + 1);
                if name.is_some() {
                    break;
                }
            }
        }
        value.entries_at(place)?.get_mut(at)?.1 = own;
        name
    }

    /// What the type says of the argument, where it does not read it.
    fn error(&mut self, argument: &str, value: &Node<'_>) -> Option<String> {
        let mut text = String::new();
        if self.bytes < BYTES {
            text = value.alone(argument);
        }
        self.bytes += text.len();
        match (self.decode)(&text) {
            Some(Bad::Value(_, error)) => Some(error.to_string()),
            _ => None,
        }
    }
}
