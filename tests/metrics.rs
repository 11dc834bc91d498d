//! What is counted of calls, in a recorder that can be read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use serde_json::json;
use toolkit::{Executor, Metrics, ToolCall};

use crate::scripted::{self, Script, Step, call, exact};

/// What was counted, by name and labels. Of a duration, how often and the sum in milliseconds.
#[derive(Clone, Default)]
struct Counted(Arc<Mutex<BTreeMap<String, u64>>>);

impl Counted {
    fn add(&self, name: String, count: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default() += count;
    }

    fn one(&self, key: &Key) -> Arc<One> {
        let labels: Vec<String> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        Arc::new(One { name: format!("{} {}", key.name(), labels.join(" ")), counted: self.clone() })
    }
}

struct One {
    name: String,
    counted: Counted,
}

impl CounterFn for One {
    fn increment(&self, value: u64) {
        self.counted.add(self.name.clone(), value);
    }

    fn absolute(&self, _: u64) {
        unreachable!("nothing is set");
    }
}

impl HistogramFn for One {
    fn record(&self, value: f64) {
        self.counted.add(format!("{} count", self.name), 1);
        let millis = Duration::from_secs_f64(value).as_millis();
        self.counted.add(format!("{} ms", self.name), u64::try_from(millis).unwrap());
    }
}

#[derive(Default)]
struct Recorded {
    counted: Counted,
    described: Mutex<BTreeSet<String>>,
}

impl Recorded {
    fn describe(&self, name: KeyName, unit: Option<Unit>, words: SharedString) {
        assert!(unit.is_some() && words.ends_with('.'), "{name:?}");
        self.described.lock().unwrap().insert(name.as_str().to_owned());
    }

    fn check_described(&self, key: &Key) {
        assert!(self.described.lock().unwrap().contains(key.name()), "{key:?} is not described");
    }
}

impl Recorder for Recorded {
    fn describe_counter(&self, name: KeyName, unit: Option<Unit>, words: SharedString) {
        self.describe(name, unit, words);
    }

    fn describe_gauge(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        unreachable!("{name:?}");
    }

    fn describe_histogram(&self, name: KeyName, unit: Option<Unit>, words: SharedString) {
        self.describe(name, unit, words);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        self.check_described(key);
        Counter::from_arc(self.counted.one(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        unreachable!("{key:?}");
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        self.check_described(key);
        Histogram::from_arc(self.counted.one(key))
    }
}

/// Runs calls under a recorder; what was counted.
fn counted(run: impl AsyncFnOnce(&Executor, &Script)) -> BTreeMap<String, u64> {
    let recorder = Recorded::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    metrics::with_local_recorder(&recorder, || {
        Metrics::describe();
        let (builder, script) = scripted::builder();
        let policy = exact().budget(2, 0.0, Duration::MAX).build().unwrap();
        let executor = builder.retry(policy).observer(Metrics).build().unwrap();
        runtime.block_on(run(&executor, &script));
    });
    recorder.counted.0.lock().unwrap().clone()
}

#[test]
fn calls_attempts_retries_and_reasons_are_counted() {
    let counted = counted(async |executor, script| {
        script.play(&[Step::Network, Step::RateLimited]);
        assert!(executor.call(call("safe_3")).await.is_success());
        script.play(&[Step::Network]);
        executor.call(call("safe_3")).await;
        script.play(&[Step::Missing]);
        executor.call(call("once_1")).await;
    });
    let expected = [
        ("toolkit_calls_total tool=safe_3 category=write outcome=succeeded reason=none", 1),
        ("toolkit_calls_total tool=safe_3 category=write outcome=failed reason=budget", 1),
        ("toolkit_calls_total tool=once_1 category=write outcome=failed reason=permanent", 1),
        ("toolkit_attempts_total tool=safe_3 category=write class=network", 2),
        ("toolkit_attempts_total tool=safe_3 category=write class=rate_limit", 1),
        ("toolkit_attempts_total tool=safe_3 category=write class=none", 1),
        ("toolkit_attempts_total tool=once_1 category=write class=not_found", 1),
        ("toolkit_retries_total tool=safe_3 category=write class=network", 1),
        ("toolkit_retries_total tool=safe_3 category=write class=rate_limit", 1),
        ("toolkit_retries_suppressed_total tool=safe_3 category=write class=network reason=budget", 1),
        ("toolkit_retries_suppressed_total tool=once_1 category=write class=not_found reason=permanent", 1),
        ("toolkit_retry_delay_seconds tool=safe_3 category=write class=network ms", 1_000),
        ("toolkit_retry_delay_seconds tool=safe_3 category=write class=rate_limit ms", 2_000),
        ("toolkit_call_duration_seconds tool=safe_3 category=write outcome=succeeded reason=none ms", 3_000),
        ("toolkit_attempt_duration_seconds tool=safe_3 category=write class=network count", 2),
    ];
    for (name, count) in expected {
        assert_eq!(counted.get(name), Some(&count), "{name}: {counted:#?}");
    }
    let counters = counted.keys().filter(|name| name.contains("_total ")).count();
    assert_eq!(counters, expected.iter().filter(|(name, _)| name.contains("_total ")).count(), "{counted:#?}");
}

#[test]
fn labels_have_few_values_whatever_the_model_writes() {
    let counted = counted(async |executor, script| {
        for number in 0..20 {
            script.play(&[]);
            executor.call(ToolCall::new(format!("made_up_{number}"), json!({"x": number}))).await;
            let argument = format!("argument {number}");
            executor.call(ToolCall::new("safe_0", json!({"argument": argument})).id(format!("call_{number}"))).await;
            executor.call(ToolCall::new("Safe_0", json!({"argument": argument}))).await;
            executor.call(ToolCall::new("safe_0", json!({"argument": number, "y": 1}))).await;
        }
    });
    let names: Vec<_> = counted.keys().filter(|name| name.contains("_total ")).collect();
    assert_eq!(
        counted["toolkit_calls_total tool=unknown category=unknown outcome=not_executed reason=unknown_tool"],
        20
    );
    assert!(names.len() <= 4, "{names:#?}");
}
