//! Core memory and recall: what the model reads of its edits and searches, and what never crosses a scope.

mod versions;

use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::chat::{Author, AuthorKind, ChannelId, HOUR, Message, MessageId, TurnId, UserId};
use kith_core::context::DisplayNames;
use kith_core::event::ChatEvent;
use kith_core::persona::{Language, MemoryBlock, Persona};
use kith_core::recall::RecallCue;
use kith_core::timeline::Timeline;
use kith_memory::{Memory, MemoryScope, RecallContext, RecallSources};
use kith_store::Store;
use kith_tools::{NumberedLines, ToolContext, ToolHost, ToolRegistry};
use serde_json::{Value, json};

use crate::registry::{NOW, call, context};

/// The channel of the test contexts, another of its guild, and a direct message.
const HERE: ChannelId = ChannelId(1);
const NEXT_DOOR: ChannelId = ChannelId(5);
const DIRECT: ChannelId = ChannelId(9);

async fn run(context: &ToolContext, name: &str, params: Value) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call(name, params), context.clone())
        .await
}

fn with_block(text: &str, limit: usize) -> ToolContext {
    let mut context = context(Language::EN);
    let mut persona = Persona::clone(&context.persona);
    persona.core_memory.insert(
        "people".into(),
        MemoryBlock {
            text: text.into(),
            limit,
            ..MemoryBlock::default()
        },
    );
    context.persona = Arc::new(persona);
    context
}

async fn blocks(context: &ToolContext) -> Vec<(String, String)> {
    let blocks = context
        .memory
        .load_core_memory(context.scope(), &context.persona)
        .await
        .unwrap();
    blocks
        .into_iter()
        .map(|block| (block.label, block.text))
        .collect()
}

fn people(text: &str) -> Vec<(String, String)> {
    vec![("people".into(), text.into())]
}

#[tokio::test]
async fn a_block_starts_as_the_persona_says_and_keeps_its_edits() {
    let context = with_block("Anna: exam", 100);
    assert_eq!(blocks(&context).await, people("Anna: exam"));
    let result = run(
        &context,
        "core_memory_append",
        json!({"label": "People", "text": "Bo: new cat"}),
    )
    .await;
    assert_eq!(
        result,
        ToolResult::ok("people now holds 22 of 100 characters")
    );
    let again = run(
        &context,
        "core_memory_append",
        json!({"label": "people", "text": "Bo: new cat"}),
    )
    .await;
    assert!(!again.is_error);
    assert_eq!(blocks(&context).await, people("Anna: exam\nBo: new cat"));
    run(
        &context,
        "core_memory_replace",
        json!({"label": "people", "old": "exam", "new": "passed!"}),
    )
    .await;
    run(
        &context,
        "core_memory_replace",
        json!({"label": "people", "old": "Bo: new cat"}),
    )
    .await;
    assert_eq!(blocks(&context).await, people("Anna: passed!"));
}

#[tokio::test]
async fn a_persona_without_blocks_has_one_for_notes() {
    let context = context(Language::EN);
    assert_eq!(
        blocks(&context).await,
        [("notes".to_owned(), String::new())]
    );
}

#[tokio::test]
async fn an_edit_over_the_limit_says_by_how_many_characters() {
    let context = with_block("小猫", 10);
    let result = run(
        &context,
        "core_memory_append",
        json!({"label": "people", "text": "一二三四五六七八九"}),
    )
    .await;
    assert_eq!(
        result,
        ToolResult::error(
            "block `people` would be 2 characters over its limit of 10; shorten it with core_memory_replace"
        )
    );
    assert_eq!(blocks(&context).await, people("小猫"));
}

#[tokio::test]
async fn a_block_over_a_lowered_limit_can_still_be_made_shorter() {
    let context = with_block("Anna likes tea and Bo likes cats", 10);
    let shorter = json!({"label": "people", "old": " and Bo likes cats"});
    assert!(!run(&context, "core_memory_replace", shorter).await.is_error);
    assert_eq!(blocks(&context).await, people("Anna likes tea"));
}

#[tokio::test]
async fn edits_that_cannot_be_made_say_why() {
    let context = with_block("tea, tea and cats", 100);
    for (tool, params, wanted) in [
        (
            "core_memory_append",
            json!({"label": "x", "text": "y"}),
            "there is no block `x`; the blocks are: people",
        ),
        (
            "core_memory_append",
            json!({"label": "people", "text": " "}),
            "give the text to add",
        ),
        (
            "core_memory_replace",
            json!({"label": "people", "old": "dogs", "new": "cats"}),
            "block `people` does not hold \"dogs\"; copy the words exactly as the block shows them",
        ),
        (
            "core_memory_replace",
            json!({"label": "people", "old": "tea", "new": "milk"}),
            "block `people` holds \"tea\" 2 times; give more of the words around the one you mean",
        ),
        (
            "core_memory_replace",
            json!({"label": "people", "old": "", "new": "milk"}),
            "give the words to change in `old`; to add something use core_memory_append",
        ),
    ] {
        assert_eq!(run(&context, tool, params).await, ToolResult::error(wanted));
    }
    assert_eq!(blocks(&context).await, people("tea, tea and cats"));
}

#[tokio::test]
async fn a_guild_shares_its_blocks_and_a_direct_message_has_its_own() {
    let guild = with_block("", 100);
    let next_door = ToolContext {
        channel: NEXT_DOOR,
        ..guild.clone()
    };
    let direct = ToolContext {
        channel: DIRECT,
        guild: None,
        ..guild.clone()
    };
    run(
        &direct,
        "core_memory_append",
        json!({"label": "people", "text": "Anna's secret"}),
    )
    .await;
    run(
        &guild,
        "core_memory_append",
        json!({"label": "people", "text": "Bo's cat"}),
    )
    .await;
    assert_eq!(blocks(&next_door).await, people("Bo's cat"));
    assert_eq!(blocks(&direct).await, people("Anna's secret"));
    assert_eq!(direct.scope(), MemoryScope::Channel(DIRECT));
}

#[tokio::test]
async fn edits_at_the_same_time_are_all_kept() {
    let context = with_block("", 1_000);
    let edits = (0..20).map(|n| {
        let context = context.clone();
        tokio::spawn(async move {
            let text = format!("note {n}.");
            run(
                &context,
                "core_memory_append",
                json!({"label": "people", "text": text}),
            )
            .await
        })
    });
    for edit in edits.collect::<Vec<_>>() {
        assert!(!edit.await.unwrap().is_error);
    }
    assert_eq!(blocks(&context).await[0].1.lines().count(), 20);
}

/// Says these things, one an hour, the last an hour before [`NOW`]; ids count from 100.
async fn say(store: &Store, lines: &[(ChannelId, &str, &str)]) {
    let events = lines
        .iter()
        .enumerate()
        .map(|(index, (channel, name, text))| {
            ChatEvent::Message(Message {
                id: MessageId(100 + index as u64),
                channel: *channel,
                arrival: 0,
                at: NOW - (lines.len() - index) as i64 * HOUR,
                author: Author {
                    id: UserId(name.len() as u64),
                    name: (*name).into(),
                    kind: AuthorKind::Person,
                },
                text: (*text).into(),
                reply_to: None,
                mentions: Vec::new(),
            })
        });
    store.append(events.collect()).await.unwrap();
}

/// A place where `HERE` and `NEXT_DOOR` are open to the same people.
struct SharedChannelsHost;

impl ToolHost for SharedChannelsHost {
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        if channel == DIRECT {
            vec![DIRECT]
        } else {
            vec![HERE, NEXT_DOOR]
        }
    }
}

async fn remembering(lines: &[(ChannelId, &str, &str)]) -> ToolContext {
    let store = Store::open_in_memory().unwrap();
    say(&store, lines).await;
    ToolContext {
        memory: Memory::new(store),
        host: Arc::new(SharedChannelsHost),
        ..context(Language::EN)
    }
}

#[tokio::test]
async fn recall_answers_with_date_speaker_and_text_in_order() {
    let context = remembering(&[
        (HERE, "Anna", "the Raleigh\nhas a flat tyre"),
        (NEXT_DOOR, "Bo", "my raleigh is blue"),
        (HERE, "Anna", "lunch?"),
    ])
    .await;
    let found = run(&context, "recall", json!({"query": "raleigh"})).await;
    let wanted = "2026-03-01 10:30 Anna: the Raleigh has a flat tyre\n2026-03-01 11:30 Bo: my raleigh is blue";
    assert_eq!(found, ToolResult::ok(wanted));
}

#[tokio::test]
async fn recall_tells_people_of_one_name_apart_and_knows_them_by_the_names_of_the_prompt() {
    let mut context = remembering(&[
        (HERE, "Anna", "cats"),
        (HERE, "\u{410}nna", "cats too"),
        (HERE, "Bo", "no cats"),
    ])
    .await;
    let found = run(&context, "recall", json!({"query": "cats"}))
        .await
        .content;
    let names: Vec<&str> = found
        .lines()
        .map(|line| &line["2026-03-01 10:30 ".len()..line.rfind(':').unwrap()])
        .collect();
    let [first, second, bo] = names[..] else {
        panic!("{found}")
    };
    assert!(
        first == "Anna" && second.starts_with("\u{410}nna #") && bo == "Bo",
        "{found}"
    );

    // As they stand in the prompt.
    let mut names = DisplayNames::default();
    let id = |name: &str| UserId(name.len() as u64);
    let shown = names.resolve_quoted_name(id("Anna"), "Anna");
    assert_eq!(shown, "Anna");
    let shown = names.resolve_quoted_name(id("\u{410}nna"), "\u{410}nna");
    context.lines = NumberedLines::from_timeline(&Timeline::default(), &names);
    let found = run(
        &context,
        "recall",
        json!({"query": "cats", "speaker": shown}),
    )
    .await;
    assert_eq!(found.content, format!("2026-03-01 11:30 {shown}: cats too"));
    let found = run(
        &context,
        "recall",
        json!({"query": "cats", "speaker": "anna"}),
    )
    .await;
    assert_eq!(found.content, "2026-03-01 10:30 Anna: cats");
}

#[tokio::test]
async fn recall_filters_by_speaker_and_date() {
    let context = remembering(&[(HERE, "Anna", "cats"), (HERE, "Bo", "cats too")]).await;
    let by = |params| run(&context, "recall", params);
    assert_eq!(
        by(json!({"query": "cats", "speaker": "@bo"})).await.content,
        "2026-03-01 12:30 Bo: cats too"
    );
    assert!(
        by(json!({"query": "cats", "until": "2026-02-28"}))
            .await
            .content
            .starts_with("nothing found")
    );
    assert_eq!(
        by(json!({"query": "cats", "since": "2026-03-01"}))
            .await
            .content
            .lines()
            .count(),
        2
    );
    let wrong = by(json!({"query": "cats", "since": "yesterday"})).await;
    assert_eq!(
        wrong,
        ToolResult::error("parameter `since` must be a date such as 2026-03-01")
    );
}

#[tokio::test]
async fn recall_finds_chinese_words_of_two_characters() {
    let context = remembering(&[
        (HERE, "小林", "我家小猫又跑出去了"),
        (HERE, "阿明", "晚上打球吗"),
    ])
    .await;
    let found = run(&context, "recall", json!({"query": "小猫"})).await;
    assert_eq!(found.content, "2026-03-01 11:30 小林: 我家小猫又跑出去了");
}

#[tokio::test]
async fn a_direct_message_is_recalled_in_itself_only() {
    let context = remembering(&[
        (DIRECT, "Anna", "my secret plan"),
        (HERE, "Bo", "the public plan"),
    ])
    .await;
    assert_eq!(
        run(&context, "recall", json!({"query": "plan"}))
            .await
            .content,
        "2026-03-01 12:30 Bo: the public plan"
    );
    let direct = ToolContext {
        channel: DIRECT,
        guild: None,
        ..context
    };
    assert_eq!(
        run(&direct, "recall", json!({"query": "plan"}))
            .await
            .content,
        "2026-03-01 11:30 Anna: my secret plan"
    );
}

#[tokio::test]
async fn what_the_prompt_shows_is_not_recalled() {
    let mut context = remembering(&[
        (HERE, "Anna", "old cats"),
        (NEXT_DOOR, "Bo", "cats"),
        (HERE, "Anna", "cats"),
    ])
    .await;
    context.shown_from = Some(MessageId(101));
    let found = run(&context, "recall", json!({"query": "cats"})).await;
    assert_eq!(
        found.content,
        "2026-03-01 10:30 Anna: old cats\n2026-03-01 11:30 Bo: cats"
    );
}

#[tokio::test]
async fn a_channel_is_paged_back_through_beyond_what_the_prompt_shows() {
    let texts: Vec<String> = (0..50).map(|n| format!("line {n}")).collect();
    let lines: Vec<(ChannelId, &str, &str)> = texts
        .iter()
        .map(|text| (HERE, "Anna", text.as_str()))
        .collect();
    let mut context = remembering(&lines).await;
    context.shown_from = Some(MessageId(145));
    let page = run(&context, "channel_history", json!({})).await.content;
    let (older, shown) = page.split_once('\n').unwrap();
    assert!(
        shown.starts_with("2026-") && shown.lines().next().unwrap().ends_with("Anna: line 25"),
        "{page}"
    );
    assert!(
        shown.ends_with("Anna: line 44") && shown.lines().count() == 20,
        "{page}"
    );
    let before = older.strip_prefix("older: before=").unwrap();
    let page = run(&context, "channel_history", json!({ "before": before }))
        .await
        .content;
    assert!(page.ends_with("Anna: line 24"), "{page}");
    assert_eq!(
        run(&context, "channel_history", json!({"before": "2020-01-01"}))
            .await
            .content,
        "nothing older"
    );
    assert!(
        run(&context, "channel_history", json!({"before": "long ago"}))
            .await
            .is_error
    );
}

#[tokio::test]
async fn a_prompt_recalls_what_shares_telling_words_with_the_newest_messages() {
    let context = remembering(&[
        (
            HERE,
            "Anna",
            "the Raleigh needs a new derailleur before friday",
        ),
        (HERE, "Bo", "i really think that would be right about now"),
        (HERE, "Bo", "friday?"),
    ])
    .await;
    let sources = RecallSources {
        here: HERE,
        channels: vec![HERE],
        shown_from: None,
        begins_after: None,
    };
    let texts = |turn: u64, newest: &[&str]| {
        let (memory, sources) = (context.memory.clone(), sources.clone());
        let cue = |text: &&str| RecallCue {
            author: UserId(9),
            text: (*text).into(),
            answers: None,
            period: None,
        };
        let moment = RecallContext {
            turn: TurnId(turn),
            cues: newest.iter().map(cue).collect(),
            names: Vec::new(),
        };
        async move {
            let found = memory.recall_for_prompt(&sources, &moment).await;
            let names = found.into_iter().map(|talk| talk.hit.name.to_string());
            names.collect::<Vec<_>>()
        }
    };
    assert_eq!(
        texts(1, &["did you fix that derailleur?", "how is the raleigh"]).await,
        ["Anna"]
    );
    assert!(
        texts(2, &["i really think that would be right"])
            .await
            .is_empty()
    );
    assert!(texts(3, &["ok", "lol"]).await.is_empty());
}
