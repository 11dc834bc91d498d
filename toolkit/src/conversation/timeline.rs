//! The record of a conversation, for people.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::step::Step;
use crate::arguments::shorten;
use crate::call::{Attempt, Outcome, Repair, ToolResult};
use crate::feedback::Language;

/// The most characters of a text on one line.
const LONGEST: usize = 160;
/// How wide the bar of a call's attempts is.
const BAR: usize = 24;
/// The most lines of what the model is told of a failure. A success only has to be recognised.
const TOLD: usize = 16;

/// Everything that happened in a conversation, step by step: what the model said and called, and of each call its outcome,
/// its attempts on a scale of time, the waits between them, the repairs, and what the model was told.
///
/// It is text for a terminal or a log: nothing in it can move the cursor, and no secret argument is in it.
#[derive(Clone, Debug)]
pub struct Timeline<'a> {
    steps: Vec<Step<'a>>,
    language: Language,
}

impl<'a> Timeline<'a> {
    pub(super) fn new(steps: impl Iterator<Item = Step<'a>>, language: Language) -> Self {
        Self { steps: steps.collect(), language }
    }

    fn word(&self, english: &'static str, chinese: &'static str) -> &'static str {
        self.language.pick(|| english, || chinese)
    }

    fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Succeeded => self.word("ok", "成功"),
            Outcome::Failed => self.word("failed", "失败"),
            Outcome::NotExecuted => self.word("not run", "未执行"),
            Outcome::Unknown => self.word("outcome unknown", "结果未知"),
        }
    }

    fn ran(&self, f: &mut fmt::Formatter<'_>, result: &ToolResult) -> fmt::Result {
        let mark = if result.is_success() { '✓' } else { '✗' };
        write!(f, "  {mark} {}  {}", line(result.name()), self.outcome(result.outcome()))?;
        if let Some(stop) = result.stop() {
            write!(f, " · {stop}")?;
        }
        if !result.attempts().is_empty() {
            write!(f, " · {}", seconds(result.duration()))?;
        }
        f.write_char('\n')?;
        for repair in result.repairs() {
            let Repair { path, from, to, .. } = repair;
            let repaired = self.word("repaired", "已修复");
            writeln!(f, "    {repaired} {}", line(&format!("{path}: {from} → {to}")))?;
        }
        if result.attempts().len() > 1 || result.attempts().iter().any(|attempt| attempt.error().is_some()) {
            self.attempts(f, result.attempts())?;
        }
        let most = if result.is_success() { 1 } else { TOLD };
        for told in result.text().lines().take(most) {
            writeln!(f, "    │ {}", line(told))?;
        }
        Ok(())
    }

    /// One line for each attempt: where it lies in the time of its call, how it ended, and the wait after it.
    fn attempts(&self, f: &mut fmt::Formatter<'_>, attempts: &[Attempt]) -> fmt::Result {
        let length = |attempt: &Attempt| attempt.duration().saturating_add(attempt.delay().unwrap_or_default());
        let total = attempts.iter().map(length).fold(Duration::ZERO, Duration::saturating_add);
        let column = |at: Duration| {
            let part = at.as_micros().saturating_mul(BAR as u128).checked_div(total.as_micros()).unwrap_or(0);
            usize::try_from(part).unwrap_or(BAR).min(BAR)
        };
        let mut start = Duration::ZERO;
        for attempt in attempts {
            let next = start.saturating_add(length(attempt));
            // However short, an attempt is seen.
            let from = column(start).min(BAR - 1);
            let to = column(start.saturating_add(attempt.duration())).max(from + 1);
            let until = column(next).max(to);
            let bar = [" ".repeat(from), "█".repeat(to - from), "·".repeat(until - to), " ".repeat(BAR - until)];
            write!(f, "    {:>2} ▕{}▏{:>7}  ", attempt.number(), bar.concat(), seconds(attempt.duration()))?;
            match attempt.error() {
                None => f.write_str(self.word("ok", "成功"))?,
                Some(error) => write!(f, "{}  {}", error.class(), line(error.message()))?,
            }
            if let Some(delay) = attempt.delay() {
                write!(f, "  {} {}", self.word("waits", "等待"), seconds(delay))?;
            }
            f.write_char('\n')?;
            start = next;
        }
        Ok(())
    }
}

impl fmt::Display for Timeline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            match step {
                Step::Said { text } => text.lines().try_for_each(|text| writeln!(f, "{}", line(text)))?,
                Step::Called { tool, arguments, .. } => writeln!(f, "→ {} {}", line(tool), line(arguments))?,
                Step::Waits { tool, why } => {
                    writeln!(
                        f,
                        "  ? {}  {} · {}",
                        line(tool),
                        self.word("waits for a person", "等待人工确认"),
                        line(why)
                    )?;
                }
                Step::Ran { result } => self.ran(f, result)?,
                Step::ModelFailed { class, message } => {
                    writeln!(f, "✗ {} · {class} · {}", self.word("the model failed", "模型失败"), line(message))?;
                }
            }
        }
        Ok(())
    }
}

/// A text on one line, where no character does anything but be seen.
fn line(text: &str) -> String {
    let seen = shorten(text, LONGEST);
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    seen.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}

fn seconds(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{:.2} s", duration.as_secs_f64())
    }
}
