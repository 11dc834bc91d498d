// Items of the user that are called like those of the prelude.
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

mod std {}
mod core {}
mod alloc {}
mod toolkit {}
struct Result;
struct Option;
struct String;
struct Box;
struct Some;
struct None;
struct Ok;
struct Err;
struct Duration;
struct Classification;
struct ErrorClass;
struct Error;
struct Value;
trait Into {}
trait Classify {}
#[allow(unused_macros)]
macro_rules! vec { () => {} }
#[allow(unused_macros)]
macro_rules! format { () => {} }
#[allow(unused_macros)]
macro_rules! panic { () => {} }

// Methods on everything, called like those of the expansion.
trait Everything {
    fn classify(&self) {}
    fn delegate(&self) {}
    fn verdict(&self) {}
    fn wait(&self) {}
    fn message(&self) {}
}
impl<T> Everything for T {}

#[derive(Debug, ::toolkit::Classify)]
enum Mine {
    #[class(timeout, retry_after = wait, detail = code, message = "code {code}")]
    Slow { wait: ::std::time::Duration, code: u8 },
    #[class(delegate, hidden)]
    Io(::std::io::Error),
    #[class(delegate)]
    Boxed(::std::boxed::Box<dyn ::std::error::Error + Send + Sync>),
}

impl ::std::fmt::Display for Mine {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("-")
    }
}

impl ::std::error::Error for Mine {}

fn main() {}
