//! The keys of `#[tool(…)]`, and attributes beside it.

use std::time::Duration;

use serde_json::json;
use toolkit::{Category, Registry, Tool, ToolSpec, tool};

use super::run;

fn spec<T: Tool>(look: impl FnOnce(&ToolSpec)) {
    let registry = Registry::builder().tool::<T>().build().unwrap();
    look(registry.iter().next().unwrap());
}

/// A tool.
#[tool(category = Read)]
async fn least() {}

/// A tool.
#[tool(
    category = toolkit::Category::Dangerous,
    max_retries = 10,
    idempotent = true,
    timeout = "1m",
    max_output = 100,
    name = "the_most",
    description = "Everything that can be said.",
    handle = Most,
    crate = ::toolkit,
)]
async fn most() {}

#[test]
fn what_is_not_said_has_its_default() {
    spec::<least>(|spec| {
        assert_eq!((spec.name(), spec.description(), spec.category()), ("least", "A tool.", Category::Read));
        assert_eq!((spec.max_retries(), spec.idempotent()), (2, true));
        assert_eq!((spec.timeout(), spec.max_output()), (None, None));
    });
}

#[test]
fn what_is_said_holds() {
    spec::<Most>(|spec| {
        let said = (spec.name(), spec.description(), spec.category());
        assert_eq!(said, ("the_most", "Everything that can be said.", Category::Dangerous));
        assert_eq!((spec.max_retries(), spec.idempotent()), (10, true));
        assert_eq!((spec.timeout(), spec.max_output()), (Some(Duration::from_mins(1)), Some(100)));
    });
}

macro_rules! categories {
    ($($name:ident: $category:ident $idempotent:literal;)*) => {$(
        #[test]
        fn $name() {
            /// A tool.
            #[tool(category = $category)]
            async fn one() {}
            spec::<one>(|spec| {
                assert_eq!(spec.category(), Category::$category);
                assert_eq!(spec.idempotent(), $idempotent);
            });
        }
    )*};
}

categories! {
    reading_twice_is_reading_once: Read true;
    computing_twice_is_computing_once: Compute true;
    writing_twice_may_be_two_writes: Write false;
    telling_twice_is_telling_two_things: Communicate false;
    danger_is_never_doubled: Dangerous false;
}

#[test]
fn durations_are_written_with_their_unit() {
    /// A tool.
    #[tool(category = Read, timeout = "1500ms")]
    async fn millis() {}
    /// A tool.
    #[tool(category = Read, timeout = "2s")]
    async fn seconds() {}
    spec::<millis>(|spec| assert_eq!(spec.timeout(), Some(Duration::from_millis(1500))));
    spec::<seconds>(|spec| assert_eq!(spec.timeout(), Some(Duration::from_secs(2))));
}

mod deprecated {
    #![allow(deprecated, reason = "the derives mention the type")]

    #[deprecated(note = "use another")]
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Old(pub(super) u8);
}

#[allow(deprecated)]
use deprecated::Old;

/// Old, and still there.
#[tool(category = Read)]
#[deprecated(note = "use another")]
#[allow(deprecated)]
#[must_use]
#[inline]
#[track_caller]
#[doc(alias = "ancient")]
fn old(mut old: Old) -> u8 {
    old.0 += 1;
    old.0
}

/// A tool whose author expects a lint that the expansion meets too.
#[expect(deprecated, reason = "kept for old models")]
#[tool(category = Read)]
async fn of_old(old: Old) -> u8 {
    old.0
}

#[tokio::test]
async fn other_attributes_stay_on_the_function() {
    assert_eq!(run::<old>(json!({"old": 1})).await, "2");
    assert_eq!(run::<of_old>(json!({"old": 1})).await, "1");
}

#[test]
fn the_place_is_that_of_the_function() {
    spec::<least>(|spec| {
        let location = spec.location();
        assert_eq!(location.module(), "toolkit_tests::tool_macro::attributes");
        let source = include_str!("attributes.rs").lines().nth(location.line() as usize - 1).unwrap();
        assert_eq!(source, "async fn least() {}");
        assert!(location.to_string().contains("attributes.rs:"), "{location}");
    });
}
