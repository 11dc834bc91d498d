//! `anyhow`: causes that only the chain has, and contexts that only the report has.

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use anyhow::Context as _;
use toolkit::{
    Classification, Classify, ErrorClass, ErrorClassifier, Executor, Registry, StopReason, ToolCall, ToolError, tool,
};

#[derive(Debug, thiserror::Error, Classify)]
#[error("slow down for {after_s} s")]
#[class(rate_limit, retry_after(secs) = after_s, no_effect)]
struct RateLimited {
    after_s: u64,
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("the order is closed")]
#[class(conflict)]
struct Closed;

/// Bound to no registry: nothing derives it.
#[derive(Debug, thiserror::Error)]
#[error("the shop is shut")]
struct Shut;

#[derive(Debug, thiserror::Error)]
#[error("http client")]
struct Wrap(#[source] io::Error);

fn refused() -> Wrap {
    Wrap(io::Error::new(ErrorKind::ConnectionRefused, "refused"))
}

fn judge(report: &anyhow::Error) -> ToolError {
    ErrorClassifier::standard().classify_anyhow(report)
}

#[test]
fn an_io_error_tells_what_is_in_it() {
    let typed = io::Error::other(RateLimited { after_s: 7 });
    assert!(std::error::Error::source(&typed).is_none(), "so that no walk along the sources finds it");
    let judged = crate::judge(&typed);
    assert_eq!(judged.class(), ErrorClass::RateLimit);
    assert_eq!(judged.retry_after_hint(), Some(Duration::from_secs(7)));
    assert_eq!(crate::class(&io::Error::other(io::Error::from(ErrorKind::TimedOut))), ErrorClass::Timeout);
    assert_eq!(crate::class(&io::Error::new(ErrorKind::TimedOut, "x")), ErrorClass::Timeout);
}

#[test]
fn a_cause_is_found_behind_a_context_in_words() {
    let report = Err::<(), _>(refused()).context("fetching page 3").unwrap_err();
    assert!(report.downcast_ref::<io::Error>().is_none(), "the report itself does not tell it");
    let judged = judge(&report);
    assert_eq!(judged.class(), ErrorClass::Network);
    assert_eq!(judged.message(), "fetching page 3: http client: refused");
}

#[test]
fn a_context_with_a_type_speaks() {
    let report = anyhow::Error::from(refused()).context(RateLimited { after_s: 9 });
    assert!(report.chain().all(|link| !link.is::<RateLimited>()), "the chain does not tell it");
    let judged = judge(&report);
    assert_eq!(judged.class(), ErrorClass::RateLimit);
    assert_eq!(judged.retry_after_hint(), Some(Duration::from_secs(9)));
    assert_eq!(judged.message(), "slow down for 9 s", "the words of its author, and of nobody behind");
    assert!(!judged.has_no_effect() && !judged.is_stated(), "an earlier step of the tool may have had one");

    let deeper = judge(&report.context("fetching page 3"));
    assert_eq!(deeper.class(), ErrorClass::RateLimit);
    assert_eq!(deeper.message(), "fetching page 3: slow down for 9 s");
    assert_eq!(judge(&anyhow::anyhow!("x").context(RateLimited { after_s: 9 })).class(), ErrorClass::RateLimit);
}

#[test]
fn of_several_the_outermost_counts() {
    let both = |first: fn(anyhow::Error) -> anyhow::Error, second: fn(anyhow::Error) -> anyhow::Error| {
        judge(&second(first(refused().into()).context("between"))).class()
    };
    let closed = |report: anyhow::Error| report.context(Closed);
    let limited = |report: anyhow::Error| report.context(RateLimited { after_s: 1 });
    assert_eq!(both(closed, limited), ErrorClass::RateLimit);
    assert_eq!(both(limited, closed), ErrorClass::Conflict);
    // One in the chain, and one beside it.
    let root = anyhow::Error::from(Closed).context(RateLimited { after_s: 1 });
    assert_eq!(judge(&root).class(), ErrorClass::RateLimit);
    let inside = anyhow::Error::from(io::Error::other(RateLimited { after_s: 1 })).context("x").context(Closed);
    assert_eq!(judge(&inside).class(), ErrorClass::Conflict);
    let of_the_crate = anyhow::Error::from(Closed).context(ToolError::new(ErrorClass::NotFound, "no order"));
    assert_eq!(judge(&of_the_crate).class(), ErrorClass::NotFound);
}

#[test]
fn the_host_judges_contexts_too() {
    let report = anyhow::Error::from(refused()).context(Shut).context("x");
    assert_eq!(judge(&report).class(), ErrorClass::Network);
    let host = ErrorClassifier::standard().on::<Shut>(|_| Classification::new(ErrorClass::ServiceUnavailable));
    assert_eq!(host.classify_anyhow(&report).class(), ErrorClass::ServiceUnavailable);
    // Of two types of the host's the outermost, and what speaks for itself before both.
    let host = host.on::<Wrap>(|_| Classification::new(ErrorClass::NotFound));
    assert_eq!(host.classify_anyhow(&report).class(), ErrorClass::ServiceUnavailable);
    assert_eq!(host.classify_anyhow(&anyhow::Error::from(refused()).context("x")).class(), ErrorClass::NotFound);
    assert_eq!(host.classify_anyhow(&report.context(Closed)).class(), ErrorClass::Conflict);
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("the page cannot be had")]
#[class(delegate)]
struct Page(#[source] Report);

/// A report is no error by itself, so thiserror takes its error out of it.
type Report = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, Classify)]
#[class(delegate)]
struct Kept(Option<anyhow::Error>);

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("kept")
    }
}

impl std::error::Error for Kept {}

#[test]
fn a_report_in_a_field_is_asked_for_its_contexts() {
    let limited = || anyhow::Error::from(refused()).context(RateLimited { after_s: 9 }).context("x");
    let kept = Kept(Some(limited())).classify();
    assert_eq!((kept.class(), kept.retry_after_hint()), (ErrorClass::RateLimit, Some(Duration::from_secs(9))));
    assert!(!kept.has_no_effect());
    let plain = Kept(Some(anyhow::Error::from(refused()).context("x")));
    assert_eq!(crate::class(&plain), ErrorClass::Network);
    assert_eq!(Kept(None).classify().class(), ErrorClass::Unknown);
    assert_eq!(crate::class(&Page(refused().into())), ErrorClass::Network);
}

/// Says its text and nothing else.
#[derive(Debug)]
struct Word;

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("word")
    }
}

#[test]
fn a_context_that_is_no_error_is_a_text() {
    let judged = judge(&anyhow::Error::from(refused()).context(Word));
    assert_eq!((judged.class(), judged.message()), (ErrorClass::Network, "word: http client: refused"));
}

/// Fetches a page.
#[tool(category = Read)]
async fn fetch_page(page: u32, ctx: &toolkit::ToolContext) -> anyhow::Result<u32> {
    match (page, ctx.attempt()) {
        (1, 1) => Err(refused()).context("fetching page 1"),
        (2, 1) => Err(anyhow::anyhow!("bad").context(ToolError::new(ErrorClass::NotFound, "there is no page 2"))),
        (3, 1) => Err(anyhow::Error::from(refused()).context(Closed)),
        (4, 1) => Err(anyhow::Error::from(Closed)),
        _ => Ok(page),
    }
}

#[tokio::test]
async fn a_tool_that_returns_a_report() {
    let registry = Registry::builder().tool::<fetch_page>().build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    let call = async |page: u32| executor.call(ToolCall::new("fetch_page", format!(r#"{{"page": {page}}}"#))).await;

    let result = call(1).await;
    assert_eq!((result.text(), result.attempts().len()), ("1", 2), "the cause is transient");
    for (page, class) in [(2, ErrorClass::NotFound), (3, ErrorClass::Conflict), (4, ErrorClass::Conflict)] {
        let result = call(page).await;
        assert_eq!(result.stop(), Some(StopReason::Permanent), "{page}");
        assert_eq!(result.error().map(ToolError::class), Some(class), "{page}");
        assert_eq!(result.attempts().len(), 1, "{page}");
    }
}
