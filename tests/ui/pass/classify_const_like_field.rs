// A const and a static that are called like a field would be compared with, where the field is to be bound.
#![deny(warnings)]
#![allow(non_upper_case_globals, dead_code)]

use toolkit::Classify;

const wait: u8 = 7;
static code: u8 = 7;

#[derive(Debug, Classify)]
#[class(rate_limit, retry_after(secs) = wait, detail = code, message = "wait {wait}, code {code}")]
struct Slow {
    wait: u8,
    code: u8,
}

impl std::fmt::Display for Slow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("slow")
    }
}

impl std::error::Error for Slow {}

fn main() {
    let verdict = Slow { wait: 3, code: 4 }.classify();
    assert_eq!(verdict.retry_after_hint(), Some(std::time::Duration::from_secs(3)));
}
