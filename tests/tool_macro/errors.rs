//! Errors of tools: anything that says what it means, and any other error.

use std::fmt;

use serde_json::json;
use toolkit::{Classify, ErrorClass, ToolError, ToolResult, tool};

use super::call;

#[derive(Debug)]
enum AppError {
    Io(std::io::Error),
    Bad(String),
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppError::Io(error) => write!(f, "io: {error}"),
            AppError::Bad(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for AppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AppError::Io(error) => Some(error),
            AppError::Bad(_) => None,
        }
    }
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("gone")]
#[class(not_found)]
struct Gone;

/// `Classify`, and bound to its thread.
#[derive(Debug, thiserror::Error, Classify)]
#[error("local")]
#[class(conflict)]
struct Local(std::marker::PhantomData<*const u8>);

// It is made on the thread that returns it and goes nowhere: the future would not be `Send` if it crossed an await.
type Mine<T> = Result<T, Gone>;
type Boxed = Box<dyn std::error::Error + Send + Sync>;

mod own {
    pub(super) type Result<T, E = super::AppError> = std::result::Result<T, E>;
}

macro_rules! failing {
    ($($name:ident -> $ret:ty { $error:expr })*) => {$(
        /// A tool.
        #[tool(category = Read, max_retries = 0)]
        async fn $name(n: u8) -> $ret {
            if n > 9 { Err($error) } else { Ok(n) }
        }
    )*};
}

failing! {
    plain -> Result<u8, AppError> { AppError::Bad("n > 9".into()) }
    with_source -> Result<u8, AppError> { AppError::Io(std::io::ErrorKind::TimedOut.into()) }
    boxed -> Result<u8, Box<dyn std::error::Error + Send + Sync>> { "n > 9".into() }
    boxed_alias -> Result<u8, Boxed> { Box::new(Gone) }
    any -> anyhow::Result<u8> { anyhow::anyhow!("n > 9") }
    any_context -> anyhow::Result<u8> { anyhow::Error::new(Gone).context("looking it up") }
    words -> Result<u8, String> { "n > 9".to_owned() }
    static_words -> Result<u8, &'static str> { "n > 9" }
    cow_words -> Result<u8, std::borrow::Cow<'static, str>> { "n > 9".into() }
    std_error -> std::io::Result<u8> { std::io::ErrorKind::NotFound.into() }
    fmt_error -> Result<u8, fmt::Error> { fmt::Error }
    classified -> Result<u8, Gone> { Gone }
    alias -> Mine<u8> { Gone }
    own_alias -> own::Result<u8> { AppError::Bad("n > 9".into()) }
    own_with_two -> own::Result<u8, Gone> { Gone }
    full_path -> ::std::result::Result<u8, Gone> { Gone }
    tool_error -> Result<u8, ToolError> { ToolError::new(ErrorClass::RateLimit, "n > 9") }
}

/// A tool.
#[tool(category = Read)]
fn on_its_thread(n: u8) -> Result<u8, Local> {
    if n > 9 { Err(Local(std::marker::PhantomData)) } else { Ok(n) }
}

#[tokio::test]
async fn every_error_is_classified() {
    let class = |result: &ToolResult| result.error().unwrap().class();
    let ten = || json!({"n": 10});
    for (result, expected) in [
        (call::<plain>(ten()).await, ErrorClass::Unknown),
        (call::<with_source>(ten()).await, ErrorClass::Timeout),
        (call::<boxed>(ten()).await, ErrorClass::Unknown),
        (call::<boxed_alias>(ten()).await, ErrorClass::NotFound),
        (call::<any>(ten()).await, ErrorClass::Unknown),
        (call::<any_context>(ten()).await, ErrorClass::NotFound),
        (call::<words>(ten()).await, ErrorClass::Unknown),
        (call::<static_words>(ten()).await, ErrorClass::Unknown),
        (call::<cow_words>(ten()).await, ErrorClass::Unknown),
        (call::<std_error>(ten()).await, ErrorClass::NotFound),
        (call::<fmt_error>(ten()).await, ErrorClass::Internal),
        (call::<classified>(ten()).await, ErrorClass::NotFound),
        (call::<alias>(ten()).await, ErrorClass::NotFound),
        (call::<own_alias>(ten()).await, ErrorClass::Unknown),
        (call::<own_with_two>(ten()).await, ErrorClass::NotFound),
        (call::<full_path>(ten()).await, ErrorClass::NotFound),
        (call::<tool_error>(ten()).await, ErrorClass::RateLimit),
        (call::<on_its_thread>(ten()).await, ErrorClass::Conflict),
    ] {
        assert!(!result.is_success(), "{}", result.text());
        assert_eq!(class(&result), expected, "{}: {}", result.name(), result.text());
        assert!(!result.text().contains("\"Err\""), "{}", result.text());
    }
}

#[tokio::test]
async fn a_success_is_the_value_alone() {
    let nine = || json!({"n": 9});
    for result in [
        call::<plain>(nine()).await,
        call::<boxed>(nine()).await,
        call::<any>(nine()).await,
        call::<words>(nine()).await,
        call::<own_alias>(nine()).await,
        call::<tool_error>(nine()).await,
        call::<on_its_thread>(nine()).await,
    ] {
        assert_eq!(result.text(), "9");
    }
}

#[tokio::test]
async fn the_words_of_the_author_reach_the_model() {
    let ten = || json!({"n": 10});
    for result in [call::<words>(ten()).await, call::<static_words>(ten()).await, call::<cow_words>(ten()).await] {
        assert!(result.text().contains("n > 9"), "{}", result.text());
    }
}
