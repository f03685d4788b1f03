//! Logistic regression, drawn to given weights: what the willingness is fitted with, and the cheap features it is held
//! against.

use super::newton::{L2Prior, LocalQuadratic, minimise};

#[derive(Clone, Copy, Debug)]
pub struct TrainingExample<'a> {
    /// What was seen, with a 1 first for the constant.
    pub seen: &'a [f64],
    /// Whether it was right to speak: 1 yes, 0 no, and between them how often.
    pub right: f64,
    pub weight: f64,
}

/// The weights under which what was right is likeliest, less what it costs to leave where `pull` is to.
pub fn fit(examples: &[TrainingExample<'_>], pull: &L2Prior) -> Vec<f64> {
    minimise(pull, |weights, local| {
        examples
            .iter()
            .for_each(|example| add_example(*example, weights, local))
    })
}

fn add_example(
    TrainingExample {
        seen,
        right,
        weight,
    }: TrainingExample<'_>,
    weights: &[f64],
    local: &mut LocalQuadratic,
) {
    let logit = logit(seen, weights);
    let probability = 1.0 / (1.0 + (-logit).exp());
    // ln(1 + e^logit) without overflow, less the logit where it was right.
    local.value += weight * (logit.max(0.0) + (-logit.abs()).exp().ln_1p() - right * logit);
    local.add_slope(weight * (probability - right), seen);
    local.add_curvature(weight * probability * (1.0 - probability), seen);
}

/// The log-odds of what was seen.
pub fn logit(values: &[f64], weights: &[f64]) -> f64 {
    values
        .iter()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum()
}
