//! What is saved of a room's scores, and the weights it belongs to.

use super::*;

/// Other weights than those of this build.
fn others() -> Weights {
    let mut weights = Weights::load_embedded();
    weights.opening += 3.0;
    weights
}

/// A room heard under these weights, saved and read again.
fn saved(weights: Weights) -> ChannelFeatures {
    let mut channel = Channel::new();
    channel.weights = weights;
    channel.sense = ChannelFeatures::new(&channel.weights);
    for number in 0..200 {
        channel.hear(2 + number % 3, "and then he said it again");
    }
    serde_json::from_value(serde_json::to_value(&channel.sense).unwrap()).unwrap()
}

#[test]
fn a_bar_of_other_weights_is_dropped_and_one_of_the_same_is_kept() {
    let weights = Weights::load_embedded();
    let fresh = ScoreHistogram::new(weights.prior);
    let mut same = saved(Weights::load_embedded());
    same.apply_weights(&weights);
    assert!(
        same.score_histogram() != &fresh && same.score_histogram().known_message_count() > 100.0
    );
    let mut other = saved(others());
    other.apply_weights(&weights);
    assert_eq!(other.score_histogram(), &fresh);
    let mut old = serde_json::to_value(saved(Weights::load_embedded())).unwrap();
    old.as_object_mut().unwrap().remove("weights");
    let mut old: ChannelFeatures = serde_json::from_value(old).unwrap();
    old.apply_weights(&weights);
    assert_eq!(
        old.score_histogram(),
        &fresh,
        "nobody knows which weights it was saved with"
    );
}

#[test]
fn weights_that_differ_in_one_number_have_another_fingerprint() {
    let json = include_str!("../../../../data/weights.json");
    let same = Weights::parse(json).unwrap().fingerprint();
    assert_eq!(same, Weights::load_embedded().fingerprint());
    assert_ne!(same, others().fingerprint());
    let changed = json.replacen("\"direct\": 3.0", "\"direct\": 3.1", 1);
    assert_ne!(same, Weights::parse(&changed).unwrap().fingerprint());
}
