//! The largest eigenvalues of a symmetric matrix, with their vectors.
//!
//! The matrix is brought to three diagonals by reflections, the eigenvalues wanted are found by halving intervals, and
//! their vectors by inverse iteration. Cost grows with the cube of the size only in the first step. Vectors are of length
//! one and at right angles to each other, also where eigenvalues coincide.

/// An eigenvalue with its vector.
pub(crate) struct Eigenpair {
    pub(crate) value: f64,
    pub(crate) vector: Vec<f64>,
}

/// The `wanted` largest, the largest first. Rows of the matrix follow each other in `matrix`.
pub(crate) fn largest(matrix: &[f64], size: usize, wanted: usize) -> Vec<Eigenpair> {
    let reduced = Reduced::of(matrix, size);
    let mut pairs: Vec<Eigenpair> = Vec::new();
    for place in 0..wanted.min(size) {
        let value = reduced.eigenvalue(place);
        let known: Vec<&[f64]> = pairs.iter().map(|pair| pair.vector.as_slice()).collect();
        let vector = reduced.vector(value, &known, place);
        pairs.push(Eigenpair { value, vector });
    }
    pairs.into_iter().map(|pair| Eigenpair { vector: reduced.lift(pair.vector), ..pair }).collect()
}

/// Three diagonals, and the reflections that lead back to the matrix.
struct Reduced {
    diagonal: Vec<f64>,
    /// Beside the diagonal: entry `i` joins `i` and `i + 1`.
    beside: Vec<f64>,
    /// Of each column the vector that its reflection turns about, of length one, or none where there was nothing to do.
    reflections: Vec<Option<Vec<f64>>>,
}

impl Reduced {
    fn of(matrix: &[f64], size: usize) -> Reduced {
        let mut rest = matrix.to_vec();
        let mut reflections = Vec::new();
        for column in 0..size.saturating_sub(2) {
            let below: Vec<f64> = (column + 1..size).map(|row| rest[row * size + column]).collect();
            let axis = reflection(&below);
            if let Some(axis) = &axis {
                reflect(&mut rest, size, column, axis);
            }
            reflections.push(axis);
        }
        let diagonal = (0..size).map(|at| rest[at * size + at]).collect();
        let beside = (1..size).map(|at| rest[at * size + at - 1]).collect();
        Reduced { diagonal, beside, reflections }
    }

    /// The eigenvalue at a place, counted from the largest.
    fn eigenvalue(&self, place: usize) -> f64 {
        let reach = |at: usize| {
            let before = if at > 0 { self.beside[at - 1].abs() } else { 0.0 };
            before + self.beside.get(at).map_or(0.0, |entry| entry.abs())
        };
        let bounds = self.diagonal.iter().enumerate();
        let (mut low, mut high) = bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (at, middle)| {
            (low.min(middle - reach(at)), high.max(middle + reach(at)))
        });
        // Each step halves: after 100 nothing is left between.
        for _ in 0..100 {
            let middle = low + (high - low) / 2.0;
            if self.count_above(middle) > place {
                low = middle;
            } else {
                high = middle;
            }
        }
        low + (high - low) / 2.0
    }

    /// How many eigenvalues are larger than a value, by the signs of the pivots of what is left when it is taken off.
    fn count_above(&self, value: f64) -> usize {
        let mut pivot = 1.0;
        let mut above = 0;
        for (at, entry) in self.diagonal.iter().enumerate() {
            let coupling = if at > 0 { self.beside[at - 1] * self.beside[at - 1] / pivot } else { 0.0 };
            pivot = entry - value - coupling;
            if pivot == 0.0 {
                pivot = -f64::MIN_POSITIVE.sqrt();
            }
            above += usize::from(pivot > 0.0);
        }
        above
    }

    /// A vector of an eigenvalue, at right angles to those that are known.
    fn vector(&self, value: f64, known: &[&[f64]], place: usize) -> Vec<f64> {
        let size = self.diagonal.len();
        // Any beginning does that is not at right angles to what is looked for; a regular one might be.
        let mut vector: Vec<f64> =
            (0..size).map(|at| 1.0 + ((at * 7919 + place * 104_729) % 1009) as f64 / 1009.0).collect();
        for _ in 0..8 {
            take_off(&mut vector, known);
            scale_to_one(&mut vector);
            self.solve(value, &mut vector);
        }
        // Twice, since what is taken off leaves a rest of rounding.
        take_off(&mut vector, known);
        scale_to_one(&mut vector);
        take_off(&mut vector, known);
        scale_to_one(&mut vector);
        vector
    }

    /// Solves (three diagonals − value) · x = vector in place, by elimination with exchange of neighbouring rows.
    fn solve(&self, value: f64, vector: &mut [f64]) {
        let size = vector.len();
        let tiny = f64::EPSILON
            * self.diagonal.iter().chain(&self.beside).fold(f64::MIN_POSITIVE, |most, one| most.max(one.abs()));
        // Each finished row has an entry on the diagonal and up to two to its right.
        let mut finished: Vec<[f64; 3]> = Vec::with_capacity(size);
        let mut current = [self.diagonal[0] - value, self.beside.first().copied().unwrap_or_default(), 0.0];
        for at in 0..size - 1 {
            let below = self.beside[at];
            let next = [below, self.diagonal[at + 1] - value, self.beside.get(at + 1).copied().unwrap_or_default()];
            let (kept, other) = match below.abs() > current[0].abs() {
                true => {
                    vector.swap(at, at + 1);
                    (next, current)
                }
                false => (current, next),
            };
            let pivot = if kept[0] == 0.0 { tiny } else { kept[0] };
            let factor = other[0] / pivot;
            vector[at + 1] -= factor * vector[at];
            current = [other[1] - factor * kept[1], other[2] - factor * kept[2], 0.0];
            finished.push([pivot, kept[1], kept[2]]);
        }
        // The last pivot vanishes where the value is an eigenvalue; that is what makes its vector grow.
        finished.push([if current[0].abs() < tiny { tiny } else { current[0] }, 0.0, 0.0]);
        for at in (0..size).rev() {
            let [pivot, first, second] = finished[at];
            let after = |step: usize| vector.get(at + step).copied().unwrap_or_default();
            vector[at] = (vector[at] - first * after(1) - second * after(2)) / pivot;
        }
    }

    /// Leads a vector of the three diagonals back to one of the matrix.
    fn lift(&self, mut vector: Vec<f64>) -> Vec<f64> {
        for (column, axis) in self.reflections.iter().enumerate().rev() {
            let Some(axis) = axis else { continue };
            let part = &mut vector[column + 1..];
            let twice = 2.0 * dot(axis, part);
            part.iter_mut().zip(axis).for_each(|(entry, axis)| *entry -= twice * axis);
        }
        scale_to_one(&mut vector);
        vector
    }
}

/// The axis of the reflection that leaves of a column only its first entry.
fn reflection(column: &[f64]) -> Option<Vec<f64>> {
    let length = dot(column, column).sqrt();
    if column[1..].iter().all(|entry| *entry == 0.0) {
        return None;
    }
    let mut axis = column.to_vec();
    axis[0] += if column[0] < 0.0 { -length } else { length };
    scale_to_one(&mut axis);
    Some(axis)
}

/// Reflects the part of the matrix right of and below a column from both sides.
fn reflect(matrix: &mut [f64], size: usize, column: usize, axis: &[f64]) {
    let from = column + 1;
    let mut image: Vec<f64> = (from..size).map(|row| dot(&matrix[row * size + from..(row + 1) * size], axis)).collect();
    let half = dot(&image, axis);
    image.iter_mut().zip(axis).for_each(|(entry, axis)| *entry -= half * axis);
    for (row, (row_axis, row_image)) in (from..size).zip(axis.iter().zip(&image)) {
        let entries = matrix[row * size + from..(row + 1) * size].iter_mut();
        for (entry, (axis, image)) in entries.zip(axis.iter().zip(&image)) {
            *entry -= 2.0 * (row_axis * image + row_image * axis);
        }
    }
    let below: Vec<f64> = (from..size).map(|row| matrix[row * size + column]).collect();
    let twice = 2.0 * dot(axis, &below);
    for (row, (entry, axis)) in (from..size).zip(below.iter().zip(axis)) {
        matrix[row * size + column] = entry - twice * axis;
        matrix[column * size + row] = entry - twice * axis;
    }
}

fn take_off(vector: &mut [f64], known: &[&[f64]]) {
    for other in known {
        let share = dot(vector, other);
        vector.iter_mut().zip(*other).for_each(|(entry, other)| *entry -= share * other);
    }
}

fn scale_to_one(vector: &mut [f64]) {
    // By the largest entry first: after inverse iteration squares might overflow.
    let most = vector.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    if most > 0.0 {
        vector.iter_mut().for_each(|entry| *entry /= most);
        let length = dot(vector, vector).sqrt();
        vector.iter_mut().for_each(|entry| *entry /= length);
    }
}

pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::{dot, largest};

    fn residual(matrix: &[f64], size: usize, value: f64, vector: &[f64]) -> f64 {
        let image = (0..size).map(|row| dot(&matrix[row * size..(row + 1) * size], vector));
        image.zip(vector).map(|(image, entry)| (image - value * entry).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn a_small_matrix_has_the_eigenvalues_that_a_hand_computes() {
        let matrix = [2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0];
        let pairs = largest(&matrix, 3, 3);
        let root = 2.0_f64.sqrt();
        for (pair, value) in pairs.iter().zip([2.0 + root, 2.0, 2.0 - root]) {
            assert!((pair.value - value).abs() < 1e-12, "{} {value}", pair.value);
            assert!(residual(&matrix, 3, pair.value, &pair.vector) < 1e-12);
        }
    }

    #[test]
    fn equal_eigenvalues_have_vectors_at_right_angles() {
        let mut matrix = vec![0.0; 36];
        (0..6).for_each(|at| matrix[at * 6 + at] = 3.0);
        let pairs = largest(&matrix, 6, 3);
        for (at, pair) in pairs.iter().enumerate() {
            assert!((pair.value - 3.0).abs() < 1e-12);
            for (other, second) in pairs.iter().enumerate() {
                let expected = if at == other { 1.0 } else { 0.0 };
                assert!((dot(&pair.vector, &second.vector) - expected).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn vectors_of_a_larger_matrix_are_what_the_matrix_only_stretches() {
        let size = 60;
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let entry = ((row * 31 + column * 17) % 23) as f64 / 23.0 - 0.5;
                matrix[row * size + column] = entry;
                matrix[column * size + row] = entry;
            }
        }
        let pairs = largest(&matrix, size, 4);
        assert!(pairs.windows(2).all(|two| two[0].value >= two[1].value));
        for pair in &pairs {
            assert!(residual(&matrix, size, pair.value, &pair.vector) < 1e-9, "{}", pair.value);
        }
    }
}
