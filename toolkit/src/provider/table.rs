//! The table of the documentation, made from the rules that are checked. `UPDATE=1` writes it anew.

use std::fmt::Write;
use std::path::Path;

use super::Provider;
use super::dialect::{Limit, Rule};

#[test]
fn the_table_says_what_the_rules_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/provider/TABLE.md");
    let table = table();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == table, "src/provider/TABLE.md is out of date: run this test with UPDATE=1");
}

fn table() -> String {
    let mut text = String::from("# What each provider takes, and what is done about it\n\n");
    text.push_str(
        "| provider | tools a request | strict | rules for schemas, and for strict ones |\n|---|---|---|---|\n",
    );
    for provider in Provider::ALL {
        let dialect = provider.dialect();
        let tools = dialect.most_tools.as_ref().map_or("any number".to_owned(), |limit| limit.most.to_string());
        let strict = match &dialect.strict {
            None => "no",
            Some(strict) if strict.whole_request.is_some() => "all of a request or none",
            Some(_) => "tool by tool",
        };
        let strict_rules =
            dialect.strict.as_ref().map_or(0, |strict| strict.profile.rules.len() + strict.budgets.len());
        let _ = writeln!(text, "| `{provider}` | {tools} | {strict} | {}, {strict_rules} |", dialect.loose.rules.len());
    }
    text.push_str("\n| provider | what is asked for | what is done | source | looked up |\n|---|---|---|---|---|\n");
    for provider in Provider::ALL {
        for (rule, done) in rules(provider) {
            let Rule { text: asked, source, date } = rule;
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(text, "| `{provider}` | {} | {done} | {} | {date} |", cell(asked), cell(source));
        }
    }
    text
}

/// Every rule of a provider's, and what happens where it is broken.
fn rules(provider: Provider) -> Vec<(&'static Rule, &'static str)> {
    const REFUSED: &str = "an error before anything is sent";
    const LOOSE: &str = "the tool goes out not strict, and the report says so";
    let dialect = provider.dialect();
    let mut rules = vec![(&dialect.names.rule, "the name is rewritten, and mapped back when it is called")];
    rules.extend(dialect.keys.map(|keys| (&keys.rule, "the key is rewritten, and mapped back when it is called")));
    rules.extend(
        provider
            .exchange()
            .ids
            .as_ref()
            .map(|ids| (&ids.rule, "another provider's id is replaced, in call and answer")),
    );
    let limit = |limit: &'static Option<Limit>| limit.as_ref().map(|limit| &limit.rule);
    rules.extend(limit(&dialect.most_tools).map(|rule| (rule, REFUSED)));
    rules.extend(limit(&dialect.longest_description).map(|rule| (rule, "a warning in the report")));
    let loose = [Some(&dialect.loose), dialect.older.as_ref()];
    rules.extend(loose.into_iter().flatten().flat_map(|form| form.rules).map(|rule| (&rule.rule, REFUSED)));
    if let Some(strict) = &dialect.strict {
        rules.extend(strict.profile.rules.iter().map(|rule| (&rule.rule, LOOSE)));
        rules.extend(strict.budgets.iter().map(|budget| (&budget.limit.rule, LOOSE)));
        rules.extend(strict.whole_request.iter().map(|(rule, _)| (rule, "all tools go out not strict")));
    }
    rules.dedup_by_key(|(rule, _)| rule.text);
    rules
}
