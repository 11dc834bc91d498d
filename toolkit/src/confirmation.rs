//! A person's answer to a call that asked: bound to the tool and its arguments, good once, and not for ever.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::context::random_id;

/// How long an answer can be given.
pub(crate) const VALID_FOR: Duration = Duration::from_secs(60 * 60);
/// How many questions may be open at once. Beyond it the oldest is forgotten, and has to be asked again.
const MOST_OPEN: usize = 10_000;

/// A call that waits for a person: what it would do, and the token that lets it through.
///
/// Hand the token back with the same call, [`ToolCall::confirmation`](crate::ToolCall::confirmation), once the person
/// has agreed. It is good for that tool and those arguments, once, for an hour. It is never read from the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    pub(crate) token: String,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) why: String,
}

impl Confirmation {
    /// What lets the call through.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments, as the tool would get them.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Why a person is asked.
    pub fn why(&self) -> &str {
        &self.why
    }
}

/// Somebody who answers in place, while the call waits.
pub trait Approver: Send + Sync {
    /// Whether the call may run. A panic is a no.
    fn approve<'a>(&'a self, request: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
}

/// The questions that nobody has answered yet.
#[derive(Default)]
pub(crate) struct Open {
    questions: Mutex<BTreeMap<String, Question>>,
    /// The answers that a conversation has used up, and how long each would have been good.
    used: Mutex<BTreeMap<String, SystemTime>>,
}

struct Question {
    tool: usize,
    arguments: String,
    /// Whether the person is told that the call may have taken effect already.
    tells_doubt: bool,
    until: Option<Instant>,
}

impl Open {
    /// Asks about a call, whose arguments are canonical; gives the token for the answer.
    pub(crate) fn ask(&self, tool: usize, arguments: String, tells_doubt: bool, now: Instant) -> String {
        let token = format!("confirm-{}{}", random_id(), random_id());
        let mut open = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST_OPEN {
            open.retain(|_, question| question.is_open(now));
        }
        if open.len() >= MOST_OPEN {
            let oldest = open.iter().min_by_key(|(_, question)| question.until).map(|(token, _)| token.clone());
            oldest.and_then(|token| open.remove(&token));
        }
        open.insert(token.clone(), Question { tool, arguments, tells_doubt, until: now.checked_add(VALID_FOR) });
        token
    }

    /// Whether the token is the answer to this very call. It is used up where it is. Where the call is in doubt, only the
    /// answer of a person counts who was told so.
    pub(crate) fn answer(&self, token: &str, tool: usize, arguments: &str, in_doubt: bool, now: Instant) -> bool {
        let mut open = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let matches = open.get(token).is_some_and(|question| {
            question.tool == tool
                && question.arguments == arguments
                && (question.tells_doubt || !in_doubt)
                && question.is_open(now)
        });
        matches && open.remove(token).is_some()
    }

    /// The question was answered in place; says whether the person was told of a doubt.
    pub(crate) fn close(&self, token: &str) -> bool {
        let question = self.questions.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        question.is_some_and(|question| question.tells_doubt)
    }

    /// Uses up the answer to a question that a conversation kept, however often it was stored and loaded; `false` where
    /// it was used before.
    pub(crate) fn use_up(&self, token: &str, until: SystemTime, now: SystemTime) -> bool {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= MOST_OPEN {
            // What nobody could use any more need not be remembered.
            used.retain(|_, until| now < *until);
        }
        used.insert(token.to_owned(), until).is_none()
    }
}

impl Question {
    fn is_open(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{MOST_OPEN, Open, VALID_FOR};

    #[test]
    fn an_answer_is_good_once_for_its_call_and_in_time() {
        let (open, now) = (Open::default(), Instant::now());
        let token = open.ask(1, "{\"a\":1}".to_owned(), false, now);
        assert!(!open.answer(&token, 2, "{\"a\":1}", false, now), "another tool");
        assert!(!open.answer(&token, 1, "{\"a\":2}", false, now), "other arguments");
        assert!(!open.answer("confirm-", 1, "{\"a\":1}", false, now), "no token");
        assert!(open.answer(&token, 1, "{\"a\":1}", false, now));
        assert!(!open.answer(&token, 1, "{\"a\":1}", false, now), "a second time");

        let token = open.ask(1, "{}".to_owned(), false, now);
        assert!(!open.answer(&token, 1, "{}", false, now + VALID_FOR), "too late");
        let token = open.ask(1, "{}".to_owned(), false, now);
        assert!(open.answer(&token, 1, "{}", false, (now + VALID_FOR).checked_sub(Duration::from_nanos(1)).unwrap()));
    }

    #[test]
    fn tokens_differ_and_the_oldest_question_is_forgotten_first() {
        let (open, now) = (Open::default(), Instant::now());
        let first = open.ask(1, "{}".to_owned(), false, now);
        let second = open.ask(1, "{}".to_owned(), false, now + Duration::from_secs(1));
        assert_ne!(first, second);
        for _ in 2..=MOST_OPEN {
            open.ask(1, "{}".to_owned(), false, now + Duration::from_secs(2));
        }
        assert!(!open.answer(&first, 1, "{}", false, now));
        assert!(open.answer(&second, 1, "{}", false, now));
    }
}
