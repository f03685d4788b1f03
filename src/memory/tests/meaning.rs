//! What was said in other words is found by its meaning, and nothing changes where nobody makes vectors.

use std::pin::Pin;
use std::sync::Arc;

use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, Millis, TurnId, UserId};
use kith_core::context::RecalledTalk;
use kith_core::event::ChatEvent;
use kith_core::recall::{RecallCue, TextVector};
use kith_memory::{
    Memory, QuestionEmbedder, QuestionVector, RecallContext, RecallQuestion, RecallSources,
};
use kith_store::Store;
use kith_testkit::fake_embeddings::embed;

use crate::chatter::ENGLISH;

const HERE: ChannelId = ChannelId(1);
const ELSEWHERE: ChannelId = ChannelId(2);
const MODEL: &str = "words-and-groups";
/// How many lines of small talk follow.
const SMALL_TALK: u64 = 400;
const PAUSE: Millis = 40_000;

/// Makes vectors as the tests' server does; or none, as where a server is away.
struct FakeEmbedder {
    is_away: bool,
}

impl QuestionEmbedder for FakeEmbedder {
    fn embed_question<'a>(
        &'a self,
        text: &'a str,
        _: ChannelId,
        _: Option<UserId>,
    ) -> Pin<Box<dyn Future<Output = Option<QuestionVector>> + Send + 'a>> {
        let made = (!self.is_away).then(|| QuestionVector {
            model: MODEL.into(),
            vector: vector(text),
        });
        Box::pin(std::future::ready(made))
    }
}

fn vector(text: &str) -> TextVector {
    TextVector::from_numbers(&embed(text)).unwrap()
}

/// Facts that are told in two channels, and what is talked about afterwards.
async fn remember() -> (Store, Memory) {
    let store = Store::open_in_memory().unwrap();
    let say = |id: u64, channel: ChannelId, author: u64, text: &str| {
        ChatEvent::Message(Message {
            id: MessageId(id),
            channel,
            arrival: 0,
            at: id as Millis * PAUSE,
            author: Author {
                id: UserId(author),
                name: ["Anna", "Ben", "Cleo"][author as usize % 3].into(),
                kind: AuthorKind::Person,
            },
            text: text.into(),
            reply_to: None,
            mentions: Vec::new(),
        })
    };
    let mut events = vec![
        say(1, HERE, 1, "my cello and the violin got wet"),
        say(
            2,
            ELSEWHERE,
            2,
            "cycling on borrowed wheels, keep it secret",
        ),
        say(3, HERE, 2, "cycling on new wheels after work"),
    ];
    for number in 0..SMALL_TALK {
        events.push(say(10 + number, HERE, number % 3, &ENGLISH.line(number)));
    }
    store.append(events).await.unwrap();
    let channels = vec![HERE, ELSEWHERE];
    while let Some(batch) = store
        .find_unembedded(MODEL.into(), channels.clone(), 64)
        .await
        .unwrap()
    {
        let made = batch
            .messages
            .iter()
            .map(|message| Some(vector(&message.text)));
        let made = made.collect();
        store.keep_vectors(MODEL.into(), batch, made).await.unwrap();
    }
    (store.clone(), Memory::new(store))
}

fn sources(channels: &[ChannelId]) -> RecallSources {
    RecallSources {
        here: HERE,
        channels: channels.to_vec(),
        shown_from: Some(MessageId(10 + SMALL_TALK - 20)),
        begins_after: None,
    }
}

async fn ask(memory: &Memory, words: &str, channels: &[ChannelId]) -> Vec<String> {
    let question = RecallQuestion {
        words: words.into(),
        limit: 8,
        ..RecallQuestion::default()
    };
    texts(memory.recall(&sources(channels), question).await.unwrap())
}

async fn come_to_mind(
    memory: &Memory,
    turn: u64,
    said: &str,
    channels: &[ChannelId],
) -> Vec<String> {
    let moment = RecallContext {
        turn: TurnId(turn),
        cues: vec![RecallCue {
            author: UserId(2),
            text: said.into(),
            answers: None,
            period: None,
        }],
        names: vec!["Juno".into()],
    };
    texts(memory.recall_for_prompt(&sources(channels), &moment).await)
}

fn texts(found: Vec<RecalledTalk>) -> Vec<String> {
    found.iter().map(|talk| talk.hit.text.to_string()).collect()
}

fn with_embedder(memory: &Memory, is_away: bool) {
    memory.set_embedder(Some(Arc::new(FakeEmbedder { is_away })));
}

#[tokio::test]
async fn a_question_in_other_words_finds_what_words_alone_do_not() {
    let (_store, memory) = remember().await;
    let wanted = "my cello and the violin got wet";
    let asked = "Anna, how fares that orchestra instrument";
    let by_words = ask(&memory, asked, &[HERE]).await;
    assert!(!by_words.iter().any(|text| text == wanted), "{by_words:?}");
    with_embedder(&memory, false);
    let found = ask(&memory, asked, &[HERE]).await;
    assert!(found.iter().any(|text| text == wanted), "{found:?}");
    let found = ask(&memory, "cello", &[HERE]).await;
    assert_eq!(found[0], wanted, "words find as before");
}

#[tokio::test]
async fn nothing_is_found_by_meaning_that_is_out_of_scope_or_in_the_prompt() {
    let (_store, memory) = remember().await;
    with_embedder(&memory, false);
    let asked = "where to leave a bicycle";
    let found = ask(&memory, asked, &[HERE]).await;
    assert_eq!(found[0], "cycling on new wheels after work");
    assert!(
        !found.iter().any(|text| text.contains("secret")),
        "{found:?}"
    );
    let both = ask(&memory, asked, &[HERE, ELSEWHERE]).await;
    assert!(both.iter().any(|text| text.contains("secret")), "{both:?}");
    let question = RecallQuestion {
        words: asked.into(),
        limit: 8,
        ..RecallQuestion::default()
    };
    let all_shown = RecallSources {
        shown_from: Some(MessageId(1)),
        ..sources(&[HERE])
    };
    assert!(
        memory
            .recall(&all_shown, question)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn where_no_vector_comes_words_find_what_they_always_found() {
    let (_store, memory) = remember().await;
    for asked in [
        "where to leave a bicycle",
        "cello",
        "is the ferry late",
        "violin on friday",
    ] {
        let alone = ask(&memory, asked, &[HERE]).await;
        with_embedder(&memory, true);
        assert_eq!(ask(&memory, asked, &[HERE]).await, alone, "{asked}");
        memory.set_embedder(None);
    }
}

#[tokio::test]
async fn what_means_the_same_comes_to_mind_and_small_talk_does_not() {
    let (_store, memory) = remember().await;
    let said = "the orchestra needs an instrument";
    assert!(come_to_mind(&memory, 1, said, &[HERE]).await.is_empty());
    with_embedder(&memory, false);
    let mind = come_to_mind(&memory, 2, said, &[HERE]).await;
    assert_eq!(mind, ["my cello and the violin got wet"]);
    assert!(
        come_to_mind(&memory, 3, said, &[HERE]).await.is_empty(),
        "it is not said again and again"
    );
    let mut shown = 0;
    for number in 0..40 {
        let said = ENGLISH.line(900_000 + number * 13);
        let words = Memory::new(_store.clone());
        let by_words = come_to_mind(&words, 1, &said, &[HERE]).await;
        let all = come_to_mind(&memory, 100 + number, &said, &[HERE]).await;
        shown += usize::from(all.len() > by_words.len());
    }
    assert!(
        shown <= 2,
        "{shown} of 40 lines of small talk brought something to mind"
    );
}

#[tokio::test]
async fn what_was_deleted_or_edited_is_found_by_its_old_meaning_no_more() {
    let (store, memory) = remember().await;
    with_embedder(&memory, false);
    let asked = "where to leave a bicycle";
    store
        .append(vec![ChatEvent::Edit {
            channel: HERE,
            id: MessageId(3),
            author: AuthorKind::Person,
            text: "never mind that plan".into(),
            at: 9_000_000_000,
        }])
        .await
        .unwrap();
    let found = ask(&memory, asked, &[HERE]).await;
    let is_of_it = |text: &String| text.contains("wheels") || text.contains("never mind");
    assert!(!found.iter().any(is_of_it), "{found:?}");
}
