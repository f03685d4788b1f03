//! Decisions told to people: the reasons, and what shift the threshold.

use kith_core::persona::Language;
use kith_core::report::{DirectAddress, MessageDecision, Refusal, ThresholdShift};
use kith_core::willingness::{
    DecisionNames, describe_main_reason, describe_threshold, explain_decision,
};

use super::*;

fn term(name: &str, adds: f32) -> kith_core::report::ScoreTerm {
    kith_core::report::ScoreTerm {
        name: name.into(),
        value: 1.0,
        adds,
    }
}

/// A decision on a message of which nothing more is known than that it kept silent: 6 % against 31 %.
fn kept_silent(score: &WillingnessScore) -> MessageDecision {
    MessageDecision {
        channel: ChannelId(1),
        message: score.message,
        author: score.author,
        at: score.at,
        score: 0.06,
        threshold: 0.31,
        shift: ThresholdShift::default(),
        address: None,
        refusal: None,
        speak: false,
        energy: 1.0,
        silent_for: None,
        terms: Vec::new(),
        bias: -2.0,
        waits_until: None,
        goes_on: false,
    }
}

#[test]
fn signals_of_one_kind_are_told_as_one() {
    let mut channel = Channel::new();
    let score = channel.hear(2, "so it goes");
    let terms = vec![term("small_longest", 0.4), term("small_silence", 0.2)];
    let decision = MessageDecision {
        score: score.probability,
        threshold: 0.3,
        terms,
        ..kept_silent(&score)
    };
    let told = explain_decision(&decision, Language::EN);
    assert!(
        told.contains("among few people it is its turn (+0.6)"),
        "{told}"
    );
}

#[test]
fn the_main_reason_says_who_asked_and_between_whom_it_would_come() {
    let mut channel = Channel::new();
    let silent = kept_silent(&channel.hear(2, "so it goes"));
    let names = DecisionNames {
        author: Some("Anna"),
        other: Some("Ben"),
    };
    let told = |decision: &MessageDecision| {
        [Language::EN, Language::ZH]
            .map(|language| describe_main_reason(decision, names, language).unwrap_or_default())
    };
    let between = MessageDecision {
        terms: vec![term("others_talk", -2.1), term("length", 0.4)],
        ..silent.clone()
    };
    assert_eq!(told(&between), ["between Anna and Ben", "Anna 在和 Ben 聊"]);
    let nameless = describe_main_reason(&between, DecisionNames::default(), Language::EN);
    assert_eq!(
        nameless.as_deref(),
        Some("two others are talking to each other")
    );
    let called = MessageDecision {
        address: Some(DirectAddress::Mention),
        speak: true,
        ..silent.clone()
    };
    assert_eq!(told(&called), ["Anna mentioned it", "Anna 提到了它"]);
    let asked = MessageDecision {
        terms: vec![term("question", 0.8)],
        ..called.clone()
    };
    assert_eq!(told(&asked), ["Anna asked it", "Anna 在问它"]);
    // A refusal says why by itself.
    let refused = MessageDecision {
        refusal: Some(Refusal::Asleep),
        ..called
    };
    assert_eq!(told(&refused), ["", ""]);
}

#[test]
fn a_decision_is_told_in_one_sentence_in_both_languages() {
    let mut channel = Channel::new();
    channel.hear(2, "person3: hi");
    let score = channel.hear(3, "person2: hi");
    let (terms, bias) = (score.terms(&channel.weights), score.bias);
    let decision = MessageDecision {
        terms,
        bias,
        ..kept_silent(&score)
    };
    let english = explain_decision(&decision, Language::EN);
    assert!(english.starts_with("kept silent: "), "{english}");
    assert!(english.contains("somebody else is named (−"), "{english}");
    assert!(
        english.ends_with(": 6 % against a threshold of 31 %"),
        "{english}"
    );
    let chinese = explain_decision(&decision, Language::ZH);
    assert!(
        chinese.starts_with("没有说话：") && chinese.ends_with("：意愿 6%，门槛 31%"),
        "{chinese}"
    );
}

#[test]
fn what_moved_the_bar_is_told_with_where_it_usually_is() {
    let told = |score, threshold, shift: ThresholdShift| {
        [Language::EN, Language::ZH]
            .map(|language| describe_threshold(score, threshold, shift, language))
    };
    let none = ThresholdShift::default();
    assert_eq!(
        told(0.06, 0.31, none),
        ["6 % against a threshold of 31 %", "6%，门槛 31%"]
    );
    let spoke = ThresholdShift {
        unheeded: 0.47,
        unheeded_remarks: 1,
        ..none
    };
    assert_eq!(
        told(0.06, 0.31, spoke),
        [
            "6 % against a threshold of 31 % (usually 22 %; higher because nobody took up its last remark)",
            "6%，门槛 31%（平时 22%，因为没有人接它最近的 1 句话而偏高）"
        ]
    );
    let several = ThresholdShift {
        unheeded: 1.1,
        unheeded_remarks: 2,
        allowance: 0.35,
        meant: -0.2,
        restraint: 0.0,
    };
    let tired = ThresholdShift {
        restraint: 0.47,
        ..none
    };
    assert_eq!(
        told(0.06, 0.31, tired)[0],
        "6 % against a threshold of 31 % (usually 22 %; higher because it has talked a lot)"
    );
    assert_eq!(
        told(0.06, 0.31, several)[0],
        "6 % against a threshold of 31 % (usually 11 %; higher because nobody took up its last 2 remarks and it has said enough \
         for now)"
    );
    let lower = ThresholdShift {
        allowance: -0.4,
        meant: -0.5,
        ..none
    };
    assert_eq!(
        told(0.3, 0.2, lower)[1],
        "30%，门槛 20%（平时 38%，因为本来就想回应、最近说得少而偏低）"
    );
    let hardly = ThresholdShift {
        allowance: 0.01,
        ..none
    };
    assert_eq!(
        told(0.06, 0.31, hardly)[0],
        "6 % against a threshold of 31 %"
    );
    assert_eq!(
        told(0.218, 0.222, none)[0],
        "21.8 % against a threshold of 22.2 %",
        "both would read 22 %"
    );
    assert_eq!(
        told(0.06, 1.0, none)[0],
        "6 % against a threshold of 100 % (nothing unasked is wanted here)"
    );
}

#[test]
fn a_call_is_told_as_how_it_is_called() {
    let mut channel = Channel::new();
    let message = Message {
        mentions: vec![ME],
        ..channel.message(2, "why does it not boot?")
    };
    let score = channel
        .sense
        .score_message(&message, &channel.listener, &channel.weights);
    let decision = MessageDecision {
        score: 0.9,
        shift: ThresholdShift {
            unheeded: 2.0,
            ..ThresholdShift::default()
        },
        address: score.address,
        speak: true,
        terms: vec![term("mention", 0.5), term("called_question", 2.0)],
        ..kept_silent(&score)
    };
    assert_eq!(
        explain_decision(&decision, Language::EN),
        "answers a mention: they mention it (+2.5): 90 % against a threshold of 31 %",
        "the threshold does not matter to who calls it"
    );
}
