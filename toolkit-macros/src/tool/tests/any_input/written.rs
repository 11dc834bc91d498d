//! Attributes, functions and blocks as texts, put together at random out of what people write and what they should not.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const KEYS: &[&str] = &[
    "category",
    "max_retries",
    "idempotent",
    "timeout",
    "name",
    "description",
    "max_output",
    "budget",
    "roles",
    "sequential",
    "check",
    "handle",
    "crate",
    "categroy",
    "self",
    "r#type",
    "été",
];

const GOOD_KEYS: &[&str] = &[
    "max_retries = 1",
    "idempotent = true",
    "timeout = \"2s\"",
    "name = \"n\"",
    "max_output = 9",
    "budget = \"b\"",
    "roles = [\"r\", \"s\"]",
    "sequential",
    "check = a::b",
    "handle = H",
    "crate = ::tk",
];

const VALUES: &[&str] = &[
    "Read",
    "Compute",
    "toolkit::Category::Write",
    "Dangerous",
    "Reed",
    "0",
    "10",
    "11",
    "-1",
    "5000000000",
    "340282366920938463463374607431768211456",
    "1.5",
    "1u8",
    "true",
    "false",
    "\"\"",
    "\"2s\"",
    "\"0ms\"",
    "\"99999999999999999999m\"",
    "\"soon\"",
    "\"a b\"",
    "\"é\"",
    "\"a.b\"",
    "\"::a::b\"",
    "b\"x\"",
    "'c'",
    "::tk",
    "crate",
    "a::b::<c>",
    "<T as U>::V",
    "|x| x",
    "1..=3",
    "..",
    "3..=1",
    "1..1",
    "-1.5..",
    "..=\"x\"",
    "{ 1 }",
    "()",
    "concat!(\"a\", \"b\")",
    "\"(?=x)\"",
    "\"[\"",
    "[]",
    "[\"a\", 1, \"a\", \" \"]",
    "-170141183460469231731687303715884105728..",
];

const ARGUMENT_KEYS: &[&str] =
    &["description", "default", "example", "rename", "range", "length", "pattern", "secret", "defualt", "crate"];

const PATTERNS: &[&str] =
    &["city", "r#type", "mut n", "ref n", "_", "(a, b)", "n @ 1..=3", "Point { x, .. }", "&n", "mac!()"];

const TYPES: &[&str] = &[
    "String",
    "Option<u8>",
    "&ToolContext",
    "Vec<Self>",
    "&str",
    "&'static str",
    "&mut u8",
    "&'a ToolContext",
    "&[u8]",
    "&dyn Tell",
    "&impl Tell",
    "&(impl Tell + Sync)",
    "impl Into<String>",
    "impl Fn(u8) -> u8",
    "Vec<impl Into<u8>>",
    "Cow<'a, str>",
    "Cow<'_, str>",
    "Option<&str>",
    "Vec<&'a u8>",
    "!",
    "_",
    "()",
    "(u8,)",
    "[u8; 3]",
    "[u8; { 1 & 2 }]",
    "fn(&u8) -> u8",
    "Box<dyn Tell + Send>",
    "Self",
    "Self::Item",
    "<Self as Tell>::Item",
    "mac!(u8)",
    "*const u8",
    "(((u8)))",
    "dyn Tell",
    "&(u8)",
    "&Db<'a>",
];

const QUALIFIERS: &[&str] =
    &["async", "", "pub async", "unsafe", "async unsafe", "const", "extern \"C\"", "pub(in crate::a) async"];

const GENERICS: &[&str] = &["", "", "", "<'a>", "<T: Tell>", "<const N: usize>", "<'a, T>"];

const RETURNS: &[&str] = &[
    "",
    "-> u8",
    "-> Result<u8, E>",
    "-> !",
    "-> impl Tell",
    "-> Result<impl Tell, E>",
    "-> Self",
    "-> &'a str",
    "-> Cow<'_, str>",
];

const RECEIVERS: &[&str] =
    &["", "", "", "&self,", "&self,", "&mut self,", "self,", "mut self,", "self: Arc<Self>,", "&'a self,"];

const DOCS: &[&str] = &[
    "/// A tool.",
    "/// A tool.\n#[allow(dead_code)]",
    "",
    "#[doc = include_str!(\"x\")]",
    "/** A\n * tool.\n */",
    "#[doc = \"\"]",
    "#[cfg(any())]",
    "#[cfg_attr(a, cfg(b), c)]",
    "#[cfg_attr()]",
    "#[doc(hidden)]",
    "#[deprecated]",
];

const BLOCKS: &[&str] = &[
    "impl Weather",
    "impl Weather",
    "impl a::Weather<u8>",
    "impl<T> Weather<T>",
    "impl Tell for Weather",
    "impl Weather<'_>",
];

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(str::to_owned)
}

/// `key`, or `key = value`.
fn pair(keys: &'static [&'static str]) -> impl Strategy<Value = String> {
    (one_of(keys), proptest::option::weighted(0.9, one_of(VALUES)))
        .prop_map(|(key, value)| value.map_or(key.clone(), |value| format!("{key} = {value}")))
}

/// What stands in `#[tool(…)]`, often what is right, so that expansions are seen too.
pub(super) fn attribute() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => vec(pair(KEYS), 0..5).prop_map(|pairs| pairs.join(", ")),
        3 => subsequence(GOOD_KEYS.to_vec(), 0..=GOOD_KEYS.len())
            .prop_map(|keys| format!("category = Read, {}", keys.join(", "))),
    ]
}

/// What stands in `#[tools(…)]`.
pub(super) fn root() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just(String::new()), 1 => Just("crate = ::tk".to_owned()), 1 => pair(KEYS)]
}

fn argument() -> impl Strategy<Value = String> {
    let attributes = prop_oneof![
        4 => Just(String::new()),
        2 => vec(pair(ARGUMENT_KEYS), 0..3).prop_map(|pairs| format!("#[arg({})]", pairs.join(", "))),
        1 => Just("#[state]".to_owned()),
        1 => Just("#[serde(default)]".to_owned()),
        1 => one_of(DOCS),
        1 => Just("#[arg]".to_owned()),
    ];
    // On lines of their own: a comment takes the rest of its line with it.
    (attributes, one_of(PATTERNS), one_of(TYPES))
        .prop_map(|(attributes, pattern, ty)| format!("{attributes}\n{pattern}: {ty}"))
}

fn plain_argument() -> impl Strategy<Value = String> {
    (0..9_u8, one_of(TYPES.get(..3).unwrap_or_default())).prop_map(|(n, ty)| format!("a{n}: {ty}"))
}

pub(super) fn function() -> impl Strategy<Value = String> {
    let arguments = prop_oneof![vec(argument(), 0..4), vec(plain_argument(), 0..3)];
    let plain = Just(("/// A tool.".to_owned(), "async".to_owned(), String::new(), String::new()));
    let head = prop_oneof![plain, (one_of(DOCS), one_of(QUALIFIERS), one_of(GENERICS), one_of(RECEIVERS))];
    (head, arguments, one_of(RETURNS)).prop_map(|((docs, qualifiers, generics, receiver), arguments, output)| {
        let arguments = arguments.join(", ");
        format!("{docs}\n{qualifiers} fn weather{generics}({receiver}{arguments}) {output} {{ body!() }}")
    })
}

pub(super) fn block() -> impl Strategy<Value = String> {
    let members = vec((attribute(), function()), 0..3).prop_map(|members| {
        let write = |(keys, function)| format!("#[tool({keys})]\n{function}\n");
        members.into_iter().map(write).collect::<String>()
    });
    (one_of(BLOCKS), members).prop_map(|(head, members)| format!("{head} {{ {members} fn other() {{}} }}"))
}

/// Tokens that mean nothing together.
pub(super) fn soup() -> impl Strategy<Value = TokenStream> {
    const WORDS: &[&str] = &[
        "fn", "async", "impl", "for", "self", "category", "Read", "name", "struct", "where", "pub", "tool", "dyn", "x",
    ];
    const SIGNS: &[char] = &['#', '!', '=', ',', ':', ';', '<', '>', '&', '-', '.', '|', '@', '$'];
    let leaf = prop_oneof![
        select(WORDS).prop_map(|word| TokenTree::Ident(Ident::new(word, Span::call_site()))),
        select(SIGNS).prop_map(|sign| TokenTree::Punct(Punct::new(sign, Spacing::Alone))),
        any::<u64>().prop_map(|number| TokenTree::Literal(Literal::u64_unsuffixed(number))),
        ".{0,4}".prop_map(|text| TokenTree::Literal(Literal::string(&text))),
    ];
    let tree = leaf.prop_recursive(3, 24, 6, |inner| {
        let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
        (select(delimiters.to_vec()), vec(inner, 0..6))
            .prop_map(|(delimiter, trees)| TokenTree::Group(Group::new(delimiter, trees.into_iter().collect())))
    });
    vec(tree, 0..8).prop_map(|trees| trees.into_iter().collect())
}
