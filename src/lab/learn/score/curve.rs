//! The precision-recall curve: what every threshold on the score would give.

use super::GoldPart;

/// Recall and precision by the label "answers this very message" at each score as the threshold, by rising recall. Empty
/// where nothing was answered.
pub fn precision_recall_curve(parts: &[GoldPart]) -> Vec<(f64, f64)> {
    let points = parts.iter().flat_map(|part| &part.points);
    let mut scored: Vec<(f64, bool)> = points
        .filter_map(|point| Some((point.score, point.trigger_label()?)))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let right = scored.iter().filter(|(_, right)| *right).count() as f64;
    let mut curve = Vec::new();
    let (mut said, mut good) = (0.0, 0.0);
    for ties in scored.chunk_by(|a, b| a.0 == b.0).filter(|_| right > 0.0) {
        said += ties.len() as f64;
        good += ties.iter().filter(|(_, right)| *right).count() as f64;
        curve.push((good / right, good / said));
    }
    curve
}
