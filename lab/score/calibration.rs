//! Whether a willingness of 30 % means three times out of ten.

use super::GoldPart;

/// Into how many groups of equal size the points are cut.
pub const BINS: usize = 10;

/// How far scores are from the share of triggers among points with such scores: the mean over [`BINS`] groups of equal
/// size, lowest scores first, of the difference between mean score and share. None without points.
pub fn calibration_error(parts: &[GoldPart]) -> Option<f64> {
    let points = parts.iter().flat_map(|part| &part.points);
    let mut scored: Vec<(f64, bool)> = points
        .filter_map(|point| Some((point.score, point.trigger_label()?)))
        .collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = scored.len();
    let mut sum = 0.0;
    for bin in 0..BINS {
        let group = scored
            .get(bin * all / BINS..(bin + 1) * all / BINS)
            .unwrap_or_default();
        let claimed: f64 = group.iter().map(|(score, _)| score).sum();
        let right = group.iter().filter(|(_, right)| *right).count() as f64;
        sum += (claimed - right).abs();
    }
    (all > 0).then(|| sum / all as f64)
}
