use super::*;
use std::hint::black_box;
use std::io;
fn time(name: &str, f: impl Fn()) {
    for _ in 0..2000 {
        f();
    }
    let mut best = f64::MAX;
    for _ in 0..20 {
        let t = std::time::Instant::now();
        for _ in 0..2000 {
            f();
        }
        best = best.min(t.elapsed().as_nanos() as f64 / 2000.0);
    }
    println!("{name}: {best:.0} ns");
}
#[test]
fn bench() {
    let c = ErrorClassifier::standard().knows::<Judged>();
    let refused = io::Error::from_raw_os_error(111);
    time("io raw os", || {
        black_box(c.classify(black_box(&refused)));
    });
    time("io raw os to_string alone", || {
        black_box(black_box(&refused).to_string());
    });
    let custom = io::Error::new(io::ErrorKind::TimedOut, "the shop");
    time("io custom", || {
        black_box(c.classify(black_box(&custom)));
    });
    let simple = io::Error::from(io::ErrorKind::TimedOut);
    time("io simple", || {
        black_box(c.classify(black_box(&simple)));
    });
    let own = Judged::new("no order 7", Classification::new(ErrorClass::NotFound));
    time("judge own", || {
        black_box(c.judge(black_box(&own)));
    });
    let num = "x".parse::<u8>().unwrap_err();
    time("parse", || {
        black_box(c.classify(black_box(&num)));
    });
    let deep = Layer::over("a", Layer::over("b", io::Error::from(io::ErrorKind::TimedOut)));
    time("3 deep", || {
        black_box(c.classify(black_box(&deep)));
    });
    let long = "the quick brown fox jumps over the lazy dog and the service said no, order 503912: ".repeat(60);
    let long = &long[..4096];
    time("4k ascii text class", || {
        black_box(super::super::message::class_of(black_box(long), &[]));
    });
    time("  find ://", || {
        black_box(black_box(long).find("://"));
    });
    time("  find backtrace", || {
        black_box(super::super::chain::before_backtrace(black_box(long)));
    });
    time("  words", || {
        black_box(super::super::message::words_for_bench(black_box(long)));
    });
    time("  search", || {
        black_box(super::super::message::search_for_bench(black_box(long)));
    });
    let dense = "status: a timeout b rate c connection d not ".repeat(100);
    time("4k dense text class", || {
        black_box(super::super::message::class_of(black_box(&dense), &[]));
    });
    let zh = "这个服务连接了请求但是没有结果，".repeat(90);
    time("4k chinese class", || {
        black_box(super::super::message::class_of(black_box(&zh), &[]));
    });
    time("short text class", || {
        black_box(super::super::message::class_of(black_box("request to shop 3 failed: connection refused"), &[]));
    });
    time("4k scrub", || {
        black_box(crate::scrub::scrub(black_box(long)));
    });
    time("short scrub", || {
        black_box(crate::scrub::scrub(black_box("request to shop 3 failed: connection refused")));
    });
    let p = ErrorClassifier::standard().pattern(r"(?i)\bquota exhausted\b", ErrorClass::RateLimit).unwrap();
    let layer = Layer { text: Box::leak(long.to_owned().into_boxed_str()), cause: None };
    time("4k opaque text whole", || {
        black_box(c.classify(black_box(&layer)));
    });
    time("4k opaque text whole with host pattern", || {
        black_box(p.classify(black_box(&layer)));
    });
}
