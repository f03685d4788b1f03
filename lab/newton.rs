//! Newton's method for smooth convex functions of a few dozen numbers: what both models are fitted with. Deterministic.

/// The most steps; both models need about ten.
const STEPS: usize = 60;
/// A step that gains less than this share of the value is the last.
const ENOUGH: f64 = 1e-10;
/// How often a step that leads uphill is halved.
const HALVINGS: usize = 30;

/// A function's value at a point, its slope there, and how that changes (row by row, lower triangle).
#[derive(Clone, Debug)]
pub struct LocalQuadratic {
    pub value: f64,
    pub slope: Vec<f64>,
    /// The second derivatives: `curve[i][j]` for `j <= i`.
    pub curve: Vec<Vec<f64>>,
}

impl LocalQuadratic {
    fn with_size(size: usize) -> LocalQuadratic {
        LocalQuadratic {
            value: 0.0,
            slope: vec![0.0; size],
            curve: (0..size).map(|row| vec![0.0; row + 1]).collect(),
        }
    }

    /// Adds `weight` times the outer product of `x` with itself to the curve.
    pub fn add_curvature(&mut self, weight: f64, x: &[f64]) {
        // Most of what is seen in a message is nothing.
        let seen: Vec<(usize, f64)> = x
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, a)| *a != 0.0)
            .collect();
        for (number, (row, a)) in seen.iter().enumerate() {
            let row = &mut self.curve[*row];
            for (column, b) in &seen[..=number] {
                row[*column] += weight * a * b;
            }
        }
    }

    /// Adds `weight` times `x` to the slope.
    pub fn add_slope(&mut self, weight: f64, x: &[f64]) {
        for (slope, a) in self.slope.iter_mut().zip(x) {
            *slope += weight * a;
        }
    }
}

/// What numbers are drawn to, and how strongly: half of `strength` times the squared distance is added to the loss.
#[derive(Clone, Debug)]
pub struct L2Prior {
    pub to: Vec<f64>,
    pub strength: Vec<f64>,
}

/// Looks for the lowest point of `loss` plus the pull, from where the pull is to. `loss` adds to a flat start.
pub fn minimise(pull: &L2Prior, mut loss: impl FnMut(&[f64], &mut LocalQuadratic)) -> Vec<f64> {
    let mut look = |at: &[f64]| {
        let mut local = LocalQuadratic::with_size(at.len());
        loss(at, &mut local);
        for (place, (to, strength)) in pull.to.iter().zip(&pull.strength).enumerate() {
            let off = at[place] - to;
            local.value += 0.5 * strength * off * off;
            local.slope[place] += strength * off;
            local.curve[place][place] += strength;
        }
        local
    };
    let mut at = pull.to.clone();
    let mut here = look(&at);
    for _ in 0..STEPS {
        let step = solve(here.curve.clone(), here.slope.clone());
        let mut size = 1.0;
        let next = (0..HALVINGS).find_map(|_| {
            let there: Vec<f64> = at
                .iter()
                .zip(&step)
                .map(|(a, step)| a - size * step)
                .collect();
            size /= 2.0;
            let local = look(&there);
            (local.value < here.value).then_some((there, local))
        });
        let Some((there, local)) = next else { break };
        let gain = here.value - local.value;
        (at, here) = (there, local);
        if gain < ENOUGH * here.value.abs() {
            break;
        }
    }
    at
}

/// Solves `matrix · x = y` for a positive definite matrix given by its lower triangle (Cholesky).
fn solve(mut matrix: Vec<Vec<f64>>, mut y: Vec<f64>) -> Vec<f64> {
    /// Keeps a direction nothing is known about from dividing by zero.
    const LEAST: f64 = 1e-9;
    let size = y.len();
    for i in 0..size {
        for j in 0..=i {
            let below: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - below;
            matrix[i][j] = if i == j {
                rest.max(LEAST).sqrt()
            } else {
                rest / matrix[j][j]
            };
        }
    }
    for i in 0..size {
        let below: f64 = (0..i).map(|k| matrix[i][k] * y[k]).sum();
        y[i] = (y[i] - below) / matrix[i][i];
    }
    for i in (0..size).rev() {
        let above: f64 = (i + 1..size).map(|k| matrix[k][i] * y[k]).sum();
        y[i] = (y[i] - above) / matrix[i][i];
    }
    y
}
