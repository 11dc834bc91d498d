use std::collections::BTreeSet;

use proptest::collection::btree_set;
use proptest::prelude::*;

use super::*;
use crate::provider::openai_chat::DIALECT;

static RULE: &NameRule = &DIALECT.names;

fn names<'a>(list: impl IntoIterator<Item = &'a str>) -> Names {
    Names::new(RULE, list)
}

#[test]
fn a_name_that_is_taken_stays() {
    let longest = "x".repeat(64);
    let names = names(["get_user", "1st-tool", "-lead", &longest]);
    assert_eq!(names.rewritten().count(), 0);
    assert_eq!(names.sent(&longest), longest);
}

#[test]
fn a_name_that_is_refused_is_rewritten_and_mapped_back() {
    let too_long = "x".repeat(65);
    for name in ["admin.tools.list", "Dockerfile problems scanner", "größe", "", "fs/read", "tool:run", &too_long] {
        let names = names([name]);
        let sent = names.sent(name);
        assert!(RULE.takes(sent), "{name} became {sent}");
        assert_eq!(names.own(sent), name);
    }
    assert_eq!(names(["read.file"]).sent("read.file"), "read_file");
}

#[test]
fn two_names_never_meet() {
    let names = names(["read.file", "read/file", "read_file"]);
    assert_eq!(names.sent("read_file"), "read_file");
    assert_ne!(names.sent("read.file"), names.sent("read/file"));
    for own in ["read.file", "read/file", "read_file"] {
        assert_eq!(names.own(names.sent(own)), own);
    }
}

#[test]
fn the_hash_is_the_same_in_every_build() {
    let names = names(["a.b", "a_b"]);
    assert_eq!(names.sent("a.b"), format!("a_b_{:08x}", hash("a.b", 0)));
    assert_eq!(hash("a", 0), 0xe40c_292c);
}

#[test]
fn a_name_that_the_model_made_up_goes_back_as_one_that_is_taken() {
    let names = names(["get_weather", "read.file"]);
    assert_eq!(names.replayed("get_wether"), "get_wether");
    assert_eq!(names.replayed("read.file"), "read_file");
    assert_eq!(names.replayed("read_file"), "read_file");
    assert_eq!(names.replayed(""), "unnamed");
    assert_eq!(names.replayed("../../etc/passwd"), "______etc_passwd");
    assert_eq!(names.replayed(&"x".repeat(200)), "x".repeat(64));
    let near = names.replayed("get.weather");
    assert!(RULE.takes(&near) && near.starts_with("get_weather_"), "{near}");
}

/// Names that are likely to meet when they are rewritten.
fn any_names() -> impl Strategy<Value = BTreeSet<String>> {
    let near = "[ab._/ -]{0,4}";
    let long = "[a-c.]{60,70}";
    let any = ".{0,70}";
    btree_set(prop_oneof![near, long, any], 0..24)
}

proptest! {
    #[test]
    fn rewriting_is_injective(all in any_names()) {
        let names = names(all.iter().map(String::as_str));
        let sent: BTreeSet<&str> = all.iter().map(|name| names.sent(name)).collect();
        prop_assert_eq!(sent.len(), all.len());
        for name in &all {
            let sent = names.sent(name);
            prop_assert!(RULE.takes(sent), "{} became {}", name, sent);
            prop_assert_eq!(names.own(sent), name);
        }
    }

    #[test]
    fn what_goes_back_is_taken_and_names_no_other_tool(all in any_names(), written in ".{0,80}") {
        let names = names(all.iter().map(String::as_str));
        let back = names.replayed(&written);
        prop_assert!(RULE.takes(&back));
        if !names.know(&written) {
            prop_assert!(!names.know(&back));
        }
    }
}
