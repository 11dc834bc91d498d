//! What happened, step by step: kept as a record, and shown while it happens.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::mail::SentMail;
use crate::terminal::{Paint, WIDTH, columns, cut, harmless, pad, wrap};
use crate::words::{Lang, Words};

const LABEL: usize = 10;
const BAR: usize = 24;
/// Keys of a feedback are short; a longer one comes from elsewhere.
const MAX_KEY: usize = 24;
/// A failure is what this example is about; a success only has to be recognised.
const FAILURE_LINES: usize = 16;
const SUCCESS_LINES: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Who {
    Customer,
    Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallEnd {
    Succeeded,
    Failed,
    NotExecuted,
    Unknown,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Step {
    Said {
        who: Who,
        text: String,
    },
    /// A call, with the arguments as the model wrote them.
    Called {
        id: String,
        tool: String,
        arguments: String,
    },
    Ran(Ran),
}

/// What became of a call.
#[derive(Debug, Serialize)]
pub(crate) struct Ran {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) end: CallEnd,
    /// Why there was no further attempt.
    pub(crate) stop: Option<String>,
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    pub(crate) duration: Duration,
    pub(crate) attempts: Vec<AttemptLine>,
    pub(crate) repairs: Vec<RepairLine>,
    /// What the model reads.
    pub(crate) told: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct AttemptLine {
    pub(crate) number: u32,
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    pub(crate) duration: Duration,
    pub(crate) error: Option<ErrorLine>,
    #[serde(rename = "wait_milliseconds", serialize_with = "optional_milliseconds")]
    pub(crate) delay: Option<Duration>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ErrorLine {
    pub(crate) class: String,
    pub(crate) message: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct RepairLine {
    pub(crate) path: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct ToolCount {
    pub(crate) calls: usize,
    pub(crate) attempts: usize,
}

/// What was really done, as the database, the mail folder and the shipping service saw it.
#[derive(Debug, Serialize)]
pub(crate) struct Done {
    pub(crate) rows_read: usize,
    pub(crate) rows_changed: usize,
    pub(crate) outbox: String,
    pub(crate) mails: Vec<SentMail>,
    pub(crate) shipping_requests: BTreeMap<String, u32>,
    #[serde(rename = "milliseconds", serialize_with = "milliseconds")]
    pub(crate) duration: Duration,
}

/// The whole run.
#[derive(Serialize)]
struct Record<'a> {
    language: Lang,
    model: &'a str,
    steps: &'a [Step],
    tools: BTreeMap<&'a str, ToolCount>,
    done: &'a Done,
}

/// Keeps the steps and shows each as it comes, or, for `--json`, the whole record at the end.
pub(crate) struct Transcript<W> {
    lang: Lang,
    paint: Paint,
    json: bool,
    out: W,
    model: String,
    steps: Vec<Step>,
    /// Nothing more is shown once the reader has gone.
    gone: Option<io::Error>,
}

impl<W: Write> Transcript<W> {
    pub(crate) fn new(lang: Lang, json: bool, colour: bool, model: String, out: W) -> Self {
        Self { lang, paint: Paint { colour }, json, out, model, steps: Vec::new(), gone: None }
    }

    pub(crate) fn title(&mut self, orders: u32, shipping: impl std::fmt::Display) {
        let words = self.lang.words();
        let facts =
            format!("{orders} {} · {} {shipping} · {} {}", words.orders, words.shipping, words.model, self.model);
        let rule = self.paint.dim(&"─".repeat(WIDTH));
        let title = self.paint.bold(words.title);
        self.show(&[format!("{title}  {}", self.paint.dim(&facts)), rule]);
    }

    pub(crate) fn step(&mut self, step: Step) {
        let lines = lines_of(&step, self.steps.last(), self.lang.words(), self.paint);
        self.steps.push(step);
        self.show(&lines);
    }

    /// Shows the end; an error is the first one of all that was shown.
    pub(crate) fn end(&mut self, done: &Done) -> io::Result<()> {
        let tools = tool_counts(&self.steps);
        if self.json {
            let record = Record { language: self.lang, model: &self.model, steps: &self.steps, tools, done };
            serde_json::to_writer_pretty(&mut self.out, &record)?;
            return writeln!(self.out);
        }
        let lines = summary(done, &tools, self.lang.words(), self.paint);
        self.show(&lines);
        self.gone.take().map_or(Ok(()), Err)
    }

    fn show(&mut self, lines: &[String]) {
        if self.json || self.gone.is_some() {
            return;
        }
        let written = lines.iter().try_for_each(|line| writeln!(self.out, "{line}")).and_then(|()| self.out.flush());
        self.gone = written.err();
    }
}

fn tool_counts(steps: &[Step]) -> BTreeMap<&str, ToolCount> {
    let mut tools: BTreeMap<&str, ToolCount> = BTreeMap::new();
    for step in steps {
        if let Step::Ran(ran) = step {
            let count = tools.entry(&ran.tool).or_default();
            count.calls += 1;
            count.attempts += ran.attempts.len();
        }
    }
    tools
}

fn lines_of(step: &Step, before: Option<&Step>, words: &Words, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    match step {
        Step::Said { who, text } => {
            let label = match who {
                Who::Customer => paint.cyan(&pad(words.customer, LABEL)),
                Who::Model => paint.bold(&pad(words.model, LABEL)),
            };
            lines.push(String::new());
            lines.extend(labelled(&label, &wrap(&harmless(text), WIDTH - LABEL)));
        }
        Step::Called { tool, arguments, .. } => {
            // A call stands under the words that came with it.
            let label = if matches!(before, Some(Step::Said { who: Who::Model, .. } | Step::Called { .. })) {
                " ".repeat(LABEL)
            } else {
                lines.push(String::new());
                paint.bold(&pad(words.model, LABEL))
            };
            let text = wrap(&harmless(&format!("{tool} {arguments}")), WIDTH - LABEL - 2);
            let text = text.iter().enumerate().map(|(place, line)| {
                let line = match line.strip_prefix(tool.as_str()) {
                    Some(rest) if place == 0 => format!("{}{}", paint.cyan(tool), paint.dim(rest)),
                    _ => paint.dim(line),
                };
                if place == 0 { format!("→ {line}") } else { format!("  {line}") }
            });
            lines.extend(labelled(&label, &text.collect::<Vec<_>>()));
        }
        Step::Ran(ran) => lines.extend(labelled(&paint.bold(&pad(words.desk, LABEL)), &ran_lines(ran, words, paint))),
    }
    lines
}

fn labelled(label: &str, lines: &[String]) -> Vec<String> {
    let blank = " ".repeat(LABEL);
    let label_of = |place| if place == 0 { label } else { blank.as_str() };
    lines.iter().enumerate().map(|(place, line)| format!("{}{line}", label_of(place))).collect()
}

fn ran_lines(ran: &Ran, words: &Words, paint: Paint) -> Vec<String> {
    let succeeded = ran.end == CallEnd::Succeeded;
    let mark = if succeeded { paint.green("✓") } else { paint.red("✗") };
    let end = match ran.end {
        CallEnd::Succeeded => words.ok,
        CallEnd::Failed => words.failed,
        CallEnd::NotExecuted => words.not_run,
        CallEnd::Unknown => words.unknown,
    };
    let mut facts = vec![end.to_owned()];
    facts.extend(ran.stop.as_ref().map(|stop| harmless(stop)));
    if !ran.attempts.is_empty() {
        facts.push(seconds(ran.duration));
    }
    let mut lines = vec![format!("{mark} {}  {}", paint.cyan(&harmless(&ran.tool)), facts.join(" · "))];
    for repair in &ran.repairs {
        let text = format!("  {} {}: {} → {}", words.repaired, repair.path, repair.from, repair.to);
        lines.push(paint.yellow(&cut(&harmless(&text), WIDTH - LABEL)));
    }
    if ran.attempts.len() > 1 || ran.attempts.iter().any(|attempt| attempt.error.is_some()) {
        lines.extend(timeline(&ran.attempts, words, paint));
    }
    let limit = if succeeded { SUCCESS_LINES } else { FAILURE_LINES };
    let margin = columns(words.told) + 5;
    let told = told_lines(&ran.told, WIDTH - LABEL - margin - 1);
    for (place, line) in told.iter().take(limit).enumerate() {
        let label = if place == 0 { words.told } else { "" };
        let more = if place + 1 == limit && told.len() > limit { "…" } else { "" };
        lines.push(paint.dim(&format!("  {} │ {line}{more}", pad(label, margin - 5))));
    }
    lines
}

/// The text as it is, or, where it is a JSON object over several lines, its keys beside their values: that is easier on
/// the eyes, and the exact text stands in the record.
fn told_lines(told: &str, width: usize) -> Vec<String> {
    let object = if told.starts_with("{\n") { serde_json::from_str::<Map<String, Value>>(told).ok() } else { None };
    let Some(object) = object else { return wrap(&harmless(told), width) };
    let key_width = object.keys().map(|key| columns(key)).max().unwrap_or(0).min(MAX_KEY) + 2;
    let mut lines = Vec::new();
    for (key, value) in &object {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(list) if list.iter().all(Value::is_string) => {
                list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        };
        for (place, line) in wrap(&harmless(&text), width - key_width).iter().enumerate() {
            let key = if place == 0 { cut(&harmless(key), key_width - 2) } else { String::new() };
            lines.push(format!("{}{line}", pad(&key, key_width)));
        }
    }
    lines
}

/// One line for each attempt: where it lies in the call's time, how long it took, how it ended, and the wait after it.
fn timeline(attempts: &[AttemptLine], words: &Words, paint: Paint) -> Vec<String> {
    let total: Duration = attempts.iter().map(|attempt| attempt.duration + attempt.delay.unwrap_or_default()).sum();
    let column = |at: Duration| {
        let part = at.as_micros().saturating_mul(BAR as u128).checked_div(total.as_micros()).unwrap_or(0);
        usize::try_from(part).unwrap_or(BAR).min(BAR)
    };
    let wait_of = |attempt: &AttemptLine| attempt.delay.map(|delay| format!("{} {}", words.waits, seconds(delay)));
    let class_of = |attempt: &AttemptLine| match &attempt.error {
        None => words.ok.to_owned(),
        Some(error) => harmless(&error.class),
    };
    let widest = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| columns(&text)).max().unwrap_or(0);
    let class_width = widest(&mut attempts.iter().map(class_of));
    let wait_width = widest(&mut attempts.iter().filter_map(wait_of));
    let mut start = Duration::ZERO;
    let mut lines = Vec::new();
    for attempt in attempts {
        let end = start + attempt.duration;
        let next = end + attempt.delay.unwrap_or_default();
        // However short, an attempt is seen.
        let from = column(start).min(BAR - 1);
        let to = column(end).max(from + 1);
        let until = column(next).max(to);
        let (block, rest) = ("█".repeat(to - from), " ".repeat(BAR - until));
        let block = if attempt.error.is_some() { paint.red(&block) } else { paint.green(&block) };
        let bar = format!("{}{block}{}{rest}", " ".repeat(from), paint.dim(&"·".repeat(until - to)));
        let class = pad(&class_of(attempt), class_width);
        let class = if attempt.error.is_some() { paint.yellow(&class) } else { paint.green(&class) };
        let wait = pad(&wait_of(attempt).unwrap_or_default(), wait_width);
        let room = WIDTH.saturating_sub(LABEL + BAR + 21 + class_width + wait_width);
        let message =
            attempt.error.as_ref().map(|error| harmless(&error.message).replace('\n', " ")).unwrap_or_default();
        let ended = format!("{class}  {}  {}", paint.bold(&wait), paint.dim(&cut(&message, room)));
        lines.push(format!("  {:>2} ▕{bar}▏{:>7}  {ended}", attempt.number, seconds(attempt.duration)));
        start = next;
    }
    lines
}

fn summary(done: &Done, tools: &BTreeMap<&str, ToolCount>, words: &Words, paint: Paint) -> Vec<String> {
    let mut lines = vec![String::new(), paint.dim(&"─".repeat(WIDTH)), paint.bold(words.done)];
    let label = tools.keys().map(|tool| columns(tool)).chain([columns(words.shipping)]).max().unwrap_or(0).min(40) + 2;
    let row = |name: &str, text: &str| format!("  {}{text}", pad(&cut(&harmless(name), label - 2), label));
    let database = format!("{} {} · {} {}", words.read, done.rows_read, words.changed, done.rows_changed);
    lines.push(row(words.rows, &database));
    if done.mails.is_empty() {
        lines.push(row(words.mails, words.none));
    }
    for mail in &done.mails {
        let text = format!("{} → {}", harmless(&mail.to), harmless(&mail.file));
        lines.push(row(words.mails, &paint.green(&text)));
    }
    if !done.mails.is_empty() {
        lines.push(row("", &paint.dim(&done.outbox)));
    }
    let requests = done.shipping_requests.iter().map(|(order_id, count)| format!("{} ×{count}", harmless(order_id)));
    let requests = requests.collect::<Vec<_>>().join("  ");
    let requests = if requests.is_empty() { words.none.to_owned() } else { format!("{}: {requests}", words.requests) };
    lines.push(row(words.shipping, &requests));
    for (tool, count) in tools {
        lines.push(row(tool, &format!("{} {} · {} {}", words.calls, count.calls, words.attempts, count.attempts)));
    }
    lines.push(row(words.time, &seconds(done.duration)));
    lines
}

fn seconds(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.2} s", duration.as_secs_f64())
    }
}

fn milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e3)
}

#[expect(clippy::ref_option, reason = "the shape that serde asks for")]
fn optional_milliseconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match duration {
        Some(duration) => milliseconds(duration, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
#[path = "transcript_tests.rs"]
mod tests;
