//! What is wrong, in words.

use serde_json::Value;

use super::path::Path;
use super::{Walk, describe};
use crate::arguments::node::{Node, beginning};
use crate::arguments::read::note;
use crate::arguments::{LONGEST_PROBLEM, SECRET, nearest, shorten};
use crate::call::RepairKind;

/// More problems than these are counted and not written out.
pub(super) const MOST: usize = 100;

impl Walk<'_> {
    /// Adds a problem. While alternatives are tried it counts and nobody reads it.
    pub(super) fn problem(&mut self, words: impl FnOnce(&Self) -> String) {
        let told = !self.is_trying() && self.problems.len() < MOST;
        let words = if told { shorten(&words(self), LONGEST_PROBLEM - 1).into_owned() } else { String::new() };
        self.problems.push(words);
    }

    /// A value as messages show it: short, on one line.
    pub(super) fn shown(&self, value: &Node<'_>) -> String {
        if self.secret { SECRET.to_owned() } else { beginning(value, 80) }
    }

    pub(super) fn note_value(&mut self, path: &Path<'_>, from: &Node<'_>, to: Option<&Node<'_>>) {
        if self.is_trying() {
            return;
        }
        let shown = |value: &Node<'_>| if self.secret { SECRET.to_owned() } else { beginning(value, 200) };
        let repair = note(&path.to_string(), &shown(from), &to.map_or_else(String::new, shown), RepairKind::Value);
        self.repairs.push(repair);
    }

    pub(super) fn wrong(&mut self, value: &Node<'_>, schema: &Value, path: &Path<'_>) {
        self.problem(|walk| walk.wrong_words(value, schema, path));
    }

    pub(super) fn wrong_words(&self, value: &Node<'_>, schema: &Value, path: &Path<'_>) -> String {
        let language = self.reading.language;
        let got = describe::kind(value, language);
        let allowed = describe::allowed(schema);
        let near = match value {
            Node::Text(text) if !self.secret && !allowed.is_empty() => {
                nearest(text, allowed.iter().filter_map(|one| one.as_str()))
            }
            _ => None,
        };
        let want = describe::schema(self.root, schema, language, near);
        let mut problem = language.pick(
            || format!("`{path}` must be {want}; {got} came: {}", self.shown(value)),
            || format!("`{path}` 必须是{want}，收到的是{got}：{}", self.shown(value)),
        );
        if matches!(value, Node::Null) {
            problem = language.pick(
                || format!("`{path}` must be {want}; null came"),
                || format!("`{path}` 必须是{want}，收到的是 null"),
            );
        }
        if let Some(near) = near {
            problem += &language.pick(|| format!("; the nearest is \"{near}\""), || format!("；最接近的是 \"{near}\""));
        }
        problem
    }

    /// A value of the right type that breaks a limit: `broken` ends a sentence that begins with its path and "must".
    pub(super) fn breaks(&mut self, broken: &str, value: &Node<'_>, path: &Path<'_>) {
        self.problem(|walk| {
            let got = walk.shown(value);
            // A list or an object says nothing by its beginning.
            if matches!(value, Node::List(_) | Node::Object(_)) {
                return walk
                    .reading
                    .language
                    .pick(|| format!("`{path}` must {broken}"), || format!("`{path}` {broken}"));
            }
            walk.reading
                .language
                .pick(|| format!("`{path}` must {broken}; {got} came"), || format!("`{path}` {broken}，收到的是 {got}"))
        });
    }

    pub(super) fn missing(&mut self, path: &Path<'_>, schema: &Value) {
        self.problem(|walk| walk.missing_words(path, schema));
    }

    pub(super) fn missing_words(&self, path: &Path<'_>, schema: &Value) -> String {
        let language = self.reading.language;
        let want = describe::schema(self.root, schema, language, None);
        language.pick(|| format!("`{path}` is missing: it must be {want}"), || format!("缺少 `{path}`：应为{want}"))
    }

    pub(super) fn unknown_key(&self, key: &str, names: &[&str], path: &Path<'_>) -> String {
        let language = self.reading.language;
        let name = if self.secret { SECRET.into() } else { shorten(key, 64) };
        let name = Path::Key(path, &name);
        let mut problem =
            language.pick(|| format!("there is no parameter `{name}`"), || format!("没有名为 `{name}` 的参数"));
        if let Some(near) = nearest(key, names.iter().copied()).or_else(|| part_of(key, names)) {
            problem += &language.pick(|| format!("; did you mean `{near}`?"), || format!("；您是不是想用 `{near}`？"));
        } else {
            let mut all = String::new();
            for name in names.iter().take(30) {
                all += if all.is_empty() { "`" } else { language.pick(|| ", `", || "、`") };
                all.extend([name, "`"]);
            }
            problem += &if all.is_empty() {
                language.pick(|| "; none is taken here".to_owned(), || "；此处不接受参数".to_owned())
            } else {
                language.pick(|| format!("; the parameters are {all}"), || format!("；可用的参数有 {all}"))
            };
        }
        problem
    }

    /// What is said of a key that is not of the form that all keys of a map have.
    pub(super) fn odd_key(&self, key: &str, pattern: &str, path: &Path<'_>) -> String {
        let key = if self.secret { SECRET.to_owned() } else { shorten(key, 64).into_owned() };
        self.reading.language.pick(
            || format!("the keys of `{path}` must match the pattern `{pattern}`; `{key}` does not"),
            || format!("`{path}` 的键必须匹配 `{pattern}`，`{key}` 不匹配"),
        )
    }
}

/// The one name of which a key is a whole word, or the other way about: `depth` for `max_depth`.
fn part_of<'a>(key: &str, names: &[&'a str]) -> Option<&'a str> {
    fn holds(long: &str, short: &str) -> bool {
        !short.is_empty() && long.split(['_', '-', ' ']).any(|word| word.eq_ignore_ascii_case(short))
    }
    let mut all = names.iter().filter(|name| holds(name, key) || holds(key, name));
    match (all.next(), all.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
