//! Throws texts at tools for as long as it is told, random ones and damaged good ones, and checks of each what must hold
//! of every text: `cargo run --release -p toolkit-tests --example fuzz_arguments -- SECONDS [SEED]`.
//!
//! A finding ends it with the text that did it. No call panics or takes long; whatever runs says the same when its own
//! reading is sent again, without a repair; whatever is refused is told in one bounded JSON object without the secret.

// A tool owns its arguments.
#![allow(clippy::needless_pass_by_value)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolkit::{Arguments, Executor, Language, Registry, RepairMode, ToolCall, tool};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    #[serde(alias = "navy")]
    DarkBlue,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Card { number: String, months: Option<u8> },
    Cash { amount: f64 },
    Later,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Shape {
    Circle { radius: f64 },
    Square(i32),
    Pair(u8, bool),
    Point,
}

/// Two alternatives that look alike until their last key.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Filter {
    And { of: Vec<Filter>, and: bool },
    Or { of: Vec<Filter>, or: bool },
    Id(i64),
    Word(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    #[schemars(length(min = 1, max = 8))]
    label: String,
    #[serde(default, alias = "kids")]
    children: Vec<Tree>,
    #[serde(default, alias = "size")]
    #[schemars(range(min = 1, max = 99))]
    weight: Option<u16>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Open {
    name: String,
    #[serde(flatten)]
    shape: Shape,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

/// Scalars.
#[tool(category = Compute)]
async fn scalars(a: i64, b: u8, c: f64, d: bool, e: String, f: Option<i128>, #[arg(range = -3..=3)] g: i32) -> Value {
    let f = f.map(|f| f.to_string());
    json!({"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g})
}

/// Alternatives.
#[tool(category = Compute)]
async fn choices(colour: Colour, payment: Payment, shape: Option<Shape>, filter: Option<Filter>) -> Value {
    json!({"colour": colour, "payment": payment, "shape": shape, "filter": filter})
}

/// Collections.
#[tool(category = Compute)]
async fn many(
    set: BTreeSet<u8>,
    map: BTreeMap<u32, Vec<i64>>,
    tree: Tree,
    open: Option<Open>,
    pair: (u8, String),
) -> Value {
    json!({"set": set, "map": map, "tree": tree, "open": open, "pair": pair})
}

/// Anything.
#[tool(category = Compute)]
async fn anything(value: Value) -> Value {
    json!({"value": value})
}

/// Signs in.
#[tool(category = Compute)]
async fn sign_in(
    #[arg(secret, length = 1..=9)] password: String,
    #[arg(secret)] pin: u16,
    user: Option<String>,
) -> Value {
    json!({"password": password, "pin": pin, "user": user})
}

const SECRET: &str = "hunter2";

const SEEDS: [(&str, &str); 12] = [
    ("scalars", r#"{"a": 9007199254740993, "b": 255, "c": -2.50e1, "d": true, "e": "é\n\u0041", "f": null, "g": 3}"#),
    (
        "scalars",
        r#"{"a": "2", "B": 2.0, "c": "2.5", "d": "False", "e": "", "f": "170141183460469231731687303715884105727", "g": -0}"#,
    ),
    (
        "choices",
        r#"{"colour": "dark_blue", "payment": {"kind": "card", "number": "1", "months": 2}, "shape": {"Circle": {"radius": 1}}}"#,
    ),
    (
        "choices",
        r#"{"colour": "navy", "payment": {"kind": "Later"}, "shape": "point", "filter": {"of": [{"of": [1, "a"], "or": true}], "and": false}}"#,
    ),
    (
        "choices",
        r#"{"payment": {"amount": "1", "kind": "cash"}, "shape": {"Pair": [1, true]}, "colour": "RED", "filter": "7"}"#,
    ),
    (
        "many",
        r#"{"set": [1, 2], "map": {"1": [1], "2": []}, "tree": {"label": "x", "kids": [{"label": "y", "size": 3}]}, "pair": [1, "x"]}"#,
    ),
    (
        "many",
        r#"{"set": "[1,2]", "map": {}, "tree": "{\"label\": \"x\", \"weight\": \"5\"}", "open": {"name": "n", "Square": 4, "z": [1]}, "pair": [1, "x"]}"#,
    ),
    ("anything", r#"{"value": [{"a": [1, 2.5, null, {"b": "c"}]}, "x", true]}"#),
    ("anything", "```json\n{\"value\": {'a': None, // no\n b: [1,],}}\n```"),
    ("anything", r#""{\"input\": {\"value\": 1}}""#),
    ("sign_in", r#"{"password": "hunter2", "pin": 1234, "user": "me"}"#),
    ("sign_in", r#"{"arguments": {"user": "me", "password": "hunter2", "pin": "1234"}}</tool_call>"#),
];

const TOKENS: [&str; 62] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    ",",
    ":",
    "\\",
    "\\u",
    "\\ud83d",
    "\\udE00",
    "\\n",
    "//",
    "/*",
    "*/",
    "\n",
    "\t",
    " ",
    "\u{feff}",
    "```",
    "```json",
    "</tool_call>",
    ";",
    "null",
    "true",
    "False",
    "None",
    "NaN",
    "-Infinity",
    "-",
    "0",
    "1",
    "2.0",
    "1e400",
    "1e39",
    "007",
    "-0",
    "9223372036854775808",
    "18446744073709551616",
    "\"a\":",
    "\"kind\":",
    "\"of\":[",
    "{\"of\":[",
    "\"and\":true",
    "\"or\":1",
    "\"input\":",
    "\"arguments\":",
    "\"name\":\"many\"",
    "\"value\":",
    "\"kids\":",
    "\"{\\\"a\\\":1}\"",
    "\"[1]\"",
    "\"\"",
    "é",
    "日",
    "\u{0}",
    "\u{1b}[31m",
    "\u{2028}",
    "\u{a0}",
    "\"label\":\"x\"",
    "{\"a\":",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 1).unwrap_or(0) % limit.max(1)
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A seed with some damage, or nothing but tokens.
    fn text(&mut self) -> (&'static str, String) {
        let (tool, seed) = self.one(&SEEDS);
        if self.below(20) == 0 {
            return (tool, (0..self.below(60)).map(|_| self.one(&TOKENS)).collect());
        }
        let mut text = seed.to_owned();
        for _ in 0..self.below(6) {
            let (a, b) = (self.place(&text), self.place(&text));
            let (from, to) = (a.min(b), a.max(b));
            match self.below(6) {
                0 => text.insert_str(from, self.one(&TOKENS)),
                1 => drop((from < text.len()).then(|| text.remove(from))),
                2 if to - from < 200 => text.replace_range(from..to, ""),
                3 if text.len() < 4000 => {
                    let part = text[from..to].to_owned();
                    text.insert_str(b, &part);
                }
                4 => text.truncate(to),
                _ => {
                    let other = self.one(&SEEDS).1;
                    let (a, b) = (self.place(other), self.place(other));
                    text.insert_str(from, &other[a.min(b)..a.max(b)]);
                }
            }
        }
        (tool, text)
    }

    /// A megabyte of one token, inside of good beginnings.
    fn flood(&mut self) -> (&'static str, String) {
        let (tool, seed) = self.one(&SEEDS);
        let at = self.place(seed);
        let token = format!("{}{}", self.one(&TOKENS), if self.below(2) == 0 { self.one(&TOKENS) } else { "" });
        let text = format!("{}{}", &seed[..at], token.repeat((1 << 20) / token.len() - seed.len()));
        (tool, if self.below(2) == 0 { text } else { text + &seed[at..] })
    }
}

fn executor(mode: RepairMode, language: Language) -> Executor {
    let tools = Registry::builder().tool::<scalars>().tool::<choices>().tool::<many>().tool::<anything>();
    let registry = tools.tool::<sign_in>().build().expect("five names");
    Executor::builder(registry).repair(mode).language(language).max_output(0).build().expect("no states")
}

#[derive(Default)]
struct Counts {
    texts: u64,
    exact: u64,
    repaired: u64,
    refused: u64,
    slowest: Duration,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or_else(now);
    println!("seed {seed}, {seconds} s");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let lenient = executor(RepairMode::Lossless, Language::En);
    let others = [executor(RepairMode::Off, Language::En), executor(RepairMode::Lossless, Language::Zh)];
    let (mut random, mut counts) = (Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1), Counts::default());
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(seconds) {
        let (tool, text) = if random.below(4000) == 0 { random.flood() } else { random.text() };
        let call = |executor: &Executor, text: &str| {
            let begun = Instant::now();
            let result = runtime.block_on(executor.call(ToolCall::new(tool, Arguments::raw(text))));
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(5), "{took:?} for {tool} {text:.2000}");
            (result, took)
        };
        let (result, took) = call(&lenient, &text);
        counts.slowest = counts.slowest.max(took);
        counts.texts += 1;
        if result.is_success() {
            *(if result.repairs().is_empty() { &mut counts.exact } else { &mut counts.repaired }) += 1;
            let own = result.text();
            let (again, _) = call(&lenient, own);
            assert!(again.is_success(), "{tool} {text:?} became {own}, and that is refused: {}", again.text());
            // A 128-bit number is a text in JSON of this kind.
            let big = tool == "scalars";
            assert!(again.repairs().is_empty() || big, "{tool} {text:?} became {own}, and that is repaired");
            assert_eq!(again.text(), own, "{tool} {text:?}");
        } else {
            counts.refused += 1;
            check_refusal(tool, &text, result.text());
        }
        for other in &others {
            let (other, _) = call(other, &text);
            if other.is_success() {
                assert_eq!(other.text(), result.text(), "{tool} {text:?}");
            } else {
                check_refusal(tool, &text, other.text());
            }
        }
        if tool == "sign_in" {
            let shown =
                result.repairs().iter().any(|repair| repair.from().contains(SECRET) || repair.to().contains(SECRET));
            assert!(!shown, "{text:?} {:?}", result.repairs());
        }
    }
    let Counts { texts, exact, repaired, refused, slowest } = counts;
    println!("{texts} texts: {exact} exact, {repaired} repaired, {refused} refused; the slowest took {slowest:?}");
}

fn check_refusal(tool: &str, text: &str, message: &str) {
    let told: Value = serde_json::from_str(message).unwrap_or_else(|_| panic!("{tool} {text:?}: no JSON: {message}"));
    assert_eq!(told["error"], "invalid_argument", "{tool} {text:?}: {message}");
    assert!(message.chars().count() <= 2000, "{tool} {text:?}: {message}");
    // A key that is not known is told, whatever its name is: a key is no value.
    let about_a_key = |line: &&str| line.contains("there is no parameter") || line.contains("没有名为");
    let leak = message.lines().filter(|line| !about_a_key(line)).any(|line| line.contains(SECRET));
    assert!(tool != "sign_in" || !leak, "{tool} {text:?}: {message}");
}
