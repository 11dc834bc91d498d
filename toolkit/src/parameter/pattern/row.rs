//! Patterns that are a row of characters of ASCII, each as often as it may be: `^ORD[0-9]{8}$`.
//!
//! Such a pattern is read from left to right without ever going back, as long as no character that may go on with one
//! part can begin what follows it: then each part has to take all that it can. Everything else is left to a regular
//! expression.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// A longer row is better off with a regular expression.
const LONGEST: usize = 64;

/// A pattern from the beginning of a text.
pub(crate) struct Row {
    parts: Vec<Part>,
    /// Whether nothing may follow.
    to_the_end: bool,
}

struct Part {
    set: Set,
    least: usize,
    most: usize,
}

/// Characters of ASCII. No byte of another character is among them.
#[derive(Clone, Copy, Default)]
struct Set([u64; 4]);

impl Set {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }
}

/// What stands in a row, one after the other.
enum Step {
    Start,
    Part(Part),
    End,
}

impl Row {
    /// The pattern as a row, where it is one.
    pub(super) fn of(pattern: &str) -> Option<Self> {
        let mut steps = Vec::new();
        collect(&regex_syntax::parse(pattern).ok()?, &mut steps)?;
        let to_the_end = matches!(steps.last(), Some(Step::End));
        steps.truncate(steps.len() - usize::from(to_the_end));
        let mut steps = steps.into_iter();
        let Some(Step::Start) = steps.next() else { return None };
        let part = |step| if let Step::Part(part) = step { Some(part) } else { None };
        let parts: Vec<Part> = steps.map(part).collect::<Option<_>>()?;
        let is_forced = |at: usize| {
            let (part, after) = (&parts[at], &parts[at + 1..]);
            // Whatever can come next: what may be left out, and the first that may not.
            let until = after.iter().position(|next| next.least > 0).map_or(after.len(), |must| must + 1);
            part.least == part.most || !after[..until].iter().any(|next| next.set.meets(part.set))
        };
        (0..parts.len()).all(is_forced).then_some(Self { parts, to_the_end })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        for part in &self.parts {
            let near = &rest[..part.most.min(rest.len())];
            let taken = near.iter().position(|byte| !part.set.has(*byte)).unwrap_or(near.len());
            if taken < part.least {
                return false;
            }
            rest = &rest[taken..];
        }
        rest.is_empty() || !self.to_the_end
    }
}

/// Puts the steps of a pattern one after the other; `None` where it is no row of them.
fn collect(pattern: &Hir, steps: &mut Vec<Step>) -> Option<()> {
    if steps.len() > LONGEST {
        return None;
    }
    match pattern.kind() {
        HirKind::Empty => {}
        HirKind::Look(Look::Start) => steps.push(Step::Start),
        HirKind::Look(Look::End) => steps.push(Step::End),
        HirKind::Literal(literal) => {
            for byte in &literal.0 {
                let mut set = Set::default();
                set.insert(Some(*byte).filter(u8::is_ascii)?);
                steps.push(Step::Part(Part { set, least: 1, most: 1 }));
            }
        }
        HirKind::Class(class) => steps.push(Step::Part(Part { set: set(class)?, least: 1, most: 1 })),
        HirKind::Capture(capture) => collect(&capture.sub, steps)?,
        HirKind::Concat(all) => all.iter().try_for_each(|one| collect(one, steps))?,
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let (least, most) = (usize::try_from(*min).ok()?, max.map(usize::try_from).transpose().ok()?);
            let mut once = Vec::new();
            collect(sub, &mut once)?;
            match once.as_slice() {
                [Step::Part(Part { set, least: 1, most: 1 })] => {
                    steps.push(Step::Part(Part { set: *set, least, most: most.unwrap_or(usize::MAX) }));
                }
                _ if Some(least) == most => (0..least).try_for_each(|_| collect(sub, steps))?,
                _ => return None,
            }
        }
        HirKind::Look(_) | HirKind::Alternation(_) => return None,
    }
    Some(())
}

/// The characters of a class, where all of them are of ASCII.
fn set(class: &Class) -> Option<Set> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let mut set = Set::default();
    for (first, last) in ranges {
        for byte in u8::try_from(first).ok()?..=u8::try_from(last).ok().filter(u8::is_ascii)? {
            set.insert(byte);
        }
    }
    Some(set)
}
