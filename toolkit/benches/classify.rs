//! What it costs to judge an error: the best of many rounds, in nanoseconds, since what the others took more somebody
//! else on the machine did. `cargo bench -p toolkit --bench classify`.
//!
//! An error whose type says what it means is to cost less than 200 ns, and a text of 4 KiB less than 20 µs, whatever
//! stands in it; twice the text twice the time. Beside the first stands what making the text alone takes.

use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

use toolkit::{Classification, Classify, ErrorClass, ErrorClassifier};

const ROUNDS: usize = 401;
const ROUND: Duration = Duration::from_micros(200);

/// The time of one run in the best round.
fn measure(run: impl Fn()) -> f64 {
    let mut runs = 1_u32;
    loop {
        let start = Instant::now();
        (0..runs).for_each(|_| run());
        if start.elapsed() >= ROUND {
            break;
        }
        runs *= 2;
    }
    let round = |_| {
        let start = Instant::now();
        (0..runs).for_each(|_| run());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// An error with a text, and maybe a cause.
#[derive(Debug)]
struct Layer(String, Option<Box<dyn Error + Send + Sync>>);

impl Layer {
    fn over(text: &str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(text.to_owned(), Some(cause.into()))
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Layer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

#[derive(Debug)]
struct Own;

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no order ORD12345678")
    }
}

impl Error for Own {}

impl Classify for Own {
    fn classify(&self) -> Classification {
        Classification::new(ErrorClass::NotFound)
    }
}

/// A text of so many bytes.
fn text(unit: &str, bytes: usize) -> String {
    let mut text = unit.repeat(bytes / unit.len() + 1);
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn main() {
    let classifier = ErrorClassifier::standard().knows::<Own>();
    let typed: [(&str, Box<dyn Error + Send + Sync>); 9] = [
        ("derived", Own.into()),
        ("derived, in an io::Error", io::Error::other(Own).into()),
        ("io::Error, a kind", io::Error::from(io::ErrorKind::TimedOut).into()),
        ("io::Error, of the system", io::Error::from_raw_os_error(2).into()),
        ("io::Error, with a text", io::Error::new(io::ErrorKind::TimedOut, "the shop").into()),
        ("a number that is none", "x".parse::<u8>().unwrap_err().into()),
        ("JSON that is none", serde_json::from_str::<u8>("[").unwrap_err().into()),
        ("a chain of two", Layer::over("reading", io::Error::from(io::ErrorKind::TimedOut)).into()),
        (
            "a chain of three",
            Layer::over("page 3", Layer::over("reading", io::Error::from(io::ErrorKind::TimedOut))).into(),
        ),
    ];
    println!("{:<34} {:>10} {:>10}", "by type", "ns", "its text");
    for (name, error) in &typed {
        let time = measure(|| drop(black_box(classifier.classify(black_box(&**error)))));
        let text = measure(|| drop(black_box(black_box(error).to_string())));
        println!("{name:<34} {time:>10.0} {text:>10.0}");
    }

    println!("\n{:<34} {:>10} {:>10} {:>10}", "by text", "1 KiB", "2 KiB", "4 KiB");
    for (name, unit) in [
        ("English", "the quick brown fox jumps over the lazy dog and the service said no, order 503912: "),
        ("Chinese", "这个服务连接了请求但是没有结果，"),
        ("words that start a wording", "status: a timeout b rate c connection d not "),
        ("one word again and again", "timeout "),
        ("numbers", "503 429 500 "),
        ("addresses", "http://a/b?c=d "),
        ("separators", "a=b:c=d:"),
        ("one long word", "a"),
        ("brackets", "(((((((("),
        ("new lines", "a\n\n"),
    ] {
        let times = [1024, 2048, 4096].map(|bytes| {
            let error = Layer(text(unit, bytes), None);
            measure(|| drop(black_box(classifier.classify(black_box(&error)))))
        });
        println!("{name:<34} {:>10.0} {:>10.0} {:>10.0}", times[0], times[1], times[2]);
    }
}
