use super::*;

fn attempt(number: u32, milliseconds: u64, class: Option<&str>, delay: Option<u64>) -> AttemptLine {
    AttemptLine {
        number,
        duration: Duration::from_millis(milliseconds),
        error: class.map(|class| ErrorLine {
            class: class.to_owned(),
            message: "the shipping service did not answer in time, which it should have done long ago".to_owned(),
        }),
        delay: delay.map(Duration::from_millis),
    }
}

fn ran(end: CallEnd, attempts: Vec<AttemptLine>, told: &str) -> Step {
    Step::Ran(Ran {
        id: "call_1".to_owned(),
        tool: "check_order_status".to_owned(),
        end,
        stop: (end != CallEnd::Succeeded).then(|| "exhausted".to_owned()),
        duration: attempts.iter().map(|attempt| attempt.duration + attempt.delay.unwrap_or_default()).sum(),
        attempts,
        repairs: vec![RepairLine { path: "limit".to_owned(), from: "\"5\"".to_owned(), to: "5".to_owned() }],
        told: told.to_owned(),
    })
}

fn steps() -> Vec<Step> {
    vec![
        Step::Said { who: Who::Customer, text: "Where is ORD10000684? 订单到哪里了？ ".repeat(8) },
        Step::Said { who: Who::Model, text: "I look.\u{1b}[2J".to_owned() },
        Step::Called { id: "1".into(), tool: "check_order_status".into(), arguments: "{\"order_id\":1}".repeat(12) },
        ran(
            CallEnd::Failed,
            vec![
                attempt(1, 400, Some("timeout"), Some(412)),
                attempt(2, 400, Some("timeout"), Some(930)),
                attempt(3, 400, Some("service_unavailable"), None),
            ],
            &"The call failed; nothing more was tried. ".repeat(60),
        ),
        ran(
            CallEnd::Succeeded,
            vec![attempt(1, 0, Some("rate_limit"), Some(1040)), attempt(2, 3, None, None)],
            &"{\"a\":1}".repeat(80),
        ),
        ran(CallEnd::NotExecuted, vec![], ""),
    ]
}

fn done() -> Done {
    Done {
        rows_read: 4,
        rows_changed: 1,
        outbox: "outbox".to_owned(),
        mails: vec![SentMail { to: "a@example.com".into(), subject: "s".into(), file: "1.eml".into() }],
        shipping_requests: BTreeMap::from([("ORD10000684".to_owned(), 2)]),
        duration: Duration::from_millis(2500),
    }
}

fn shown(lang: Lang, json: bool, colour: bool) -> String {
    let mut out = Vec::new();
    let mut transcript = Transcript::new(lang, json, colour, "scripted (127.0.0.1:1)".to_owned(), &mut out);
    transcript.title(240, "127.0.0.1:2");
    for step in steps() {
        transcript.step(step);
    }
    transcript.end(&done()).expect("memory takes it");
    String::from_utf8(out).expect("text")
}

#[test]
fn fits_the_width_in_both_languages() {
    for lang in [Lang::En, Lang::Zh] {
        let text = shown(lang, false, false);
        for line in text.lines() {
            assert!(columns(line) <= WIDTH, "{} columns: {line}", columns(line));
        }
        assert!(!text.contains('\u{1b}'), "no colour and nothing of the model's own");
    }
}

#[test]
fn colours_change_nothing_but_colour() {
    let coloured = shown(Lang::En, false, true);
    let plain: String = coloured
        .split('\u{1b}')
        .enumerate()
        .map(|(place, part)| if place == 0 { part } else { part.split_once('m').map_or(part, |(_, text)| text) })
        .collect();
    assert!(coloured.contains("\u{1b}[31m"));
    assert_eq!(plain, shown(Lang::En, false, false));
}

#[test]
fn the_timeline_shows_attempts_and_waits_in_proportion() {
    let text = shown(Lang::En, false, false);
    let rows: Vec<&str> = text.lines().filter(|line| line.contains('▕')).collect();
    assert_eq!(rows.len(), 5);
    let count = |row: &str, of: char| row.chars().filter(|c| *c == of).count();
    assert!(
        rows[0].contains("400 ms") && rows[0].contains("timeout") && rows[0].contains("waits 412 ms"),
        "{}",
        rows[0]
    );
    assert!(count(rows[1], '·') > count(rows[0], '·'));
    assert!(!rows[2].contains("waits") && rows[2].contains("█▏"), "{}", rows[2]);
    // An attempt of no length at all is seen, too.
    assert_eq!(count(rows[3], '█'), 1);
    assert!(rows[4].contains("█▏") && rows[4].trim_end().ends_with("ok"), "{}", rows[4]);
}

#[test]
fn feedback_is_shown_as_keys_and_values() {
    let told = "{\n  \"error\": \"not_found\",\n  \"problems\": [\"one\", \"two\"],\n  \"attempts\": 0\n}";
    assert_eq!(told_lines(told, 40), ["error     not_found", "problems  one", "          two", "attempts  0"]);
    assert_eq!(told_lines("{\"a\":1}", 40), ["{\"a\":1}"]);
    assert_eq!(told_lines("{\n broken", 40), ["{", " broken"]);
}

#[test]
fn json_is_one_document_with_everything_in_it() {
    let record: Value = serde_json::from_str(&shown(Lang::Zh, true, true)).expect("one JSON document");
    assert_eq!(record["language"], "zh");
    assert_eq!(record["steps"].as_array().map(Vec::len), Some(6));
    let failed = &record["steps"][3];
    assert_eq!(failed["kind"], "ran");
    assert_eq!(failed["attempts"][0]["error"]["class"], "timeout");
    assert_eq!(failed["attempts"][0]["wait_milliseconds"], 412.0);
    assert_eq!(failed["attempts"][2]["wait_milliseconds"], Value::Null);
    assert_eq!(record["tools"]["check_order_status"], serde_json::json!({"calls": 3, "attempts": 5}));
    assert_eq!(record["done"]["mails"][0]["file"], "1.eml");
}
