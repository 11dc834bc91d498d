//! The words beside a wording or a number that decide what it means. Data only.

/// What a word can be beside another: one bit each, so that each word of a text is looked up once.
pub(super) type Role = u32;

pub(super) const FILLERS: Role = 1 << 0;
pub(super) const NEGATIONS: Role = 1 << 1;
pub(super) const SETTINGS: Role = 1 << 2;
pub(super) const HAPPENED: Role = 1 << 3;
pub(super) const CIRCUMSTANCES: Role = 1 << 4;
pub(super) const LINKING: Role = 1 << 5;
pub(super) const SERVICES: Role = 1 << 6;
pub(super) const CODE_KEYS: Role = 1 << 7;
pub(super) const BEFORE_STATUS: Role = 1 << 8;
pub(super) const REASONS: Role = 1 << 9;
pub(super) const AFTER_STATUS: Role = 1 << 10;
pub(super) const COUNTED: Role = 1 << 11;
pub(super) const HTTP: Role = 1 << 12;
pub(super) const STATUS: Role = 1 << 13;
pub(super) const EXIT: Role = 1 << 14;
pub(super) const WITH: Role = 1 << 15;
pub(super) const CODE: Role = 1 << 16;
pub(super) const ERROR: Role = 1 << 17;
pub(super) const RESPONSE: Role = 1 << 18;
pub(super) const OS: Role = 1 << 19;
pub(super) const DENIALS: Role = 1 << 20;
pub(super) const FAULTS: Role = 1 << 21;
pub(super) const THINGS: Role = 1 << 22;
pub(super) const ORDERLY: Role = 1 << 23;
pub(super) const AUXILIARIES: Role = 1 << 24;
pub(super) const DID: Role = 1 << 25;
pub(super) const NOT: Role = 1 << 26;
pub(super) const NEVER: Role = 1 << 27;
pub(super) const HAPPEN: Role = 1 << 28;
pub(super) const RETURN: Role = 1 << 29;
/// There is something to say about the words from here on.
pub(super) const BEGINS: Role = 1 << 30;

/// What the word before a number must be, for it to be a status.
pub(super) const TO_STATUS: Role = HTTP | STATUS | BEFORE_STATUS | CODE | ERROR;

/// Every role with its words, in lower case.
pub(super) const ROLES: [(Role, &[&str]); 30] = [
    (FILLERS, FILLERS_WORDS),
    (NEGATIONS, NEGATIONS_WORDS),
    (SETTINGS, SETTINGS_WORDS),
    (HAPPENED, HAPPENED_WORDS),
    (CIRCUMSTANCES, CIRCUMSTANCES_WORDS),
    (LINKING, LINKING_WORDS),
    (SERVICES, SERVICES_WORDS),
    (CODE_KEYS, CODE_KEYS_WORDS),
    (BEFORE_STATUS, BEFORE_STATUS_WORDS),
    (REASONS, REASONS_WORDS),
    (AFTER_STATUS, AFTER_STATUS_WORDS),
    (COUNTED, COUNTED_WORDS),
    (HTTP, &["http", "https", "httpstatus"]),
    (STATUS, &["status", "statuscode"]),
    (EXIT, &["exit", "exited"]),
    (WITH, &["with"]),
    (CODE, &["code"]),
    (ERROR, &["error"]),
    (RESPONSE, &["response"]),
    (OS | BEGINS, &["os"]),
    (DENIALS, &["false", "no", "none", "null", "0"]),
    (FAULTS, FAULTS_WORDS),
    (THINGS, THINGS_WORDS),
    (ORDERLY, &["normally", "cleanly", "gracefully", "successfully", "properly", "intentionally", "deliberately"]),
    (AUXILIARIES, AUXILIARIES_WORDS),
    (DID, &["did", "didn", "does", "doesn", "do", "don"]),
    (NOT, &["not", "t"]),
    (NEVER, &["never"]),
    (HAPPEN, &["happen", "occur", "appear", "arise"]),
    (RETURN, &["return", "returned", "get", "got", "see", "saw", "seen", "give", "throw", "raise", "an", "any"]),
];

/// Between the words of a phrase, these change nothing.
const FILLERS_WORDS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "been",
    "has",
    "have",
    "had",
    "the",
    "your",
    "its",
    "a",
    "by",
    "peer",
    "server",
    "remote",
    "temporarily",
    "currently",
    "unexpectedly",
    "already",
];

/// Before a wording, these say that it did not happen.
const NEGATIONS_WORDS: &[&str] = &["no", "not", "never", "without", "t", "non"];

/// In the same sentence as a subject, these say that a setting is meant.
const SETTINGS_WORDS: &[&str] = &[
    "must",
    "should",
    "shall",
    "invalid",
    "expected",
    "setting",
    "settings",
    "option",
    "options",
    "parameter",
    "param",
    "config",
    "configuration",
    "configured",
    "negative",
    "positive",
    "parse",
    "missing",
    "unknown",
    "integer",
    "unsupported",
    "default",
];

/// After a subject, these say that it happened.
const HAPPENED_WORDS: &[&str] =
    &["exceeded", "exceed", "expired", "reached", "elapsed", "hit", "breached", "triggered", "fired", "occurred"];

/// After a subject, these go on with the circumstances of a failure.
const CIRCUMSTANCES_WORDS: &[&str] = &[
    "after",
    "while",
    "waiting",
    "awaiting",
    "during",
    "on",
    "from",
    "in",
    "error",
    "errors",
    "exception",
    "when",
    "at",
    "before",
    "connecting",
    "reading",
    "writing",
    "trying",
    "fetching",
    "calling",
    "and",
    "but",
    "please",
    "retry",
    "retrying",
    "again",
];

/// After a subject, these leave it open until one of [`HAPPENED`] follows.
const LINKING_WORDS: &[&str] = &["of", "has", "have", "was", "is", "had", "been", "for"];

/// What can be unavailable for a while and come back.
const SERVICES_WORDS: &[&str] = &[
    "service", "services", "server", "resource", "system", "api", "host", "endpoint", "backend", "upstream", "gateway",
    "model", "database", "site", "provider",
];

/// Before a name in quotes, these say that it is the code of the failure.
const CODE_KEYS_WORDS: &[&str] = &["error", "code", "type", "reason", "kind", "message", "status"];

/// Words that may stand between `status` or `HTTP` and the number.
const BEFORE_STATUS_WORDS: &[&str] =
    &["code", "is", "was", "of", "error", "server", "client", "response", "returned", "1", "0", "2", "3"];

/// First words of the phrases that stand beside a status.
const REASONS_WORDS: &[&str] = &[
    "service",
    "too",
    "bad",
    "gateway",
    "internal",
    "not",
    "forbidden",
    "unauthorized",
    "conflict",
    "request",
    "gone",
    "unprocessable",
    "payment",
    "method",
    "precondition",
    "locked",
    "insufficient",
    "origin",
    "site",
    "web",
];

/// Words that may follow a status in a sentence.
const AFTER_STATUS_WORDS: &[&str] = &[
    "from", "for", "on", "after", "received", "returned", "response", "error", "in", "at", "while", "when", "and",
    "but", "by", "to", "during", "upstream", "server", "client", "http",
];

/// What is counted, so that the number before it is no status.
const COUNTED_WORDS: &[&str] = &[
    "ms",
    "s",
    "sec",
    "secs",
    "seconds",
    "minutes",
    "rows",
    "requests",
    "times",
    "bytes",
    "kb",
    "mb",
    "items",
    "users",
    "visitors",
    "connections",
    "records",
    "entries",
    "files",
    "results",
    "lines",
    "pages",
    "workers",
    "clients",
    "calls",
    "attempts",
    "tests",
    "headers",
    "errors",
    "responses",
];

/// After a wording, these are another word for it.
const FAULTS_WORDS: &[&str] = &[
    "error",
    "errors",
    "exception",
    "exceptions",
    "failure",
    "failures",
    "response",
    "responses",
    "status",
    "code",
    "message",
    "condition",
];

/// After a wording of several words, these make it the name of something that is not the failure. After one word, such as
/// `ENOTFOUND`, they may be the name of a host.
const THINGS_WORDS: &[&str] = &[
    "setting",
    "settings",
    "option",
    "options",
    "parameter",
    "parameters",
    "param",
    "config",
    "configuration",
    "handler",
    "handlers",
    "handling",
    "threshold",
    "counter",
    "detection",
    "detector",
];

/// Between a wording and the `not` that takes it back. Not with `could`, since that begins to tell what followed:
/// `connection refused could not reach the shop`.
const AUXILIARIES_WORDS: &[&str] = &[
    "is", "isn", "are", "aren", "was", "wasn", "were", "weren", "has", "hasn", "have", "haven", "had", "hadn", "been",
];
