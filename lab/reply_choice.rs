//! Which earlier line a message answers: a choice among the lines there are and "opens something new", fitted as a
//! conditional logit. Where a message answers several lines, any of them is right.

use super::newton::{L2Prior, LocalQuadratic, minimise};

/// How many numbers describe a line.
pub use kith_core::links::CLUES;
/// The clues, and a 1 for opening.
pub const SIZE: usize = CLUES + 1;

/// Lines less likely than this bend the curve too little to be counted: they are most of them. They are left out of the
/// mean as well, or the curve would bend downwards where a clue shows in such lines only, and no step would lead down.
const UNLIKELY: f64 = 1e-3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplyChoice {
    /// The clues of each line, newest first.
    pub lines: Vec<[f32; CLUES]>,
    /// The right ones, by place; none where it opens something.
    pub right: Vec<usize>,
}

/// The weights (the clues', then the opening's) under which the right choices are likeliest, less what it costs to leave
/// where `pull` is to.
pub fn fit(choices: &[ReplyChoice], pull: &L2Prior) -> Vec<f64> {
    minimise(pull, |weights, local| {
        choices
            .iter()
            .for_each(|choice| add_choice(choice, weights, local))
    })
}

/// Minus the logarithm of the summed probability of the right lines. It is not convex where several are right, so the
/// curve leaves their own part out; that is never flatter than the truth, and steps get no longer.
fn add_choice(choice: &ReplyChoice, weights: &[f64], local: &mut LocalQuadratic) {
    let wide = |clues: &[f32; CLUES]| {
        let mut x = [0.0; SIZE];
        x.iter_mut()
            .zip(clues)
            .for_each(|(x, clue)| *x = f64::from(*clue));
        x
    };
    let mut opening = [0.0; SIZE];
    opening[CLUES] = 1.0;
    let candidates: Vec<[f64; SIZE]> = choice.lines.iter().map(wide).chain([opening]).collect();
    let sums: Vec<f64> = candidates
        .iter()
        .map(|x| x.iter().zip(weights).map(|(x, weight)| x * weight).sum())
        .collect();
    let highest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = sums.iter().map(|sum| (sum - highest).exp()).collect();
    let all: f64 = odds.iter().sum();
    let is_right = |place: usize| {
        if choice.right.is_empty() {
            place == choice.lines.len()
        } else {
            choice.right.contains(&place)
        }
    };
    let right: f64 = odds
        .iter()
        .enumerate()
        .filter(|(place, _)| is_right(*place))
        .map(|(_, odd)| odd)
        .sum();
    local.value += all.ln() - right.ln();
    let mut mean = [0.0; SIZE];
    for (place, (x, odd)) in candidates.iter().zip(&odds).enumerate() {
        let share = odd / all;
        local.add_slope(share - if is_right(place) { odd / right } else { 0.0 }, x);
        if share > UNLIKELY {
            local.add_curvature(share, x);
            mean.iter_mut()
                .zip(x)
                .for_each(|(mean, x)| *mean += share * x);
        }
    }
    local.add_curvature(-1.0, &mean);
}
