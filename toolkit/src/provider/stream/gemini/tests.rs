use serde_json::{Value, json};

use super::super::tests::{body, ends, shown};
use super::*;

fn chunk(parts: &Value) -> Value {
    json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }], "usageMetadata": { "n": 1 } })
}

fn last(parts: &Value) -> Value {
    json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "n": 2 } })
}

fn parts(chunks: &[Value]) -> Value {
    body("gemini", chunks)["candidates"][0]["content"]["parts"].clone()
}

fn call(fields: &Value) -> Value {
    chunk(&json!([{ "functionCall": fields }]))
}

fn piece(path: &str, value: &Value) -> Value {
    let mut piece = json!({ "jsonPath": path });
    piece.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
    call(&json!({ "partialArgs": [piece], "willContinue": true }))
}

fn begin() -> Value {
    chunk(&json!([{ "functionCall": { "name": "add", "willContinue": true }, "thoughtSignature": "c2ln" }]))
}

fn end() -> Value {
    last(&json!([{ "functionCall": {} }]))
}

#[test]
fn chunks_become_one_response() {
    let call = json!({ "functionCall": { "name": "add", "args": { "a": 1 } }, "thoughtSignature": "c2ln" });
    let chunks = [
        chunk(&json!([{ "text": "Hm", "thought": true }])),
        chunk(&json!([{ "text": "m.", "thought": true }])),
        chunk(&json!([{ "text": "It is " }])),
        chunk(&json!([{ "text": "noon." }, call, { "functionCall": { "name": "now" } }])),
        last(&json!([{ "text": "" }])),
    ];
    let parts = json!([
        { "text": "Hmm.", "thought": true }, { "text": "It is noon." }, call, { "functionCall": { "name": "now" } }
    ]);
    let candidate = json!({ "content": { "parts": parts, "role": "model" }, "finishReason": "STOP", "index": 0 });
    let whole = json!({ "candidates": [candidate], "usageMetadata": { "n": 2 } });
    assert_eq!(body("gemini", &chunks), whole);
    assert_eq!(shown("gemini", &chunks), "It is noon.");
    assert_eq!(ends("gemini", &chunks), [false, false, false, false, true]);
}

#[test]
fn a_signature_stays_with_its_part() {
    let signed = json!({ "text": "", "thoughtSignature": "c2ln" });
    let chunks = [chunk(&json!([{ "text": "a" }])), chunk(&json!([signed])), last(&json!([{ "text": "b" }]))];
    assert_eq!(parts(&chunks), json!([{ "text": "a" }, signed, { "text": "b" }]));
}

#[test]
fn a_reason_in_the_middle_is_no_end() {
    let reason = |chunks: &[Value]| body("gemini", chunks)["candidates"][0]["finishReason"].clone();
    let code = json!([{ "executableCode": { "code": "1", "language": "PYTHON" } }]);
    let chunks = [last(&code), chunk(&json!([{ "text": "It is" }])), last(&json!([{ "text": " 1." }]))];
    assert_eq!(ends("gemini", &chunks), [true, false, true]);
    assert_eq!(reason(&chunks[..2]), "MAX_TOKENS");
    assert_eq!(reason(&chunks), "STOP");
    // A reason may come without parts, and numbers after it.
    let chunks = [
        chunk(&json!([{ "text": "a" }])),
        json!({ "candidates": [{ "finishReason": "STOP" }] }),
        json!({ "usageMetadata": {} }),
    ];
    assert_eq!(ends("gemini", &chunks), [false, true, true]);
}

#[test]
fn arguments_come_in_pieces() {
    let chunks = [
        begin(),
        piece("$.city", &json!({ "stringValue": "New ", "willContinue": true })),
        piece("$.city", &json!({ "stringValue": "Delhi", "willContinue": true })),
        piece("$.city", &json!({ "stringValue": "" })),
        piece("$.days[0].n", &json!({ "numberValue": 1 })),
        piece("$.days[1]['the \\'day\\'']", &json!({ "boolValue": true })),
        piece("$[\"unit\"]", &json!({ "nullValue": "NULL_VALUE" })),
        end(),
    ];
    let args = json!({ "city": "New Delhi", "days": [{ "n": 1 }, { "the 'day'": true }], "unit": null });
    let expected = json!([{ "functionCall": { "name": "add", "args": args }, "thoughtSignature": "c2ln" }]);
    assert_eq!(parts(&chunks), expected);
    assert_eq!(ends("gemini", &chunks).iter().filter(|end| **end).count(), 1);
    // A text that does not go on is another one.
    let again =
        [begin(), piece("$.a", &json!({ "stringValue": "x" })), piece("$.a", &json!({ "stringValue": "y" })), end()];
    assert_eq!(parts(&again)[0]["functionCall"]["args"], json!({ "a": "y" }));
}

#[test]
fn several_calls_in_pieces_follow_each_other() {
    let second = json!({ "name": "mul", "partialArgs": [{ "jsonPath": "$.b", "numberValue": 2 }] });
    let chunks = [
        begin(),
        piece("$.a", &json!({ "numberValue": 1 })),
        call(&json!({})),
        last(&json!([{ "functionCall": second }, { "functionCall": { "name": "neg", "args": {} } }])),
    ];
    let calls: Vec<_> = parts(&chunks).as_array().unwrap().iter().map(|part| part["functionCall"].clone()).collect();
    let expected = [
        json!({ "name": "add", "args": { "a": 1 } }),
        json!({ "name": "mul", "args": { "b": 2 } }),
        json!({ "name": "neg", "args": {} }),
    ];
    assert_eq!(calls, expected);
}

#[test]
fn a_call_that_does_not_end_is_cut_off() {
    let chunks = [begin(), piece("$.a", &json!({ "numberValue": 1 })), last(&json!([{ "text": "So." }]))];
    assert_eq!(body("gemini", &chunks)["candidates"][0]["finishReason"], "MAX_TOKENS");
}

#[test]
fn pieces_without_a_place_make_no_arguments() {
    let paths = [
        "",
        "a",
        "$",
        "$.",
        "$..a",
        "$.a[4294967295]",
        "$.a[-1]",
        "$.a[*]",
        "$.*",
        "$['a",
        "$['a'x",
        "$[0]",
        "$.a[",
        &format!("${}", ".a".repeat(65)),
        "$.whole.x",
    ]
    .map(str::to_owned);
    for path in paths {
        let chunks = [
            begin(),
            piece("$.whole", &json!({ "numberValue": 1 })),
            piece(&path, &json!({ "stringValue": "x" })),
            end(),
        ];
        let args = parts(&chunks)[0]["functionCall"]["args"].clone();
        assert!(args.as_str().is_some_and(|text| text.starts_with('[')), "{path}: {args}");
    }
}

#[test]
fn a_refused_prompt_has_no_candidates() {
    let refused = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    assert_eq!(body("gemini", std::slice::from_ref(&refused)), refused);
}

#[test]
fn a_call_with_an_id_is_finished_when_it_is_whole() {
    let mut gemini = Gemini::default();
    let chunks = [call(&json!({ "name": "add", "id": "c1", "args": {} })), begin()];
    for chunk in &chunks {
        assert!(gemini.take(chunk.as_object().unwrap(), &mut String::new()).is_ok());
    }
    assert_eq!((gemini.finished(), gemini.finished_calls().unwrap().ids), (1, vec!["c1".to_owned()]));
}
