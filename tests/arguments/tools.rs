//! Tools that take every kind of argument, and say what they were given.

// A tool owns its arguments, and what it holds is read by `Debug` alone.
#![allow(dead_code, clippy::needless_pass_by_value, clippy::option_option)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::Ipv4Addr;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toolkit::{Executor, ExecutorBuilder, Registry, RepairMode, tool};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Guest {
    email: String,
    #[serde(default)]
    seats: u8,
    #[serde(alias = "remark")]
    note: Option<String>,
}

/// Texts whose format nothing but the schema demands.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Contact {
    #[schemars(email)]
    mail: String,
    #[schemars(url)]
    page: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Celsius,
    #[serde(alias = "F")]
    DegreesFahrenheit,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Open {
    Known,
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Payment {
    Card {
        #[serde(alias = "pan")]
        number: String,
    },
    Cash {
        amount: f32,
    },
    Voucher(Voucher),
    Later,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Voucher {
    #[schemars(length(equal = 4))]
    code: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type")]
pub(super) enum Wrap {
    Data { value: HashMap<String, String> },
    Num { n: f64 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    One(i64),
    Two { x: u8 },
    Nothing,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) enum Shape {
    Circle { radius: f64 },
    Square(f64),
    Pair(u8, bool),
    Point,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Named { name: String },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Either {
    Whole(i64),
    Truth(bool),
    List(Vec<i64>),
}

/// Two alternatives with a tag, and one that takes any object.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Rule {
    Pay(Payment),
    Free(BTreeMap<String, i64>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Text {
    Words(String),
    Rows(Vec<String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Filter {
    And { of: Vec<Filter>, and: bool },
    Or { of: Vec<Filter>, or: bool },
    Is(String),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Limited {
    #[serde(alias = "rating")]
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    #[schemars(length(max = 3))]
    tag: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Tree {
    label: String,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Flat {
    name: String,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Loose {
    max_depth: Option<u8>,
    #[serde(flatten)]
    more: BTreeMap<String, i64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Closed {
    #[serde(alias = "b")]
    a: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Meters(f64);

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Position(i32, i32);

/// A number that is even.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "u16")]
pub(super) struct Even(u16);

impl TryFrom<u16> for Even {
    type Error = &'static str;

    fn try_from(number: u16) -> Result<Self, Self::Error> {
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err("the port must be even") }
    }
}

macro_rules! tools {
    ($($(#[$key:meta])* $name:ident($($(#[$arg:meta])* $argument:ident: $type:ty),*) $says:expr;)*) => {
        $(
            /// Says what it was given.
            #[tool(category = Compute)]
            $(#[$key])*
            pub(super) async fn $name($($(#[$arg])* $argument: $type),*) -> String {
                $says
            }
        )*

        /// What each tool takes, as its function is written.
        pub(super) const SIGNATURES: &[(&str, &str)] = &[$((stringify!($name), concat!($(stringify!($argument: $type), ", "),*))),*];

        pub(super) fn registry() -> Registry {
            Registry::builder()$(.tool::<$name>())*.tool::<wipe>().build().expect("the tools have different names")
        }
    };
}

tools! {
    count(n: i64) n.to_string();
    nothing() "ran".to_owned();
    optional(n: Option<i64>, text: Option<String>, #[arg(default = 7)] limit: u32) format!("{n:?} {text:?} {limit}");
    twice(n: Option<Option<i64>>) format!("{n:?}");
    say(text: String) format!("{text:?}");
    flag(on: bool) on.to_string();
    float(x: f64) x.to_string();
    single(x: f32) x.to_string();
    sizes(small: Option<u8>, id: Option<u64>, huge: Option<i128>, vast: Option<u128>) format!("{small:?} {id:?} {huge:?} {vast:?}");
    list(items: Vec<String>) format!("{items:?}");
    grid(rows: Vec<Vec<i64>>) format!("{rows:?}");
    set(items: BTreeSet<u8>) format!("{items:?}");
    guests(guests: Vec<Guest>) format!("{guests:?}");
    guest(guest: Guest) format!("{guest:?}");
    unit(unit: Unit) format!("{unit:?}");
    maybe_unit(unit: Option<Unit>, n: Option<i64>) format!("{unit:?} {n:?}");
    open(open: Open) format!("{open:?}");
    pay(payment: Payment) format!("{payment:?}");
    wrap(w: Wrap) format!("{w:?}");
    adjacent(value: Adjacent) format!("{value:?}");
    draw(shape: Shape) format!("{shape:?}");
    find(id: Id) format!("{id:?}");
    either(value: Either) format!("{value:?}");
    rule(rule: Rule) format!("{rule:?}");
    text(text: Text) format!("{text:?}");
    filter(filter: Filter) format!("{filter:?}");
    map(entries: BTreeMap<String, i64>, numbers: Option<HashMap<u64, i64>>) format!("{entries:?} {numbers:?}");
    rate(rating: Limited) format!("{rating:?}");
    plant(tree: Tree) format!("{tree:?}");
    flat(flat: Flat) format!("{flat:?}");
    loose(loose: Loose) format!("{loose:?}");
    closed(closed: Closed) format!("{closed:?}");
    tuple(at: Position, size: Meters) format!("{at:?} {size:?}");
    anything(value: Value) value.to_string();
    address(ip: Ipv4Addr, port: Option<Even>) format!("{ip} {port:?}");
    reach(contact: Contact) format!("{contact:?}");
    keys(max_depth: u32, city: String) format!("{max_depth} {city}");
    limits(
        #[arg(range = 1..=30)] nights: u8,
        #[arg(length = 1..=3)] code: String,
        #[arg(pattern = "^ORD[0-9]{3}$", default = "ORD000")] order: String
    ) format!("{nights} {code} {order}");
    sign_in(#[arg(secret, length = 2..=20)] password: String, #[arg(secret)] pin: u16, user: Option<String>) format!("{} {pin} {user:?}", password.len());
    vault(#[arg(secret)] keys: BTreeMap<String, u32>, #[arg(secret)] payment: Option<Payment>) format!("{} {}", keys.len(), payment.is_some());
}

/// Deletes.
#[tool(category = Dangerous)]
pub(super) async fn wipe(disk: u8, label: Option<String>) -> String {
    format!("wiped {disk} {label:?}")
}

pub(super) fn builder() -> ExecutorBuilder {
    Executor::builder(registry())
}

pub(super) fn executor(mode: RepairMode) -> Executor {
    builder().repair(mode).build().expect("nothing is missing")
}
