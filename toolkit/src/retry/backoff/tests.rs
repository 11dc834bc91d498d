use std::collections::HashSet;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;

const ALMOST_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn curve(backoff: Backoff) -> Curve {
    let mut problems = Vec::new();
    backoff.check(ErrorClass::Timeout, &mut problems);
    assert_eq!(problems, [""; 0]);
    match backoff.schedule() {
        Schedule::Waits(curve) => curve,
        other => panic!("{other:?} has no curve"),
    }
}

fn delays<const N: usize>(backoff: Backoff, retries: [u32; N]) -> [Duration; N] {
    let curve = curve(backoff);
    retries.map(|n| curve.delay(n, 0.5))
}

#[test]
fn without_jitter_the_numbers_are_exact() {
    let doubling = Backoff::exponential(ms(50)).jitter(Jitter::None);
    assert_eq!(delays(doubling, [0, 1, 2, 3]), [50, 100, 200, 400].map(ms));
    assert_eq!(delays(doubling.cap(ms(200)), [0, 1, 2, 3]), [50, 100, 200, 200].map(ms));
    assert_eq!(
        delays(
            Backoff::exponential(ms(1000)).cap(ms(30_000)).jitter(Jitter::None),
            [0, 1, 5, 31, 32, 63, 64, 65, 1000, u32::MAX]
        ),
        [1000, 2000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000].map(ms)
    );
    assert_eq!(
        delays(Backoff::exponential(ms(1000)).factor(1.1).jitter(Jitter::None), [0, 1, 2, 3]),
        [1_000_000_000, 1_100_000_000, 1_210_000_000, 1_331_000_000].map(Duration::from_nanos)
    );
    assert_eq!(delays(Backoff::fixed(ms(700)).jitter(Jitter::None), [0, 1, u32::MAX]), [700, 700, 700].map(ms));
}

#[test]
fn a_product_that_floats_cannot_hold_is_rounded_and_not_over_the_cap() {
    // 2.3 * 2.3 is 5.289999… in binary.
    let uneven = Backoff::exponential(ms(1000)).factor(2.3).jitter(Jitter::None);
    assert_eq!(delays(uneven, [2]), [ms(5290)]);
    // Three times the factor is 1 more than the cap, and the factor is below a third of it, all as floats.
    let cap = Duration::from_nanos(1_152_921_504_606_847_999);
    let close = Backoff::exponential(Duration::from_nanos(3)).factor(3.843_071_682_022_826e17).cap(cap);
    assert_eq!(delays(close.jitter(Jitter::None), [1]), [cap]);
}

#[test]
fn a_growth_beyond_all_numbers_is_the_cap() {
    let steep = Backoff::exponential(ms(1)).cap(Duration::MAX).jitter(Jitter::None);
    assert_eq!(delays(steep.factor(10.0), [400]), [Duration::MAX]);
    assert_eq!(delays(steep.factor(f64::MAX), [1, u32::MAX]), [Duration::MAX; 2]);
    let widest = Backoff::exponential(Duration::MAX).cap(Duration::MAX).jitter(Jitter::None);
    assert_eq!(delays(widest, [0, 1, u32::MAX]), [Duration::MAX; 3]);
}

#[test]
fn each_jitter_reaches_from_its_lower_end_to_just_below_its_upper_one() {
    let second = Backoff::exponential(ms(1000)).cap(ms(1000));
    for (backoff, low, high) in [
        (second, 500, 1000),
        (second.jitter(Jitter::Equal), 500, 1000),
        (second.jitter(Jitter::Full), 0, 1000),
        (Backoff::fixed(ms(1000)), 900, 1100),
        (Backoff::fixed(ms(1000)).jitter(Jitter::Proportional(1.0)), 0, 2000),
        (Backoff::fixed(ms(1000)).jitter(Jitter::Equal), 500, 1000),
        (Backoff::fixed(ms(1100)).cap(ms(1100)), 900, 1100),
        (Backoff::fixed(ms(10_000)).cap(ms(13_000)).jitter(Jitter::Proportional(0.3)), 7000, 13_000),
        (Backoff::fixed(ms(13_000)).cap(ms(13_000)).jitter(Jitter::Proportional(0.3)), 7000, 13_000),
    ] {
        let curve = curve(backoff);
        assert_eq!(curve.delay(0, 0.0), ms(low), "{backoff:?}");
        let most = curve.delay(0, ALMOST_ONE);
        assert!(most < ms(high) && most + Duration::from_micros(1) > ms(high), "{backoff:?}: {most:?}");
        assert_eq!(curve.delay(0, 0.5), (ms(low) + ms(high)) / 2, "{backoff:?}");
    }
}

#[test]
fn a_jitter_of_nothing_is_exact_and_the_smallest_one_is_not_on_the_cap() {
    let fixed = Backoff::fixed(ms(100)).cap(ms(100));
    assert_eq!(delays(fixed.jitter(Jitter::Proportional(0.0)), [0, 7]), [ms(100); 2]);
    assert!(curve(fixed.jitter(Jitter::Proportional(1e-300))).delay(0, ALMOST_ONE) < ms(100));
}

#[test]
fn the_shortest_waits_stay_below_their_cap_too() {
    for nanos in 1..=6 {
        let wait = Duration::from_nanos(nanos);
        for jitter in [Jitter::Equal, Jitter::Full, Jitter::Proportional(0.1), Jitter::Proportional(1.0)] {
            let curve = curve(Backoff::exponential(wait).cap(wait).jitter(jitter));
            for random in [0.0, 0.5, ALMOST_ONE] {
                assert!(curve.delay(3, random) < wait, "{nanos} {jitter:?} {random}");
            }
        }
        assert_eq!(delays(Backoff::fixed(wait).jitter(Jitter::None), [0]), [wait]);
    }
}

#[test]
fn randomness_out_of_range_counts_as_the_nearest_end() {
    assert_eq!(part(1000, f64::NAN), 0);
    assert_eq!(part(1000, -3.0), 0);
    assert_eq!(part(1000, f64::NEG_INFINITY), 0);
    for random in [1.0, 7.0, f64::INFINITY] {
        assert_eq!(part(1000, random), 999);
    }
    assert_eq!(part(0, 0.9), 0);
    let longest = Duration::MAX.as_nanos();
    assert_eq!(part(longest, 0.5), longest / 2);
    assert_eq!(from_nanos(longest), Duration::MAX);
    assert_eq!(from_nanos(longest + 1), Duration::MAX);
    assert_eq!(from_nanos(longest - 1) + Duration::from_nanos(1), Duration::MAX);
}

#[test]
fn immediate_does_not_wait_and_never_does_not_retry() {
    assert_eq!(Backoff::immediate().schedule().delay(9, 0.9), Some(Duration::ZERO));
    assert_eq!(Backoff::never().schedule().delay(0, 0.9), None);
}

#[test]
fn a_million_delays_stay_within_their_bounds() {
    let mut rng = SmallRng::seed_from_u64(7);
    let cases = [
        (Backoff::exponential(ms(500)).cap(ms(10_000)), 0.5, 1.0),
        (Backoff::exponential(ms(1000)).cap(ms(60_000)).jitter(Jitter::Full), 0.0, 1.0),
        (Backoff::fixed(ms(1000)).cap(ms(1050)), 0.9, 1.1),
        (Backoff::exponential(ms(3)).factor(1.7).cap(ms(999)).jitter(Jitter::Proportional(0.4)), 0.6, 1.4),
    ]
    .map(|(backoff, low, high)| (curve(backoff), low, high));
    for draw in 0..1_000_000u32 {
        let (curve, low, high) = cases[draw as usize % cases.len()];
        let n = rng.random_range(0..40);
        let delay = curve.delay(n, rng.random()).as_nanos();
        assert!(delay < curve.cap, "draw {draw}: {delay} is not below {}", curve.cap);
        let middle = approximate(curve.raw(n).min(rounded(approximate(curve.cap) / high)));
        let delay = approximate(delay);
        assert!(delay >= middle * low - 2.0 && delay < middle * high + 2.0, "draw {draw}: {delay} around {middle}");
    }
}

#[test]
fn saturated_delays_differ_between_seeds() {
    for backoff in [
        Backoff::exponential(ms(500)).cap(ms(10_000)),
        Backoff::exponential(ms(1000)).cap(ms(60_000)).jitter(Jitter::Full),
        Backoff::fixed(ms(1000)),
        Backoff::fixed(ms(10_000)).cap(ms(10_000)).jitter(Jitter::Proportional(0.3)),
    ] {
        let curve = curve(backoff);
        let distinct: HashSet<Duration> =
            (0..1000).map(|seed| curve.delay(50, SmallRng::seed_from_u64(seed).random())).collect();
        assert!(distinct.len() >= 990, "{backoff:?}: {}", distinct.len());
    }
}

fn factors() -> impl Strategy<Value = f64> {
    prop_oneof![
        1.0..4.0,
        (0.0..308.0).prop_map(|digits| 10f64.powf(digits)),
        // The ones next to 1, where a rounding error is as large as a step.
        (0u64..64).prop_map(|ulps| f64::from_bits(1f64.to_bits() + ulps)),
    ]
}

fn nanos() -> impl Strategy<Value = u128> {
    (0u32..95, any::<u128>()).prop_map(|(bits, number)| (number & ((1 << bits) - 1)).clamp(1, Duration::MAX.as_nanos()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_raw_wait_never_falls_and_never_exceeds_its_cap(
        factor in factors(), a in nanos(), b in nanos(), n: u32, few in 0u32..3000, step in 1u32..1000,
    ) {
        let (base, cap) = (a.min(b), a.max(b));
        let curve = curve(Backoff::exponential(from_nanos(base)).factor(factor).cap(from_nanos(cap)));
        prop_assert_eq!(curve.raw(0), base);
        for n in [n, few] {
            for later in [n.saturating_add(1), n.saturating_add(step), u32::MAX] {
                let (earlier, later) = (curve.raw(n), curve.raw(later));
                prop_assert!(base <= earlier && earlier <= later && later <= cap, "{} {}", earlier, later);
            }
        }
    }

    #[test]
    fn the_raw_wait_is_the_power(factor in 1.0..3.0f64, base in 1u128..1_000_000_000_000, n in 0u32..30) {
        let curve = curve(Backoff::exponential(from_nanos(base)).factor(factor).cap(Duration::MAX));
        let expected = (0..n).fold(approximate(base), |wait, _| wait * factor);
        let raw = approximate(curve.raw(n));
        prop_assert!((raw - expected).abs() <= 1.0 + expected * 1e-12, "{} {}", raw, expected);
    }

    #[test]
    fn no_delay_reaches_its_cap(
        factor in factors(), a in nanos(), b in nanos(), n: u32, random in 0.0..1.0f64, share in 1e-9..=1.0f64,
    ) {
        let (base, cap) = (from_nanos(a.min(b)), from_nanos(a.max(b)));
        for jitter in [Jitter::Equal, Jitter::Full, Jitter::Proportional(share)] {
            for backoff in [Backoff::exponential(base).factor(factor), Backoff::fixed(base)] {
                let curve = curve(backoff.cap(cap).jitter(jitter));
                for random in [0.0, random, ALMOST_ONE] {
                    let delay = curve.delay(n, random);
                    prop_assert!(delay < cap, "{:?} {:?} {:?}", backoff, jitter, delay);
                }
            }
        }
    }
}
