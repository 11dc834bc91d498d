//! What decoding into a type says, in words that a model can act on: what serde says names types of Rust.

use super::{LONGEST_PROBLEM, Refusal, Repaired, required, shorten};
use crate::feedback::Language;
use crate::parameter::Bad;
use crate::tool::ToolSpec;

/// What the decoder found wrong although the schema had nothing against it: a rule of the type's own.
pub(crate) fn refused(spec: &ToolSpec, repaired: Repaired, bad: &Bad, language: Language) -> Refusal {
    if !repaired.unlisted.is_empty() {
        return Refusal { problems: repaired.unlisted, expected: repaired.concerned, cut_off: false };
    }
    let (Bad::Value(index, _) | Bad::Ignored(index) | Bad::Limit(index)) = bad else {
        return Refusal {
            problems: vec![language.pick(
                || "the arguments are not one JSON object as the tool takes it".to_owned(),
                || "参数不是此工具所需的单个 JSON 对象".to_owned(),
            )],
            expected: required(spec),
            cut_off: false,
        };
    };
    let Some(param) = spec.params().get(*index) else { return Refusal::default() };
    let name = param.name;
    let problem = match bad {
        Bad::Value(_, error) if !param.secret => of_error(name, &error.to_string(), language),
        _ => does_not_fit(name, language),
    };
    let problem = shorten(&problem, LONGEST_PROBLEM - 1).into_owned();
    Refusal { problems: vec![problem], expected: vec![name.to_owned()], cut_off: false }
}

/// What a validator of JSON Schema says, in the form of our own problems.
pub(super) fn invalid(spec: &ToolSpec, problems: Vec<(String, String)>, language: Language) -> Refusal {
    let mut refusal = Refusal::default();
    for (pointer, reason) in problems.into_iter().take(100) {
        let mut steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        let name = steps.next().unwrap_or_default();
        let secret = spec.secrets().any(|secret| secret == name);
        let mut path = name.clone();
        for step in steps.take_while(|_| !secret) {
            match step.parse::<usize>() {
                Ok(index) => path.extend(["[", &index.to_string(), "]"]),
                Err(_) => path.extend([".", &shorten(&step, 64)]),
            }
        }
        let problem = match () {
            () if path.is_empty() => {
                language.pick(|| format!("the arguments: {reason}"), || "参数不符合要求".to_owned())
            }
            () if secret => does_not_fit(&path, language),
            () => language.pick(|| format!("`{path}`: {reason}"), || format!("`{path}` 不符合要求")),
        };
        refusal.problems.push(shorten(&problem, LONGEST_PROBLEM - 1).into_owned());
        if !name.is_empty() && !refusal.expected.contains(&name) {
            refusal.expected.push(name);
        }
    }
    refusal
}

fn does_not_fit(path: &str, language: Language) -> String {
    language.pick(
        || format!("`{path}` does not have the form that the tool takes"),
        || format!("`{path}` 不符合此工具要求的形式"),
    )
}

/// The field that serde found twice.
pub(super) fn duplicate(error: &str) -> Option<String> {
    let name = error.strip_prefix("duplicate field `")?.split('`').next()?;
    Some(name.to_owned())
}

/// How serde begins what it has against a value.
const OF_SERDE: [&str; 5] =
    ["invalid type: ", "invalid value: ", "invalid length ", "data did not match ", "recursion limit"];

/// The words of a type's author stay; those of serde are said in another way.
fn of_error(name: &str, error: &str, language: Language) -> String {
    // The position counts from a place that the model does not see.
    let error = error.rsplit_once(" at line ").map_or(error, |(words, _)| words);
    let quoted = |prefix: &str| Some(error.strip_prefix(prefix)?.strip_prefix('`')?.split('`').next()?.to_owned());
    if let Some(field) = quoted("missing field ") {
        return language.pick(|| format!("`{name}` lacks `{field}`"), || format!("`{name}` 缺少 `{field}`"));
    }
    if let Some(field) = quoted("unknown field ") {
        return language
            .pick(|| format!("there is no `{field}` in `{name}`"), || format!("`{name}` 中没有名为 `{field}` 的参数"));
    }
    if let Some(field) = quoted("duplicate field ") {
        return language.pick(
            || format!("`{name}` holds `{field}` twice, under two names"),
            || format!("`{name}` 以两个名称重复提供了 `{field}`"),
        );
    }
    if let Some(variant) = quoted("unknown variant ") {
        return language
            .pick(|| format!("`{name}` does not take \"{variant}\""), || format!("`{name}` 不接受 \"{variant}\""));
    }
    if error.starts_with("number out of range") {
        return language
            .pick(|| format!("`{name}` holds a number that is too large"), || format!("`{name}` 含有过大的数"));
    }
    if OF_SERDE.iter().any(|prefix| error.starts_with(prefix)) {
        return match error.rsplit_once(", expected ").map(|(_, want)| want).filter(|want| is_plain(want)) {
            Some(want) if language == Language::En => format!("`{name}` must be {want}"),
            _ => does_not_fit(name, language),
        };
    }
    if !is_plain(error) {
        return does_not_fit(name, language);
    }
    let error = shorten(error, 200);
    language.pick(|| format!("`{name}`: {error}"), || format!("`{name}` 未被接受：“{error}”"))
}

/// Whether words are for people: they name no type of Rust.
fn is_plain(text: &str) -> bool {
    const OF_RUST: [&str; 22] = [
        "struct", "enum", "tuple", "variant", "unit", "newtype", "untagged", "serde", "Option", "Vec", "String", "u8",
        "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    ];
    let of_rust = |word: &str| {
        // `OrderId`: a small letter before a great one.
        let humps = word.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
        humps || OF_RUST.contains(&word) || matches!(word, "isize" | "f32" | "f64" | "bool" | "str" | "nonzero")
    };
    !text.contains("::") && !text.contains("http") && !text.split(|c: char| !c.is_alphanumeric()).any(of_rust)
}

#[cfg(test)]
mod tests {
    use super::of_error;
    use crate::feedback::Language;

    #[test]
    fn types_of_rust_are_not_named() {
        for (error, english, chinese) in [
            (
                "invalid type: string \"x\", expected struct Foo at line 1 column 3",
                "`a` does not have the form",
                "`a` 不符合",
            ),
            ("invalid value: integer `300`, expected u8", "`a` does not have the form", "`a` 不符合"),
            ("invalid value: string \"x\", expected IPv4 address", "`a` must be IPv4 address", "`a` 不符合"),
            ("data did not match any variant of untagged enum Q", "`a` does not have the form", "`a` 不符合"),
            ("missing field `x` at line 1 column 2", "`a` lacks `x`", "`a` 缺少 `x`"),
            ("unknown variant `x`, expected `y` or `z`", "`a` does not take \"x\"", "`a` 不接受 \"x\""),
            ("the port must be even", "`a`: the port must be even", "`a` 未被接受：“the port must be even”"),
            ("alloc::string::String is empty", "`a` does not have the form", "`a` 不符合"),
            ("an OrderId has eleven characters", "`a` does not have the form", "`a` 不符合"),
        ] {
            let words = of_error("a", error, Language::En);
            assert!(words.starts_with(english), "{error}: {words}");
            let words = of_error("a", error, Language::Zh);
            assert!(words.starts_with(chinese), "{error}: {words}");
        }
    }
}
