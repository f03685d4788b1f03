//! How much sooner the first message is out because an answer is read while it streams, in tokens of a real vocabulary.

use kith_core::chat::Millis;
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

use crate::turn::sim::{Answer, Sim, policy};

/// How long a model at 50 tokens a second writes one, in milliseconds.
const TOKEN: Millis = 20;
/// How many tokens of thoughts the answer has.
const THOUGHTS: usize = 15;
/// And of messages.
const MESSAGES: [usize; 3] = [20, 30, 40];

const TALK: &str = "so we walked down to the harbour before sunrise because Ben swore the ferry leaves at six and of course \
    nobody had checked the winter timetable which means we stood there in the rain with two cold coffees and one \
    umbrella laughing at a seagull that tried to steal his sandwich until the bakery opened and they let us in and \
    gave us warm rolls from the day before and i think that was honestly the best breakfast of this whole year even though my \
    socks were wet until noon and Ben still says that the timetable was wrong and not him";

fn tokens(text: &str) -> Vec<String> {
    o200k_base_singleton()
        .split_by_token_ordinary(text)
        .unwrap()
}

/// Thoughts and messages of exactly these many tokens, cut from one story.
fn parts() -> (String, Vec<String>) {
    let story = tokens(TALK);
    let mut rest = story.as_slice();
    let mut take = |count: usize| {
        // Without the space before it a word may be more tokens.
        let text = |end: usize| rest[..end].concat().trim().to_owned();
        let end = (1..=rest.len())
            .find(|end| tokens(&text(*end)).len() == count)
            .expect("the story is long enough");
        let part = text(end);
        rest = &rest[end..];
        part
    };
    (take(THOUGHTS), MESSAGES.map(take).to_vec())
}

/// A piece of an answer.
enum Piece {
    Text(String),
    Arguments(u32, String),
}

/// The answer in the pieces in which a model writes it, a token each.
fn pieces(protocol: OutputProtocol) -> Vec<Piece> {
    let (thoughts, messages) = parts();
    let text = match protocol {
        OutputProtocol::Xml => {
            let calls: String = messages
                .iter()
                .map(|text| format!("<send_message>{text}</send_message>\n"))
                .collect();
            format!("<turn>\n<thoughts>{thoughts}</thoughts>\n{calls}</turn>")
        }
        OutputProtocol::Json => {
            let call = |text| json!({"name": "send_message", "params": {"text": text}});
            let actions: Vec<_> = messages.iter().map(call).collect();
            json!({"thoughts": thoughts, "actions": actions}).to_string()
        }
        OutputProtocol::Native => thoughts,
    };
    let mut pieces: Vec<Piece> = tokens(&text).into_iter().map(Piece::Text).collect();
    if protocol == OutputProtocol::Native {
        for (index, text) in (0..).zip(&messages) {
            let arguments = json!({ "text": text }).to_string();
            pieces.extend(
                tokens(&arguments)
                    .into_iter()
                    .map(|token| Piece::Arguments(index, token)),
            );
        }
    }
    pieces
}

/// Answers with when the first message was sent and when the answer ended, from its beginning, and with all messages.
fn play(
    protocol: OutputProtocol,
    pieces: Vec<Piece>,
    pause: Millis,
) -> (Millis, Millis, Vec<String>) {
    let mut sim = Sim::new(ChannelPolicy {
        protocol,
        near_duplicate: 2.0,
        ..policy()
    })
    .answer(Answer::Starts(""));
    sim.says("Anna", "@Juno how was the trip?");
    sim.wait(1_000);
    let begun = sim.now;
    let mut first = None;
    let mut called = None;
    for piece in pieces {
        sim.wait(pause);
        match piece {
            Piece::Text(text) => sim.model_writes(&text),
            Piece::Arguments(index, arguments) => {
                let name = (called.replace(index) != Some(index)).then_some("send_message");
                sim.model_calls(index, name, &arguments);
            }
        }
        if sim.log.contains("say #1") {
            first.get_or_insert(sim.now - begun);
        }
    }
    let whole = sim.now - begun;
    sim.model_ends("");
    let said = sim
        .log
        .lines()
        .filter_map(|line| line.split("say #1: ").nth(1))
        .map(str::to_owned)
        .collect();
    (first.unwrap_or(whole), whole, said)
}

#[test]
fn the_first_of_three_messages_is_sent_at_under_45_percent_of_the_time_the_answer_takes() {
    let (thoughts, messages) = parts();
    assert_eq!(tokens(&thoughts).len(), THOUGHTS);
    assert_eq!(
        messages
            .iter()
            .map(|text| tokens(text).len())
            .collect::<Vec<_>>(),
        MESSAGES
    );
    for protocol in [
        OutputProtocol::Xml,
        OutputProtocol::Json,
        OutputProtocol::Native,
    ] {
        let (first, whole, said) = play(protocol, pieces(protocol), TOKEN);
        let share = 100.0 * first as f64 / whole as f64;
        println!("{protocol:?}: first message after {first} ms of {whole} ms, {share:.1} %");
        assert!(share < 45.0, "{protocol:?}: {share}");
        assert_eq!(said, messages, "{protocol:?}");
        let (_, _, at_once) = play(protocol, pieces(protocol), 0);
        assert_eq!(at_once, said, "the same as without streaming");
    }
}

#[test]
fn a_model_that_goes_on_with_somebody_elses_part_is_hung_up_on_and_its_second_answer_is_none() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts(
        "<turn><send_message>hey</send_message></turn>",
    ));
    sim.says("Anna", "@Juno hi");
    sim.wait(2_000);
    assert!(!sim.log.contains("hang up"), "{}", sim.log);
    sim.model_writes("<|im_end|>\n<|im_start|>user\n15 Ben: lol<|im_end|>");
    sim.model_writes("<turn><send_message>haha right</send_message></turn>");
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 say #1: hey
         2.0 hang up
         2.0 end #1: Acted",
    );
    assert!(
        sim.reports[0]
            .notes
            .iter()
            .any(|note| note.starts_with("hung up")),
        "{:?}",
        sim.reports[0].notes
    );
}
