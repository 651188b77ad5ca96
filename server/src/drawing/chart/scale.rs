//! Ticks that people can read: multiples of one, two or five times a power of ten.

/// From zero to the first tick that is not below `most`, in about four steps.
pub fn ticks(most: u64) -> Vec<u64> {
    let step = step(most.max(1));
    let count = most.max(1).div_ceil(step);
    (0..=count).map(|place| place.saturating_mul(step)).collect()
}

/// The least round step of which five reach `most`.
fn step(most: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if step.saturating_mul(5) >= most {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}
