//! The gate through its public face: who is addressed, what a score is made of, what the threshold means, what survives.

mod explanations;
mod names;
mod two_people;

use std::sync::Arc;

use kith_core::chat::{
    Author, AuthorKind, ChannelId, ChannelKind, MINUTE, Message, MessageId, Millis, SECOND, UserId,
};
use kith_core::persona::Persona;
use kith_core::report::DirectAddress;
use kith_core::willingness::{
    AddressMatcher, ChannelFeatures, Themes, Weights, WillingnessScore, logistic,
};

const ME: UserId = UserId(1);

/// A channel with people in it; ids are numbers, seconds count from the start.
struct Channel {
    sense: ChannelFeatures,
    listener: AddressMatcher,
    weights: Weights,
    next: u64,
    now: Millis,
}

impl Channel {
    fn new() -> Channel {
        Channel::of(&Persona::default(), ChannelKind::Group)
    }

    fn of(persona: &Persona, kind: ChannelKind) -> Channel {
        let weights = Weights::load_embedded();
        Channel {
            sense: ChannelFeatures::default(),
            listener: AddressMatcher::new(ME, &["Mia".into()], persona, kind),
            weights,
            next: 1,
            now: 1_700_000_000_000,
        }
    }

    fn message(&mut self, author: u64, text: &str) -> Message {
        self.next += 1;
        self.now += 10 * SECOND;
        Message {
            id: MessageId(self.next),
            channel: ChannelId(1),
            arrival: self.next,
            at: self.now,
            author: Author {
                id: UserId(author),
                name: Arc::from(format!("person{author}")),
                kind: if UserId(author) == ME {
                    AuthorKind::Companion
                } else {
                    AuthorKind::Person
                },
            },
            text: Arc::from(text),
            reply_to: None,
            mentions: Vec::new(),
        }
    }

    fn hear(&mut self, author: u64, text: &str) -> WillingnessScore {
        let message = self.message(author, text);
        self.sense
            .score_message(&message, &self.listener, &self.weights)
    }

    fn speak(&mut self, text: &str) {
        let message = self.message(ME.0, text);
        self.sense.record_own_message(&message, &self.weights);
    }
}

#[test]
fn the_terms_of_a_score_and_the_bias_sum_up_to_its_log_odds() {
    let mut channel = Channel::new();
    channel.hear(2, "anybody knows a good noodle place?");
    channel.speak("the one behind the station");
    let score = channel.hear(2, "Mia, thanks! which station?");
    let terms = score.terms(&channel.weights);
    let sum: f32 = terms.iter().map(|term| term.adds).sum::<f32>() + score.bias;
    assert!((logistic(sum) - score.probability).abs() < 1e-4);
    assert!(
        terms
            .iter()
            .any(|term| term.name == "vocative" && term.value == 1.0)
    );
    assert!(terms.iter().all(|term| term.value != 0.0));
}

#[test]
fn each_kind_of_direct_address_is_told_apart() {
    let mut channel = Channel::new();
    channel.speak("hello all");
    let own = MessageId(channel.next);
    assert_eq!(
        channel.hear(2, "Mia, hi").address,
        Some(DirectAddress::Name)
    );
    assert_eq!(channel.hear(2, "Mia is nice").address, None);
    let mut mention = channel.message(2, "look at this");
    mention.mentions.push(ME);
    assert_eq!(
        channel
            .sense
            .score_message(&mention, &channel.listener, &channel.weights)
            .address,
        Some(DirectAddress::Mention)
    );
    let mut reply = channel.message(2, "look at this");
    reply.reply_to = Some(own);
    assert_eq!(
        channel
            .sense
            .score_message(&reply, &channel.listener, &channel.weights)
            .address,
        Some(DirectAddress::Reply)
    );
    let mut direct = Channel::of(&Persona::default(), ChannelKind::Direct);
    assert_eq!(direct.hear(2, "so").address, Some(DirectAddress::Direct));
}

#[test]
fn an_answer_of_a_partner_weighs_more_than_talk_between_two_others() {
    let mut channel = Channel::new();
    channel.hear(2, "does anybody know how to mount a disk image");
    channel.speak("mount -o loop image.iso /mnt");
    let partner = channel.hear(2, "it says permission denied, with that mount line");
    let mut channel = Channel::new();
    channel.hear(2, "does anybody know how to mount a disk image");
    channel.speak("mount -o loop image.iso /mnt");
    channel.hear(3, "person4: are you coming tonight");
    let others = channel.hear(4, "person3: yes, at eight");
    assert!(
        partner.probability > 2.0 * others.probability,
        "{} {}",
        partner.probability,
        others.probability
    );
}

#[test]
fn an_interest_the_room_talks_about_all_day_counts_less_than_one_that_rarely_comes_up() {
    let themes = ["kernels", "/sour(dough)?/", "滑雪", "good night"].map(str::to_owned);
    let persona = Persona {
        interests: themes.to_vec(),
        ..Persona::default()
    };
    let room = |daily: &str, line: &str| {
        let mut channel = Channel::new();
        channel.listener = AddressMatcher::new(ME, &["Mia".into()], &persona, ChannelKind::Group);
        for number in 0..300 {
            channel.hear(
                2 + number % 4,
                if number % 2 == 0 {
                    daily
                } else {
                    "the weather held up, did it"
                },
            );
        }
        let score = channel.hear(3, line);
        let told = score.terms(&channel.weights);
        (
            told.iter()
                .find(|term| term.name == "interest")
                .map_or(0.0, |term| term.value),
            score.logit,
        )
    };
    let dull = "somebody has to paint the fence";
    for line in ["my kernel panics", "is sourdough hard", "周末一起去滑雪"] {
        let ((rare, wants), (common, would)) = (room(dull, line), room(line, line));
        assert_eq!(rare, 0.5, "{line}");
        assert!(common < 0.12 && would < wants, "{line}: {common}");
    }
    assert_eq!(
        room("good night", "good night").0,
        0.5,
        "everyday words are not counted, so they count fully"
    );
    let ((seldom, _), (kernel, _)) = (
        room("kernel or fence", "sourdough or fence"),
        room("kernel or fence", "kernel or fence"),
    );
    assert!(seldom > 4.0 * kernel, "in one room: {seldom} and {kernel}");
}

#[test]
fn interests_are_words_phrases_expressions_and_chinese() {
    let themes = ["noodle", "science fiction", "/r(ust|uby)/", "火锅"].map(String::from);
    let persona = Persona {
        interests: themes.to_vec(),
        ..Persona::default()
    };
    let mut channel = Channel::of(&persona, ChannelKind::Group);
    let mut interest = |text: &str| {
        let score = channel.hear(2, text);
        score
            .terms(&channel.weights)
            .iter()
            .find(|term| term.name == "interest")
            .map_or(0.0, |term| term.value)
    };
    assert_eq!(interest("nothing of note"), 0.0);
    assert_eq!(interest("Noodles again"), 0.5);
    assert_eq!(interest("some science and some fiction"), 0.0);
    assert_eq!(interest("some Science Fiction, in RUST"), 0.75);
    assert_eq!(interest("今晚吃火锅吧"), 0.5);
    assert!(Themes::check("/(/").is_err());
    assert_eq!(Themes::check("/a+/"), Ok(()));
}

#[test]
fn energy_falls_with_speaking_and_comes_back() {
    let mut channel = Channel::new();
    assert_eq!(channel.sense.energy(channel.now), 1.0);
    for _ in 0..5 {
        channel.speak("and another thing");
    }
    let tired = channel.sense.energy(channel.now);
    assert!(tired < 0.6, "{tired}");
    assert!(channel.sense.energy(channel.now + 60 * MINUTE) > 0.95);
}

#[test]
fn a_score_fades_with_time_and_when_somebody_else_answers() {
    let mut channel = Channel::new();
    let score = channel.hear(2, "does anybody know a good noodle place?");
    let fresh = channel
        .sense
        .decay_score(&score, score.at, &channel.weights);
    assert!((fresh - score.probability).abs() < 1e-6);
    let later = channel
        .sense
        .decay_score(&score, score.at + 30 * MINUTE, &channel.weights);
    assert!(later < fresh);
    channel.hear(3, "person2: the one behind the station");
    assert!(
        channel
            .sense
            .decay_score(&score, score.at + 30 * MINUTE, &channel.weights)
            < later
    );
}

#[test]
fn a_restored_sense_scores_like_the_one_that_was_saved() {
    let mut channel = Channel::new();
    for turn in 0..30 {
        channel.hear(
            2 + turn % 3,
            "the noodle place is closed, and the kernel panics",
        );
        if turn % 7 == 0 {
            channel.speak("try the other kernel");
        }
    }
    let saved = serde_json::to_string(&channel.sense).unwrap();
    assert!(saved.len() < 40_000, "{}", saved.len());
    assert!(!saved.contains("noodle"), "no text is saved");
    let mut restored: ChannelFeatures = serde_json::from_str(&saved).unwrap();
    let message = channel.message(3, "which kernel?");
    let expected = channel
        .sense
        .score_message(&message, &channel.listener, &channel.weights);
    assert_eq!(
        restored.score_message(&message, &channel.listener, &channel.weights),
        expected
    );
}

#[test]
fn a_sense_saved_before_newer_signals_existed_still_loads() {
    /// Takes out what older saves do not have.
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                for newer in ["cares", "steps", "spoken", "length"] {
                    fields.remove(newer);
                }
                fields.values_mut().for_each(strip);
            }
            serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut channel = Channel::new();
    for turn in 0..10 {
        channel.hear(
            2 + turn % 3,
            "the noodle place is closed, and the kernel panics",
        );
        channel.speak("try the other kernel");
    }
    let mut saved = serde_json::to_value(&channel.sense).unwrap();
    strip(&mut saved);
    assert!(saved.get("cares").is_none());
    let mut restored: ChannelFeatures = serde_json::from_value(saved).unwrap();
    let message = channel.message(3, "which kernel?");
    let score = restored.score_message(&message, &channel.listener, &channel.weights);
    assert!(
        score.probability > 0.0 && score.probability < 1.0,
        "{}",
        score.probability
    );
}

#[test]
fn what_it_says_and_answers_becomes_what_it_knows_about() {
    let mut channel = Channel::new();
    let known = |score: &WillingnessScore, weights: &Weights| {
        score
            .terms(weights)
            .iter()
            .find(|term| term.name == "known")
            .map_or(0.0, |term| term.value)
    };
    let before = channel.hear(2, "nvidia modprobe refuses after an upgrade");
    assert_eq!(known(&before, &channel.weights), 0.0);
    channel.speak("blacklist nouveau and rerun modprobe");
    for _ in 0..60 {
        channel.hear(3, "rain again this afternoon");
    }
    let after = channel.hear(4, "modprobe complains of nouveau");
    assert!(
        known(&after, &channel.weights) > 0.2,
        "{}",
        known(&after, &channel.weights)
    );
    let chinese = channel.hear(4, "沙茶面哪里好");
    assert_eq!(known(&chinese, &channel.weights), 0.0);
    channel.speak("沙茶面好啊，去老地方");
    let chinese = channel.hear(4, "那家沙茶面还开着");
    assert!(
        known(&chinese, &channel.weights) > 0.1,
        "{}",
        known(&chinese, &channel.weights)
    );
}

#[test]
fn weights_that_do_not_fit_the_code_are_refused_by_name() {
    let json = include_str!("../../../data/weights.json");
    assert_eq!(Weights::parse(json), Ok(Weights::load_embedded()));
    let unknown = json.replacen("\"mention\"", "\"mentoin\"", 1);
    assert_eq!(
        Weights::parse(&unknown),
        Err("weights: willingness.friends.mentoin is not known; did you mean \"mention\"?".into())
    );
    let text = json.replacen("\"opening\": ", "\"opening\": \"x\", \"was\": ", 1);
    assert!(Weights::parse(&text).unwrap_err().contains("links"));
    assert!(Weights::parse("{}").unwrap_err().contains("willingness"));
}
