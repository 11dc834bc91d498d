//! The words beside a wording or a number that decide what it means. Data only.

/// Between the words of a phrase, these change nothing.
pub(super) const FILLERS: &[&str] = &[
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
pub(super) const NEGATIONS: &[&str] = &["no", "not", "never", "without", "t", "non"];

/// In the same sentence as a subject, these say that a setting is meant.
pub(super) const SETTINGS: &[&str] = &[
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
pub(super) const HAPPENED: &[&str] =
    &["exceeded", "exceed", "expired", "reached", "elapsed", "hit", "breached", "triggered", "fired", "occurred"];

/// After a subject, these go on with the circumstances of a failure.
pub(super) const CIRCUMSTANCES: &[&str] = &[
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
pub(super) const LINKING: &[&str] = &["of", "has", "have", "was", "is", "had", "been", "for"];

/// What can be unavailable for a while and come back.
pub(super) const SERVICES: &[&str] = &[
    "service", "services", "server", "resource", "system", "api", "host", "endpoint", "backend", "upstream", "gateway",
    "model", "database", "site", "provider",
];

/// Before a name in quotes, these say that it is the code of the failure.
pub(super) const CODE_KEYS: &[&str] = &["error", "code", "type", "reason", "kind", "message", "status"];

/// Words that may stand between `status` or `HTTP` and the number.
pub(super) const BEFORE_STATUS: &[&str] =
    &["code", "is", "was", "of", "error", "server", "client", "response", "returned", "1", "0", "2", "3"];

/// First words of the phrases that stand beside a status.
pub(super) const REASONS: &[&str] = &[
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
pub(super) const AFTER_STATUS: &[&str] = &[
    "from", "for", "on", "after", "received", "returned", "response", "error", "in", "at", "while", "when", "and",
    "but", "by", "to", "during", "upstream", "server", "client", "http",
];

/// What is counted, so that the number before it is no status.
pub(super) const COUNTED: &[&str] = &[
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
