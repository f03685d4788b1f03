//! What a text means as a list of numbers, as an embedding model gives it, and how alike two texts are by that.
//!
//! A number is kept in eight bits. Only the direction of a vector counts, so that it is scaled to use all of them; the cosine
//! of two vectors is off by less than a hundredth then, which is less than what two models differ by.

/// The most numbers of one vector: models give between 256 and 4,096.
const MOST_DIMENSIONS: usize = 8_192;
/// Where a channel holds fewer vectors, what is usual there is not known yet.
const FEWEST: u64 = 20;
/// What is usual where not known: mean and deviation of the cosines of unrelated sentences in sentence models.
const USUAL_MEAN: f64 = 0.1;
const USUAL_DEVIATION: f64 = 0.1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextVector(Box<[i8]>);

impl TextVector {
    /// The vector of a model's numbers; none where they are no vector: none at all, too many, not finite, or all zero.
    pub fn from_numbers(numbers: &[f32]) -> Option<Self> {
        let is_finite = numbers.iter().all(|number| number.is_finite());
        let largest = numbers
            .iter()
            .fold(0.0_f32, |most, number| most.max(number.abs()));
        let is_vector = is_finite && largest > 0.0 && numbers.len() <= MOST_DIMENSIONS;
        let to_small = |number: &f32| (number / largest * f32::from(i8::MAX)).round() as i8;
        is_vector.then(|| Self(numbers.iter().map(to_small).collect()))
    }

    /// As it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().map(|number| number.cast_unsigned()).collect()
    }

    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// How alike it is to a vector that was kept, from -1 to 1; none where that one is of another size.
    pub fn cosine(&self, kept: &[u8]) -> Option<f64> {
        if kept.len() != self.0.len() {
            return None;
        }
        let (mut product, mut own, mut other) = (0_i32, 0_i32, 0_i32);
        // Sums of at most 8,192 products of eight-bit numbers fit into 32 bits.
        for (own_number, other_number) in self.0.iter().zip(kept) {
            let one = i32::from(*own_number);
            let two = i32::from(other_number.cast_signed());
            product += one * two;
            own += one * one;
            other += two * two;
        }
        let lengths = (f64::from(own) * f64::from(other)).sqrt();
        (lengths > 0.0).then(|| f64::from(product) / lengths)
    }
}

/// How alike a question is to all that it was held against. Models differ in what cosine they give to texts that have
/// nothing to do with each other (0.1 with one, 0.7 with another); so what is alike is told by how far it stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SimilarityStats {
    count: u64,
    sum: f64,
    squares: f64,
}

impl SimilarityStats {
    /// Counts the cosine of another text.
    pub fn add(&mut self, cosine: f64) {
        self.count += 1;
        self.sum += cosine;
        self.squares += cosine * cosine;
    }

    /// How far a cosine stands out, in standard deviations above the mean.
    pub fn compute_distinction(&self, cosine: f64) -> f64 {
        if self.count < FEWEST {
            return (cosine - USUAL_MEAN) / USUAL_DEVIATION;
        }
        let mean = self.sum / self.count as f64;
        let variance = (self.squares / self.count as f64 - mean * mean).max(0.0);
        (cosine - mean) / variance.sqrt().max(f64::EPSILON)
    }

    /// How far the nearest of so many texts stands out that have nothing to do with the question; none where nobody knows.
    /// (The expected maximum of n normal numbers is below the root of 2 ln n.)
    pub fn compute_chance_maximum(&self) -> Option<f64> {
        (self.count >= FEWEST).then(|| (2.0 * (self.count as f64).ln()).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_vector_is_nearly_as_alike_as_the_numbers_were() {
        let numbers = |seed: u32| -> Vec<f32> {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / (1 << 24) as f32 - 0.5
            };
            (0..384).map(|_| next()).collect()
        };
        for seed in 0..50 {
            let (one, noise) = (numbers(seed), numbers(seed + 1_000));
            let two: Vec<f32> = one
                .iter()
                .zip(&noise)
                .map(|(number, other)| number + 0.7 * other)
                .collect();
            let dot = |a: &[f32], b: &[f32]| -> f64 {
                a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
            };
            let exact = dot(&one, &two) / (dot(&one, &one) * dot(&two, &two)).sqrt();
            let [one, two] = [one, two].map(|all| TextVector::from_numbers(&all).unwrap());
            let kept = one.cosine(&two.to_bytes()).unwrap();
            assert!((kept - exact).abs() < 0.01, "{kept} for {exact}");
            assert!((one.cosine(&one.to_bytes()).unwrap() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        let too_long = vec![0.1; MOST_DIMENSIONS + 1];
        for numbers in [
            &[][..],
            &[0.0, 0.0],
            &[f32::NAN, 1.0],
            &[f32::INFINITY],
            &too_long,
        ] {
            assert_eq!(TextVector::from_numbers(numbers), None);
        }
        let vector = TextVector::from_numbers(&[1.0, 0.0]).unwrap();
        assert_eq!(vector.cosine(&[127]), None, "of another size");
        assert_eq!(vector.cosine(&[0, 0]), None, "damaged");
    }

    #[test]
    fn what_stands_out_is_told_alike_of_a_model_that_finds_all_texts_alike() {
        let rate = |shift: f64, scale: f64| {
            let mut spread = SimilarityStats::default();
            (0..100).for_each(|step| spread.add(shift + scale * f64::from(step % 10)));
            spread.compute_distinction(shift + scale * 20.0)
        };
        let (wide, narrow) = (rate(0.0, 0.02), rate(0.7, 0.005));
        assert!(
            (wide - narrow).abs() < 1e-6 && wide > 5.0,
            "{wide} {narrow}"
        );
    }
}
