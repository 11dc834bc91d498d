//! The set of tools, and what an operator can get wrong.

use std::sync::Arc;

use serde_json::json;
use toolkit::{
    BuildError, Category, Classification, ErrorClass, ErrorClassifier, Executor, Registry, RetryPolicy, ToolCall, tool,
};

/// The first of its name.
#[tool(category = Read, name = "twin")]
async fn elder() -> &'static str {
    "elder"
}

mod other {
    use toolkit::tool;

    /// The second of its name.
    #[tool(category = Read, name = "twin")]
    pub(super) async fn younger() -> &'static str {
        "younger"
    }
}

/// Reads.
#[tool(category = Read)]
async fn alpha() {}

/// Writes.
#[tool(category = Write)]
async fn beta() {}

/// Computes.
#[tool(category = Compute)]
async fn gamma() {}

fn problems<T>(result: Result<T, BuildError>) -> Vec<String> {
    match result {
        Ok(_) => panic!("it was built"),
        Err(error) => {
            let all = error.problems().to_vec();
            assert!(all.iter().all(|problem| error.to_string().contains(problem.as_str())));
            all
        }
    }
}

#[test]
fn two_tools_of_one_name_are_refused_with_the_places_of_both() {
    let found = problems(Registry::builder().tool::<elder>().tool::<alpha>().tool::<other::younger>().build());
    assert_eq!(found.len(), 1, "{found:?}");
    let line = |registry: toolkit::RegistryBuilder| registry.build().unwrap().get("twin").unwrap().location().line();
    let lines = [line(Registry::builder().tool::<elder>()), line(Registry::builder().tool::<other::younger>())];
    assert!(found[0].starts_with("two tools are called `twin`: "), "{found:?}");
    for (module, line) in [("toolkit_tests::registry (", lines[0]), ("toolkit_tests::registry::other (", lines[1])] {
        assert!(found[0].contains(module) && found[0].contains(&format!("registry.rs:{line})")), "{found:?}");
    }
    let reversed = problems(Registry::builder().tool::<other::younger>().tool::<elder>().build());
    assert_eq!(reversed, found);
}

#[test]
fn tools_stand_in_the_order_of_their_names_however_they_came() {
    let one = Registry::builder().tool::<gamma>().tool::<alpha>().tool::<beta>().build().unwrap();
    let two = Registry::builder().tool::<beta>().tool::<gamma>().tool::<alpha>().tool::<beta>().build().unwrap();
    assert_eq!(one.names(), ["alpha", "beta", "gamma"]);
    assert_eq!(two.names(), one.names());
    assert_eq!((one.len(), one.is_empty(), one.iter().len()), (3, false, 3));
    assert_eq!(format!("{one:?}"), r#"["alpha", "beta", "gamma"]"#);
}

#[test]
fn a_tool_that_is_not_there_cannot_be_left_out() {
    let found = problems(Registry::builder().tool::<alpha>().without("alhpa").without("alpha").without("x").build());
    assert_eq!(found, ["there is no tool `alhpa` to leave out", "there is no tool `x` to leave out"]);
    assert!(Registry::builder().tool::<alpha>().without("alpha").build().unwrap().is_empty());
}

#[tokio::test]
async fn a_filter_keeps_what_it_says_and_the_original_stays() {
    let all = Registry::builder().tool::<alpha>().tool::<beta>().tool::<gamma>().build().unwrap();
    let harmless = all.filter(|spec| spec.category() != Category::Write);
    assert_eq!((harmless.names(), all.len()), (vec!["alpha", "gamma"], 3));
    let executor = Executor::builder(harmless).build().unwrap();
    assert!(executor.call(ToolCall::new("gamma", "")).await.is_success());
    let absent = executor.call(ToolCall::new("beta", "")).await;
    assert!(absent.text().contains("there is no tool") && !absent.text().contains("`beta`,"), "{}", absent.text());
}

struct Orders;
struct Mail;

/// Needs one value.
#[tool(category = Read)]
async fn with_orders(#[state] orders: &Orders) {
    let Orders = orders;
}

/// Needs two values.
#[tool(category = Read)]
async fn with_both(#[state] orders: &Orders, #[state] mail: &Mail) {
    let (Orders, Mail) = (orders, mail);
}

fn stateful() -> Registry {
    Registry::builder().tool::<with_orders>().tool::<with_both>().build().unwrap()
}

#[test]
fn every_missing_state_is_named_with_the_tools_that_need_it() {
    let found = problems(Executor::builder(stateful()).build());
    assert_eq!(
        found,
        [
            "no state of type `toolkit_tests::registry::Mail` was given, and `with_both` needs it",
            "no state of type `toolkit_tests::registry::Orders` was given, and `with_both`, `with_orders` need it",
        ]
    );
    assert_eq!(problems(Executor::builder(stateful()).state(Orders).build()).len(), 1);
}

#[tokio::test]
async fn a_state_may_be_shared() {
    let executor = Executor::builder(stateful()).state(Arc::new(Orders)).state(Mail).build().unwrap();
    assert!(executor.call(ToolCall::new("with_both", json!({}))).await.is_success());
}

#[test]
fn a_state_is_given_once_and_in_one_way() {
    let twice = problems(Executor::builder(stateful()).state(Orders).state(Mail).state(Orders).build());
    assert_eq!(twice, ["a state of type `toolkit_tests::registry::Orders` is given twice"]);
    let two_ways = problems(Executor::builder(stateful()).state(Orders).state(Mail).state(Arc::new(Mail)).build());
    assert_eq!(two_ways, ["a state of type `toolkit_tests::registry::Mail` is given in two ways"]);
}

struct Counter(u32);

#[toolkit::tools]
impl Counter {
    /// Counts from where it stands.
    #[tool(category = Read)]
    async fn count_on(&self, by: u32) -> u32 {
        self.0 + by
    }

    /// Counts on another thread.
    #[tool(category = Read)]
    fn count_aside(&self, by: u32) -> u32 {
        self.0 + by
    }

    /// Needs no counter.
    #[tool(category = Compute)]
    async fn double(number: u32) -> u32 {
        number * 2
    }
}

#[tokio::test]
async fn methods_are_tools_of_the_value_that_was_given() {
    for registry in [
        Registry::builder().service(Counter(7)).build().unwrap(),
        Registry::builder().service(Arc::new(Counter(7))).build().unwrap().filter(|_| true),
    ] {
        assert_eq!(registry.names(), ["count_aside", "count_on", "double"]);
        let executor = Executor::builder(registry).build().unwrap();
        for (name, arguments, text) in [
            ("count_on", r#"{"by": 1}"#, "8"),
            ("count_aside", r#"{"by": 2}"#, "9"),
            ("double", r#"{"number": 4}"#, "8"),
        ] {
            assert_eq!(executor.call(ToolCall::new(name, arguments)).await.text(), text);
        }
    }
}

#[test]
fn a_service_is_given_once_and_in_one_way() {
    let twice = problems(Registry::builder().service(Counter(1)).service(Counter(2)).build());
    assert_eq!(twice, ["a service of type `toolkit_tests::registry::Counter` is given twice"]);
    let registry = Registry::builder().service(Counter(1)).build().unwrap();
    let both = problems(Executor::builder(registry).state(Counter(2)).build());
    assert_eq!(both, ["a state of type `toolkit_tests::registry::Counter` is given in two ways"]);
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let classifier = ErrorClassifier::standard()
        .on::<std::fmt::Error>(|_| Classification::new(ErrorClass::Conflict))
        .on::<std::fmt::Error>(|_| Classification::new(ErrorClass::NotFound));
    let builder = Executor::builder(stateful())
        .state(Orders)
        .state(Orders)
        .default_timeout(std::time::Duration::ZERO)
        .classifier(classifier);
    let found = problems(builder.build());
    assert_eq!(found.len(), 4, "{found:?}");
    for part in ["given twice", "time limit of zero", "registry::Mail` was given", "fmt::Error"] {
        assert!(found.iter().any(|problem| problem.contains(part)), "{part} in {found:?}");
    }
    let policy = RetryPolicy::builder()
        .class(ErrorClass::NotFound, toolkit::Backoff::immediate())
        .class(ErrorClass::Network, toolkit::Backoff::fixed(std::time::Duration::ZERO));
    assert_eq!(problems(policy.build()).len(), 2);
}
