//! The classifier: who is asked, in which order, and what of the answer counts.

use std::any::TypeId;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder};

use super::chain::{self, MAX_LINKS};
use super::registered::{Host, Known};
use super::types::{self, Inferred};
use super::{Classification, Classify, ErrorClass, message};
use crate::error::{BuildError, ToolError};
use crate::scrub::scrub;

/// Judges the errors that do not judge themselves. Cheap to clone.
///
/// The first of these that knows something decides, whatever the order in which they were given:
/// 1. the outermost error of the chain that is [`Classify`] and known: by its derive under the feature `discover`, or
///    by [`knows`](Self::knows);
/// 2. the outermost type given to [`on`](Self::on), else the innermost one of the [types below](#what-is-known);
/// 3. the words of the message, where a permanent class wins over a transient one.
///
/// Nobody but the tool itself can say that a failure had no effect: of what is found in a chain this does not count.
/// Under the feature `anyhow` what was given to an `anyhow::Error` as a context counts as a link of its chain.
///
/// ```
/// use std::io;
/// use toolkit::{Classification, ErrorClass, ErrorClassifier};
///
/// let classifier = ErrorClassifier::standard()
///     .on::<std::fmt::Error>(|_| Classification::new(ErrorClass::Conflict))
///     .pattern(r"(?i)\bquota exhausted\b", ErrorClass::RateLimit)?;
///
/// assert_eq!(classifier.classify(&io::Error::from(io::ErrorKind::TimedOut)).class(), ErrorClass::Timeout);
/// assert_eq!(classifier.classify(&io::Error::other("Quota exhausted")).class(), ErrorClass::RateLimit);
/// # Ok::<(), toolkit::BuildError>(())
/// ```
///
/// # What is known
///
#[doc = include_str!("TABLE.md")]
#[derive(Clone)]
pub struct ErrorClassifier(Arc<Rules>);

#[derive(Clone)]
struct Rules {
    known: Vec<Known>,
    /// By type id, so that the order of registration is forgotten.
    hosts: Vec<Host>,
    patterns: Vec<(Regex, ErrorClass)>,
}

impl Default for ErrorClassifier {
    fn default() -> Self {
        Self::standard()
    }
}

impl ErrorClassifier {
    /// The types of std, tokio and `serde_json`, every type whose derive is linked in, and the common wordings.
    pub fn standard() -> Self {
        let empty = Self(Arc::new(Rules { known: Vec::new(), hosts: Vec::new(), patterns: Vec::new() }));
        let own = empty.with(Known::sendable::<ToolError>());
        #[cfg(feature = "discover")]
        let own = inventory::iter::<Known>.into_iter().fold(own, |all, known| all.with(*known));
        own
    }

    /// Judges errors of this type, anywhere in a chain.
    ///
    /// A type that is [`Classify`] and known is never asked here, since it speaks for itself. A type given twice is
    /// refused when the executor is built; until then neither verdict counts.
    ///
    /// The type is one that can be sent, since it is also looked for among the contexts of reports, which hold no others.
    #[must_use]
    pub fn on<E>(mut self, judge: impl Fn(&E) -> Classification + Send + Sync + 'static) -> Self
    where
        E: Error + Send + Sync + 'static,
    {
        let hosts = &mut Arc::make_mut(&mut self.0).hosts;
        match hosts.binary_search_by_key(&TypeId::of::<E>(), |host| host.id) {
            Ok(at) => hosts[at].twice = true,
            Err(at) => hosts.insert(at, Host::new(judge)),
        }
        self
    }

    /// Finds errors of this type inside others. `#[derive(Classify)]` does it by itself under the feature `discover`, for
    /// types that stay on their thread, too; here the type is one that can be sent, as for [`on`](Self::on).
    #[must_use]
    pub fn knows<E: Classify + Send + Sync>(self) -> Self {
        self.with(Known::sendable::<E>())
    }

    fn with(mut self, known: Known) -> Self {
        let all = &mut Arc::make_mut(&mut self.0).known;
        if let Err(at) = all.binary_search_by_key(&(known.id)(), |known| (known.id)()) {
            all.insert(at, known);
        }
        self
    }

    /// Judges by the message where no type says anything.
    ///
    /// The syntax is that of the regex crate with ASCII classes: `\b`, `\w`, `\d` and `(?i)` mean ASCII, and so does `.`.
    /// What stands in a URL or in a backtrace is not looked at, nor is anything after the first 4 KiB.
    ///
    /// # Errors
    /// The expression is not valid.
    pub fn pattern(mut self, regex: &str, class: ErrorClass) -> Result<Self, BuildError> {
        // An expression means the same whatever else turned on Unicode tables in the build. Only one that is written in
        // other characters than ASCII is read as Unicode, where it can be.
        let ascii = || RegexBuilder::new(regex).unicode(false).build();
        let compiled = if regex.is_ascii() { ascii() } else { Regex::new(regex).or_else(|_| ascii()) };
        let compiled =
            compiled.map_err(|error| BuildError::from(format!("the pattern `{regex}` is not valid: {error}")))?;
        Arc::make_mut(&mut self.0).patterns.push((compiled, class));
        Ok(self)
    }

    /// What is wrong with the registrations, in a fixed order.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut twice: Vec<_> = self.0.hosts.iter().filter(|host| host.twice).map(|host| host.name).collect();
        twice.sort_unstable();
        twice.into_iter().map(|name| format!("the error type `{name}` is given to `on` twice")).collect()
    }

    /// Judges any error by its chain.
    pub fn classify(&self, error: &(dyn Error + 'static)) -> ToolError {
        self.judge_chain(error, MAX_LINKS, Contexts::default()).tell(error)
    }

    /// Judges a report by its chain and by the errors that were given to it as contexts, which are in no chain.
    #[cfg(feature = "anyhow")]
    pub fn classify_anyhow(&self, report: &anyhow::Error) -> ToolError {
        let error: &(dyn Error + Send + Sync + 'static) = report.as_ref();
        self.judge_chain(error, MAX_LINKS, self.contexts(report)).tell(error)
    }

    /// Judges a report of any kind, such as `anyhow::Error` or a boxed error.
    pub(crate) fn report<E: AsRef<dyn Error + Send + Sync> + 'static>(&self, report: &E) -> ToolError {
        #[cfg(feature = "anyhow")]
        if let Some(report) = (report as &dyn std::any::Any).downcast_ref::<anyhow::Error>() {
            return self.classify_anyhow(report);
        }
        self.classify(report.as_ref())
    }

    /// The verdict of an error on itself, or on the one that it hands over to. The text is its own either way.
    pub(crate) fn judge(&self, error: &dyn Classify) -> ToolError {
        let own = error.classify();
        let Some(inner) = error.delegate() else { return tell(own, || text_of(error)) };
        let text = text_of(error);
        let own_words = !own.hidden && !text.contains(&text_of(inner));
        let verdict = self.judge_chain(inner, MAX_LINKS, Contexts::default()).verdict.of_a_part().under(own);
        // What is kept from the model is the text of the error inside. Words of the author's are not.
        tell(Classification { hidden: verdict.hidden && !own_words, ..verdict }, || text)
    }

    /// Judges an error that a tool returned in a box, and keeps it as the source.
    ///
    /// `authored` says that the tool's author wrote the text, as a `String` or `&str`: the model reads it in any class.
    pub(crate) fn opaque(&self, error: Box<dyn Error + Send + Sync>, authored: bool) -> ToolError {
        if authored {
            let text = text_of(&*error);
            let line = chain::unfold(&text);
            let class = self.class_of_text(&line);
            return tell(Classification::inferred(class), || line.into_owned()).source(error);
        }
        match error.downcast::<ToolError>() {
            Ok(own) => *own,
            Err(error) => self.classify(&*error).source(error),
        }
    }

    fn judge_chain(&self, error: &(dyn Error + 'static), most: usize, contexts: Contexts<'_>) -> Judged {
        let Contexts { known: context, host: mut host_context } = contexts;
        let mut host = None;
        let mut built_in: Option<Inferred> = None;
        for (depth, link) in chain::links(error, most).enumerate() {
            if let Some((_, known)) = context.filter(|(at, _)| *at == depth) {
                return self.judge_known(known, link, depth, most);
            }
            let inferred = types::judge(link);
            // Nobody can implement `Classify` for the types of others, so what is one of them is not looked up.
            if let Some(known) = inferred.is_none().then(|| self.known(link)).flatten() {
                return self.judge_known(known, link, depth, most);
            }
            let given = host_context.take_if(|(at, _)| *at == depth).map(|(_, verdict)| verdict);
            host = host.or(given).or_else(|| self.host(link));
            let is_closer = built_in.is_none_or(|found| !found.is_last_word);
            built_in = inferred.filter(|inferred| is_closer && inferred.class.is_some()).or(built_in);
        }
        let verdict = match (host, built_in) {
            (Some(verdict), _) => {
                let hidden = verdict.hidden || (verdict.message.is_none() && is_secretive(verdict.class));
                Classification { hidden, ..verdict.of_a_part() }
            }
            (None, Some(Inferred { class: Some(class), retry_after, .. })) => inferred(class).retry_after(retry_after),
            (None, _) => {
                let line = chain::line(error, most);
                let verdict = inferred(self.class_of_text(&line));
                return Judged { verdict, speaking: most, line: Some(line) };
            }
        };
        Judged { verdict, speaking: most, line: None }
    }

    fn judge_known(&self, known: &dyn Classify, link: &(dyn Error + 'static), depth: usize, most: usize) -> Judged {
        // The author's text is the one of this link: what is behind it is left to the log.
        let speaking = depth + 1;
        let verdict = match known.delegate() {
            // What hands over to itself has no verdict, and comes here with no links left.
            Some(inner) => self.judge_chain(inner, most - speaking, Contexts::default()).verdict,
            None if depth == 0 && link.is::<ToolError>() => {
                return Judged { verdict: known.classify(), speaking, line: None };
            }
            None => known.classify(),
        };
        Judged { verdict: verdict.of_a_part(), speaking, line: None }
    }

    fn known<'e>(&self, link: &'e (dyn Error + 'static)) -> Option<&'e dyn Classify> {
        let size = size_of_val(link);
        self.0.known.iter().find_map(|known| known.find(link, size))
    }

    fn host(&self, link: &(dyn Error + 'static)) -> Option<Classification> {
        let size = size_of_val(link);
        self.0.hosts.iter().filter(|host| !host.twice).find_map(|host| host.judge(link, size))
    }

    /// The outermost contexts of a report whose types somebody knows.
    #[cfg(feature = "anyhow")]
    fn contexts<'e>(&self, report: &'e anyhow::Error) -> Contexts<'e> {
        let known = self.0.known.iter().filter_map(|known| known.context(report)).min_by_key(|(depth, _)| *depth);
        let hosts = self.0.hosts.iter().filter(|host| !host.twice);
        let host = hosts.filter_map(|host| host.context(report)).min_by_key(|(depth, _)| *depth);
        Contexts { known, host }
    }

    fn class_of_text(&self, text: &str) -> ErrorClass {
        message::class_of(text, &self.0.patterns)
    }
}

impl fmt::Debug for ErrorClassifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErrorClassifier")
            .field("known", &self.0.known.len())
            .field("on", &self.0.hosts.iter().map(|host| host.name).collect::<Vec<_>>())
            .field("patterns", &self.0.patterns)
            .finish()
    }
}

/// What a report holds beside its chain, and which link stands for it.
#[derive(Default)]
struct Contexts<'e> {
    known: Option<(usize, &'e dyn Classify)>,
    host: Option<(usize, Classification)>,
}

struct Judged {
    verdict: Classification,
    /// How many links of the chain the message tells.
    speaking: usize,
    /// Their texts, where they were read already.
    line: Option<String>,
}

impl Judged {
    fn tell(self, error: &(dyn Error + 'static)) -> ToolError {
        let Self { verdict, speaking, line } = self;
        tell(verdict, || line.unwrap_or_else(|| chain::line(error, speaking)))
    }
}

impl Classification {
    /// The verdict on a part of what a tool did. That this part had no effect says nothing about the part before it,
    /// and that it was turned down does not say that the tool was.
    pub(crate) fn of_a_part(self) -> Self {
        Self { no_effect: false, stated: false, ..self }
    }

    /// The verdict on the error inside, with what the author of the outer one says about it beside the class.
    fn under(self, outer: Classification) -> Self {
        Self {
            class: self.class,
            retry_after: outer.retry_after.or(self.retry_after),
            no_effect: outer.no_effect,
            hidden: outer.hidden || (self.hidden && outer.message.is_none()),
            stated: false,
            message: outer.message.or(self.message),
            details: if outer.details.is_empty() { self.details } else { outer.details },
        }
    }
}

fn inferred(class: ErrorClass) -> Classification {
    Classification { hidden: is_secretive(class), ..Classification::inferred(class) }
}

/// Whether the text of such a failure, unless somebody wrote it for the model, is about the insides of a program.
fn is_secretive(class: ErrorClass) -> bool {
    matches!(class, ErrorClass::Internal | ErrorClass::Unknown)
}

fn tell(mut verdict: Classification, text: impl FnOnce() -> String) -> ToolError {
    let message = verdict.message.take().map_or_else(text, Cow::into_owned);
    let scrubbed = match scrub(&message) {
        Cow::Borrowed(_) => None,
        Cow::Owned(scrubbed) => Some(scrubbed),
    };
    ToolError::judged(verdict, scrubbed.unwrap_or(message))
}

fn text_of(error: &(impl fmt::Display + ?Sized)) -> String {
    use fmt::Write as _;

    let mut text = String::with_capacity(chain::USUAL);
    // A `Display` that fails must not fail the call; what it wrote so far stands.
    let _ = write!(text, "{error}");
    text
}
