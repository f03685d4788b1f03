//! Logistic regression, drawn to given weights: what the willingness is fitted with, and the cheap features it is held
//! against.

use super::descent::{Local, Pull, lowest};

/// What was seen, with a 1 first for the constant, and whether it was right to speak.
pub type Example<'a> = (&'a [f64], bool);

/// The weights under which what was right is likeliest, less what it costs to leave where `pull` is to.
pub fn fit(examples: &[Example<'_>], pull: &Pull) -> Vec<f64> {
    lowest(pull, |weights, local| examples.iter().for_each(|example| add(*example, weights, local)))
}

fn add((values, right): Example<'_>, weights: &[f64], local: &mut Local) {
    let logit = logit(values, weights);
    let probability = 1.0 / (1.0 + (-logit).exp());
    // ln(1 + e^±logit) without overflow.
    let against = if right { -logit } else { logit };
    local.value += against.max(0.0) + (-against.abs()).exp().ln_1p();
    local.tilt(probability - f64::from(u8::from(right)), values);
    local.bend(probability * (1.0 - probability), values);
}

/// The log-odds of what was seen.
pub fn logit(values: &[f64], weights: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}
