//! Whatever is written, the macro answers: with an expansion, or with mistakes that a person can read.

mod written;

use proc_macro2::TokenStream;
use proptest::prelude::*;

use self::written::{attribute, block, function, root, soup};
use super::messages;
use crate::tool::{tool, tools};

fn parse(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|_| panic!("not tokens: {text}"))
}

/// What every answer has in common: it is items, and its messages read alike. Says whether there are none.
fn is_fine(expansion: &TokenStream) -> Result<bool, TestCaseError> {
    let file = syn::parse2::<syn::File>(expansion.clone());
    prop_assert!(file.is_ok(), "{:?}: {expansion}", file.err().map(|error| error.to_string()));
    let found = messages(expansion);
    for message in &found {
        let first = message.chars().next().unwrap_or('.');
        prop_assert!(!first.is_uppercase() && !message.ends_with('.'), "{message}");
        prop_assert!(!message.contains("__"), "{message}");
    }
    Ok(found.is_empty())
}

/// Many short cases; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases * 6, failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_function_of_any_shape_is_answered(keys in attribute(), function in function()) {
        let expansion = tool(parse(&keys), &parse(&function));
        let is_fine = is_fine(&expansion)?;
        let text = expansion.to_string();
        prop_assert!(text.contains("fn weather"), "the function stays: {text}");
        prop_assert_eq!(is_fine, text.contains("fn __start"), "{}", text);
    }

    #[test]
    fn an_impl_block_of_any_shape_is_answered(keys in root(), block in block()) {
        let expansion = tools(parse(&keys), &parse(&block));
        let is_fine = is_fine(&expansion)?;
        let text = expansion.to_string();
        prop_assert!(text.contains("fn other"), "the block stays: {text}");
        prop_assert!(!is_fine || text.contains("fn __start"), "{text}");
    }

    #[test]
    fn tokens_without_a_meaning_do_no_harm(keys in soup(), item in soup(), function in function()) {
        prop_assert!(!messages(&tool(keys.clone(), &item)).is_empty());
        prop_assert!(!messages(&tools(keys.clone(), &item)).is_empty());
        is_fine(&tool(keys, &parse(&function)))?;
    }
}

/// Both answers are given, so that none of the properties holds for want of cases.
#[test]
fn some_inputs_are_fine_and_some_are_not() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut fine = [0, 0];
    for _ in 0..400 {
        let tree = (attribute(), function()).new_tree(&mut runner).expect("there is a case");
        let (keys, function) = proptest::strategy::ValueTree::current(&tree);
        fine[usize::from(messages(&tool(parse(&keys), &parse(&function))).is_empty())] += 1;
    }
    assert!(fine.iter().all(|count| *count > 10), "{fine:?}");
}
