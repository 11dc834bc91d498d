//! Secrets in the texts where they are found, and texts that must stay.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;

fn becomes(pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        assert_eq!(scrub(text), *expected, "{text}");
        assert_eq!(scrub(expected), *expected, "once more");
    }
}

#[test]
fn credentials_in_urls() {
    becomes(&[
        (
            "error sending request for url (http://127.0.0.1:1/search?q=hello&api_key=SUPERSECRETKEY123&page=2)",
            "error sending request for url (http://127.0.0.1:1/search?q=hello&api_key=[redacted]&page=2)",
        ),
        (
            "(404 Not Found) for url (https://user:pw@api.example.test/x?apikey=K1&token=T1#k=K2)",
            "(404 Not Found) for url (https://[redacted]@api.example.test/x?apikey=[redacted]&token=[redacted]#k=[redacted])",
        ),
        ("postgres://admin:p@ss@db:5432/x", "postgres://[redacted]@db:5432/x"),
        ("postgres://admin:pa/ss@db:5432/x", "postgres://[redacted]@db:5432/x"),
        ("https://a:p#x@h/y", "https://[redacted]@h/y"),
        ("https://tok@h/y", "https://[redacted]@h/y"),
        (
            "https://h/cb?code=abc&state=1#access_token=x&id=2",
            "https://h/cb?code=[redacted]&state=1#access_token=[redacted]",
        ),
        (
            "https://s3/x?X-Amz-Credential=a/b&X-Amz-Signature=cd&X-Amz-Date=1",
            "https://s3/x?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&X-Amz-Date=1",
        ),
        ("GET /x?client_secret=abc HTTP/1.1", "GET /x?client_secret=[redacted] HTTP/1.1"),
        ("see #id=abc and x#y=abc at https://h/#z=b", "see #id=abc and x#y=[redacted] at https://h/#z=[redacted]"),
        ("see https://h/?key=abc.", "see https://h/?key=[redacted]."),
    ]);
}

#[test]
fn authorization_headers() {
    becomes(&[
        ("Authorization: Bearer sk-lm-ABC123:SECRETSUFFIX456", "Authorization: Bearer [redacted]"),
        ("Authorization=\"Bearer abc.def.ghi\"", "Authorization=\"Bearer [redacted]\""),
        ("authorization = bearer   tok_1", "authorization = bearer   [redacted]"),
        (
            r#"{"cmd":"curl -H \"Authorization: Bearer tok_123\" http://x"}"#,
            r#"{"cmd":"curl -H \"Authorization: Bearer [redacted]\" http://x"}"#,
        ),
        ("Authorization: hunter22 was refused", "Authorization: [redacted] was refused"),
        ("Proxy-Authorization: Basic dXNlcjpwdw==", "Proxy-Authorization: Basic [redacted]"),
        (
            "Authorization: Digest username=\"a\", response=\"b\"\nx",
            "Authorization: Digest [redacted]\"a\", response=\"b\"\nx",
        ),
        ("{\"authorization\": \"abc\", \"x\": 1}", "{\"authorization\": \"[redacted]\", \"x\": 1}"),
        ("sent Bearer eu7Xk2 to h", "sent Bearer [redacted] to h"),
        ("sent bearer CANARYSECRET to h", "sent bearer [redacted] to h"),
        ("Cookie: a=1; b=2\nHost: h", "Cookie: [redacted]\nHost: h"),
    ]);
}

#[test]
fn names_and_values() {
    becomes(&[
        ("password: \"unterminated\nnext line stays visible", "password: \"[redacted]\nnext line stays visible"),
        ("{\"password\":\"a\\\"b\",\"n\":1}", "{\"password\":\"[redacted]\",\"n\":1}"),
        (r#"{\"password\":\"abc\",\"n\":1}"#, r#"{\"password\":\"[redacted]\",\"n\":1}"#),
        ("Config { password: Some(\"hunter2\"), n: 3 }", "Config { password: Some(\"[redacted]\"), n: 3 }"),
        ("Config { api_key: Secret(\"hunter2\") }", "Config { api_key: Secret(\"[redacted]\") }"),
        ("Server=h;Password=a,b;Port=1", "Server=h;Password=[redacted];Port=1"),
        ("user=a&password=b&x=1", "user=a&password=[redacted]&x=1"),
        ("X-Api-Key: abc", "X-Api-Key: [redacted]"),
        ("AWS_SECRET_ACCESS_KEY=wJalr/K7", "AWS_SECRET_ACCESS_KEY=[redacted]"),
        ("client.secret => 'abc'", "client.secret => '[redacted]'"),
        ("token=abc, retry", "token=[redacted], retry"),
        ("{\"token\": \"abc\"}", "{\"token\": \"[redacted]\"}"),
        ("密码 password=秘密，好的 x", "密码 password=[redacted] x"),
        ("(secret=x)", "(secret=[redacted])"),
        ("{'passwd': b'x'}", "{'passwd': b'[redacted]'}"),
    ]);
}

#[test]
fn keys_of_well_known_services() {
    for key in [
        "sk-proj-4f9aB2cD8eF1gH5i",
        "ghp_0123456789abcdefABCDEF0123456789abcd",
        "github_pat_11ABCDEFG0123456789",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-1234567890-abcdef",
        "glpat-abcdefghij0123456789",
        "hf_abcdefghijklmnopqrst",
        "AIzaSyA0123456789abcdefghijklmnopqrstuv",
        "sk_live_0123456789ab",
        "npm_0123456789abcdef0123",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    ] {
        becomes(&[(&format!("key {key} is void"), "key [redacted] is void"), (&format!("'{key}'"), "'[redacted]'")]);
    }
}

#[test]
fn private_keys() {
    becomes(&[
        (
            "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nb",
            "a\n-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nb",
        ),
        ("a-----BEGIN PRIVATE KEY-----\nMIIE", "a-----BEGIN PRIVATE KEY-----[redacted]"),
        ("a -----BEGIN PRIVATE KEY-----\\nMIIE", "a -----BEGIN PRIVATE KEY-----[redacted]"),
        (
            "private_key: \"-----BEGIN PRIVATE KEY-----\nMI\n-----END PRIVATE KEY-----\" b",
            "private_key: \"-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY-----\" b",
        ),
    ]);
}

#[test]
fn ordinary_texts_stay_and_are_not_copied() {
    for text in [
        "",
        "Bearer ${API_KEY}",
        "The bearer of bad news arrived",
        "Authorization: Bearer ${TOKEN}",
        "bearer token missing",
        "Connection refused (os error 111)",
        "password must be at least 8 characters",
        "password: is required",
        "unexpected token: }",
        "invalid token: end of input",
        "error code=5",
        "key: value",
        "https://h:8080/a@b?page=2&q=x",
        "ssh://git@github.com/a/b",
        "http://[::1]:80/",
        "basic authentication failed",
        "task-force-of-the-year-2024-x",
        "risk-averse",
        "max_tokens=100",
        "HTTP 503: status code: 503",
        "std::secret::Password",
        "authorization: denied",
        "\"password\": null",
        "api_key={{ KEY }}",
        "-----BEGIN CERTIFICATE-----\nMI\n-----END CERTIFICATE-----",
        "eyJ is how they begin",
        "sk-learn",
        "token",
        "password",
        "password=",
        "密码错误：请重试",
        "a://",
        "://",
        "password:",
    ] {
        assert!(matches!(scrub(text), Cow::Borrowed(same) if same == text), "{text}: {}", scrub(text));
    }
}

#[test]
fn a_quarter_of_a_megabyte_of_anything_comes_to_an_end() {
    // What takes more than linear time does not: 2^36 steps are hours here.
    for piece in [
        "a://a:b/",
        "password=",
        "x=,",
        "-----BEGIN PRIVATE KEY",
        "bearer ",
        "eyJ",
        "a,a;",
        "://@",
        "\"token\":",
        "?a=b",
        "authorization:",
        "eyJ-",
        "sk-",
        "password=[",
        "ghp_",
        "\\\"",
        "&key=[",
        "://a:",
    ] {
        let text = piece.repeat((1 << 18) / piece.len());
        let once = scrub(&text);
        assert_eq!(scrub(&once), once, "{piece}");
    }
}

const PIECES: &[&str] = &[
    "password",
    "=",
    ":",
    "\"",
    "\\",
    "'",
    " ",
    "\n",
    "://",
    "@",
    "/",
    "?",
    "&",
    "#",
    "token",
    "bearer",
    "Authorization",
    "a1B2c3d4e5f6g7h8",
    "sk-",
    "ghp_",
    "eyJhbGciOi",
    ".",
    "-----BEGIN PRIVATE KEY-----",
    "-----END ",
    "[redacted]",
    "秘",
    "é",
    ";",
    ",",
    ")",
    "(",
    "$",
    "{",
    "digest",
    "Cookie",
    "b",
    "AKIAIOSFODNN7EXAMPLE",
    "x",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scrubbing_twice_is_scrubbing_once(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        let text = pieces.concat();
        let once = scrub(&text).into_owned();
        prop_assert!(once.len() <= text.len() * REDACTED.len() + REDACTED.len());
        let twice = scrub(&once);
        prop_assert_eq!(twice.as_ref(), once.as_str(), "of {}", text);
    }

    #[test]
    fn no_text_is_too_odd(text in any::<String>()) {
        scrub(&text);
    }

    #[test]
    fn a_canary_never_gets_through(secret in "[A-Za-z0-9]{12,30}9", place in 0..7_usize) {
        let text = match place {
            0 => format!("https://u:{secret}@h/x"),
            1 => format!("https://h/x?a=1&access_token={secret}&b=2"),
            2 => format!("Authorization: Bearer {secret}"),
            3 => format!("sent bearer {secret}, refused"),
            4 => format!("{{\"api_key\": \"{secret}\"}}"),
            5 => format!("password={secret}"),
            _ => format!("https://h/#x={secret}"),
        };
        prop_assert!(!scrub(&text).contains(&secret), "{}", scrub(&text));
    }
}
