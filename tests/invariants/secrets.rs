//! A secret in the arguments, in the text of the error, behind it and in a URL, in every class of failure.

use proptest::prelude::*;
use serde_json::json;
use toolkit::{ErrorClass, Executor, Language, Registry, ToolCall, ToolError, tool};

use crate::captured::Captured;
use crate::scripted::{quiet, told};

/// How a credential stands in the texts that come back from services.
const FORMS: [fn(&str) -> String; 6] = [
    |secret| format!("error sending request for url (https://h.example/s?q=1&api_key={secret}&page=2)"),
    |secret| format!("https://ann:{secret}@h.example/x refused"),
    |secret| format!("Authorization: Bearer {secret} was not accepted"),
    |secret| format!("password={secret}"),
    |secret| format!(r#"{{"access_token": "{secret}"}} is no token"#),
    |secret| format!("postgres://app:{secret}@db.example:5432/orders: connection refused"),
];

macro_rules! leaking {
    ($($name:ident: $idempotent:literal;)*) => {$(
        /// Fails, and says too much.
        #[tool(category = Write, max_retries = 0, idempotent = $idempotent)]
        async fn $name(
            class: Option<String>,
            hidden: bool,
            no_effect: bool,
            note: String,
            texts: [String; 3],
            #[arg(secret)] phrase: String,
        ) -> Result<(), ToolError> {
            let [message, source, detail] = texts.map(|text| format!("{text}; {phrase:?} was tried"));
            let Some(class) = class else { panic!("scripted: {message} {note}") };
            let class: ErrorClass = class.parse().unwrap();
            let mut error = ToolError::new(class, message).source(std::io::Error::other(source)).detail("raw", detail);
            if hidden {
                error = error.hidden();
            }
            Err(if no_effect { error.no_effect() } else { error })
        }
    )*};
}

leaking! {
    leak: true;
    leak_once: false;
}

fn executor(language: Language, open: bool) -> Executor {
    quiet();
    let registry = Registry::builder().tool::<leak>().tool::<leak_once>().build().unwrap();
    Executor::builder(registry).language(language).show_internal_errors(open).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn no_secret_is_in_a_message_a_record_or_the_log(
        class in prop::option::weighted(0.9, prop::sample::select(ErrorClass::ALL.to_vec())),
        forms in prop::array::uniform4(0_usize..FORMS.len()),
        (hidden, no_effect, idempotent, open, chinese) in any::<(bool, bool, bool, bool, bool)>(),
        canary in "canary[0-9a-f]{10}",
        phrase in "phrase[0-9a-f]{10}",
    ) {
        let [note, texts @ ..] = forms.map(|form| FORMS[form](&canary));
        let arguments = json!({
            "class": class.map(ErrorClass::as_str), "hidden": hidden, "no_effect": no_effect, "note": note,
            "texts": texts, "phrase": phrase,
        });
        let log = Captured::start();
        let executor = executor(if chinese { Language::Zh } else { Language::En }, open);
        let name = if idempotent { "leak" } else { "leak_once" };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(executor.call(ToolCall::new(name, arguments)));
        for text in [result.text(), &log.text(), &serde_json::to_string(&result).unwrap(), &format!("{result:?}")] {
            prop_assert!(!text.contains(&canary) && !text.contains(&phrase), "{}", text);
        }
        prop_assert_eq!(told(&result)["outcome"] == "not_executed", class.is_some() && no_effect);
    }
}
