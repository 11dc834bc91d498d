//! The tool that a name means which is not written as the tool is called: with a prefix of the model's own format, in
//! another case, or with what follows a name in code.

use super::same_key;
use crate::registry::Registry;
use crate::tool::ToolSpec;

/// The one tool that is meant, where no other can be, among those that the caller sees.
pub(crate) fn meant<'a>(
    registry: &'a Registry,
    written: &str,
    sees: impl Fn(&ToolSpec) -> bool,
) -> Option<(usize, &'a ToolSpec)> {
    // No provider takes a longer name, and none of the prefixes is long.
    if written.len() > 256 {
        return None;
    }
    let plain = plain(written);
    let forms = [plain, without_prefix(plain)];
    // The rules of the host are asked about the tools that are alike, and about no other.
    let alike = |form| registry.iter().filter(move |spec| same_key(spec.name(), form)).filter(|spec| sees(spec));
    for form in forms {
        if let Some(found) = registry.find(form).filter(|(_, spec)| sees(spec)) {
            // A tool whose name differs by case alone is told apart by case alone.
            return (alike(form).count() == 1 || form.len() < plain.len() || plain == written.trim()).then_some(found);
        }
    }
    for form in forms {
        let mut alike = alike(form);
        match (alike.next(), alike.next()) {
            (Some(only), None) => return registry.find(only.name()),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
    }
    None
}

/// Without blanks, the marks of a model's own format, and the parentheses of a call.
fn plain(written: &str) -> &str {
    let name = written.split("<|").next().unwrap_or_default().trim();
    name.strip_suffix("()").unwrap_or(name).trim_matches(['`', '"', '\'']).trim()
}

/// Without `functions.`, `default_api:`, `tools/` or `mcp__server__` before it.
fn without_prefix(name: &str) -> &str {
    let name = match name.strip_prefix("mcp__") {
        Some(rest) => rest.split_once("__").map_or(name, |(_, name)| name),
        None => name,
    };
    name.rsplit(['.', ':', '/']).next().unwrap_or(name)
}
