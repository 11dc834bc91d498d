//! The random part of the waits: numbers that depend on a seed, a stream and a place in it, and on nothing else.

use std::hash::BuildHasher as _;

use foldhash::quality::FixedState;

/// The number at this place of a stream, from 0 to below 1. There is nothing to be kept from one to the next.
#[expect(clippy::cast_precision_loss, reason = "53 bits are what the number holds")]
pub(super) fn random(seed: u64, stream: u64, place: u32) -> f64 {
    let bits = FixedState::with_seed(seed).hash_one((stream, place)) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::random;

    /// Whether each tenth holds about a tenth of the numbers.
    fn are_even(numbers: impl Iterator<Item = f64>) -> bool {
        let numbers: Vec<f64> = numbers.collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        (0..10).all(|tenth| {
            let from = f64::from(tenth) / 10.0;
            let inside = numbers.iter().filter(|number| (from..from + 0.1).contains(*number)).count();
            (numbers.len() * 9 / 100..=numbers.len() * 11 / 100).contains(&inside)
        })
    }

    #[test]
    fn numbers_are_spread_evenly_over_seeds_streams_and_places() {
        assert!(are_even((0..10_000).map(|seed| random(seed, 0, 0))));
        assert!(are_even((0..10_000).map(|stream| random(7, stream, 0))));
        assert!(are_even((0..10_000).map(|place| random(7, 3, place))));
    }

    #[test]
    fn neighbours_have_nothing_to_do_with_each_other() {
        let pairs = (0..10_000_u64).map(|stream| (random(1, stream, 0) - random(1, stream + 1, 0)).abs());
        // The mean distance of two numbers between 0 and 1 is a third.
        let mean = pairs.sum::<f64>() / 10_000.0;
        assert!((0.32..0.35).contains(&mean), "{mean}");
    }
}
