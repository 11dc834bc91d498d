//! Enums in every representation, and values of several types.

use super::{Refused, Repaired, Row, Runs, check};

pub(super) const ENUMS: &[Row] = &[
    Row("unit", r#"{"unit":"celsius"}"#, Runs("Celsius")),
    Row("unit", r#"{"unit":"CELSIUS"}"#, Repaired("Celsius")),
    Row("unit", r#"{"unit":"degrees-fahrenheit"}"#, Repaired("DegreesFahrenheit")),
    Row("unit", r#"{"unit":"Degrees Fahrenheit"}"#, Repaired("DegreesFahrenheit")),
    Row(
        "unit",
        r#"{"unit":"celcius"}"#,
        Refused(&["one of \"celsius\", \"degrees_fahrenheit\"", "the nearest is \"celsius\""]),
    ),
    Row("unit", r#"{"unit":"fahrenheit"}"#, Refused(&["`unit` must be one of"])),
    Row("unit", r#"{"unit":1}"#, Refused(&["\"celsius\""])),
    Row("unit", r#"{"unit":"F"}"#, Runs("DegreesFahrenheit")),
    Row("maybe_unit", r#"{"unit":"F","n":"1"}"#, Repaired("Some(DegreesFahrenheit) Some(1)")),
    Row("maybe_unit", r#"{"unit":"Celsius"}"#, Repaired("Some(Celsius) None")),
    Row("maybe_unit", r#"{"unit":"kelvin","n":"1"}"#, Refused(&["`unit` must be one of"])),
    Row("open", r#"{"open":"known"}"#, Runs("Known")),
    Row("open", r#"{"open":"unheard_of"}"#, Refused(&["`open` must be one of"])),
];

pub(super) const TAGGED: &[Row] = &[
    Row("pay", r#"{"payment":{"kind":"card","number":"1"}}"#, Runs("Card { number: \"1\" }")),
    Row("pay", r#"{"payment":{"number":"1","kind":"Card"}}"#, Repaired("Card { number: \"1\" }")),
    Row("pay", r#"{"payment":{"kind":"card","pan":"1"}}"#, Runs("Card { number: \"1\" }")),
    Row("pay", r#"{"payment":{"kind":"cash","amount":"2.5"}}"#, Repaired("Cash { amount: 2.5 }")),
    Row("pay", r#"{"payment":{"kind":"cash","amount":1e39}}"#, Refused(&["`payment.amount` must be from"])),
    Row("pay", r#"{"payment":{"kind":"later"}}"#, Runs("Later")),
    Row("pay", r#"{"payment":{"kind":"voucher","code":"abcd"}}"#, Runs("Voucher(Voucher { code: \"abcd\" })")),
    Row(
        "pay",
        r#"{"payment":{"kind":"voucher","code":"abc"}}"#,
        Refused(&["`payment.code` must have at least 4 characters"]),
    ),
    Row(
        "pay",
        r#"{"payment":{"kind":"cheque"}}"#,
        Refused(&["`payment.kind` must be one of \"card\", \"cash\", \"voucher\", \"later\"; \"cheque\" came"]),
    ),
    Row("pay", r#"{"payment":{"number":"1"}}"#, Refused(&["`payment.kind` is missing: it must be one of"])),
    Row(
        "pay",
        r#"{"payment":{"kind":"card","numbr":"1"}}"#,
        Refused(&["`payment.number` is missing", "`payment.numbr`; did you mean `number`?"]),
    ),
    Row("pay", r#"{"payment":{"kind":"later","number":"1"}}"#, Refused(&["no parameter `payment.number`"])),
    Row("wrap", r#"{"w":{"type":"Num","n":2.5}}"#, Runs("Num { n: 2.5 }")),
    Row("wrap", r#"{"w":{"type":"Data","value":1.5}}"#, Refused(&["`w.value` must be an object; a number came: 1.5"])),
    Row("adjacent", r#"{"value":{"t":"One","c":5}}"#, Runs("One(5)")),
    Row("adjacent", r#"{"value":{"c":{"x":"5"},"t":"two"}}"#, Repaired("Two { x: 5 }")),
    Row("adjacent", r#"{"value":{"t":"Nothing"}}"#, Runs("Nothing")),
    Row("adjacent", r#"{"value":{"t":"Two","c":{"y":5}}}"#, Refused(&["`value.c.x` is missing", "`value.c.y`"])),
    Row("draw", r#"{"shape":{"Circle":{"radius":2}}}"#, Runs("Circle { radius: 2.0 }")),
    Row("draw", r#"{"shape":{"Square":2}}"#, Runs("Square(2.0)")),
    Row("draw", r#"{"shape":{"Pair":[1,"true"]}}"#, Repaired("Pair(1, true)")),
    Row("draw", r#"{"shape":"Point"}"#, Runs("Point")),
    Row("draw", r#"{"shape":"point"}"#, Repaired("Point")),
    Row("draw", r#"{"shape":{"circle":{"radius":"2"}}}"#, Repaired("Circle { radius: 2.0 }")),
    Row("draw", r#"{"shape":{"Circle":{"diameter":2}}}"#, Refused(&["`shape.Circle.radius` is missing"])),
    Row("draw", r#"{"shape":{"Triangle":{}}}"#, Refused(&["`shape` must be"])),
    Row("draw", r#"{"shape":{"Circle":{"radius":2},"Square":1}}"#, Refused(&["`shape` must be"])),
];

pub(super) const UNIONS: &[Row] = &[
    Row("find", r#"{"id":5}"#, Runs("Number(5)")),
    Row("find", r#"{"id":{"name":"x"}}"#, Runs("Named { name: \"x\" }")),
    Row("find", r#"{"id":"5"}"#, Repaired("Number(5)")),
    Row("find", r#"{"id":"{\"name\":\"x\"}"}"#, Repaired("Named { name: \"x\" }")),
    Row(
        "find",
        r#"{"id":{"nam":"x"}}"#,
        Refused(&["`id` must be an integer", "or an object with `name`", "an object came"]),
    ),
    Row("find", r#"{"id":true}"#, Refused(&["`id` must be an integer"])),
    Row("either", r#"{"value":"true"}"#, Repaired("Truth(true)")),
    Row("either", r#"{"value":"[1]"}"#, Repaired("List([1])")),
    Row("either", r#"{"value":""}"#, Repaired("List([])")),
    Row("either", r#"{"value":"x"}"#, Refused(&["`value` must be an integer", "true or false", "an array"])),
    Row(
        "filter",
        r#"{"filter":{"of":[{"of":["a"],"or":true}],"and":false}}"#,
        Runs(r#"And { of: [Or { of: [Is("a")], or: true }], and: false }"#),
    ),
    Row("filter", r#"{"filter":{"of":["a"],"and":"true"}}"#, Repaired(r#"And { of: [Is("a")], and: true }"#)),
    Row("rule", r#"{"rule":{"a":1}}"#, Runs(r#"Free({"a": 1})"#)),
    Row("rule", r#"{"rule":{"kind":1}}"#, Runs(r#"Free({"kind": 1})"#)),
    Row("rule", r#"{"rule":{"kind":"later"}}"#, Runs("Pay(Later)")),
    Row("filter", r#"{"filter":{"of":["a"]}}"#, Refused(&["`filter` must be an object with `of`, `and`"])),
    Row("either", r#"{"value":["1",true]}"#, Refused(&["`value[1]` must be an integer", "a boolean came: true"])),
    Row("either", r#"{"value":{"a":1}}"#, Refused(&["`value` must be an integer", "or an array; an object came"])),
    Row("text", r#"{"text":["a",7]}"#, Refused(&["`text[1]` must be a string; a number came: 7"])),
];

#[tokio::test]
async fn enums_forgive_spelling_and_nothing_else() {
    check(ENUMS).await;
}

#[tokio::test]
async fn the_variant_that_is_named_is_the_one_that_is_meant() {
    check(TAGGED).await;
}

#[tokio::test]
async fn a_value_of_several_types_is_left_alone_where_one_takes_it() {
    check(UNIONS).await;
}
