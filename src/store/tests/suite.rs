// What every engine has to do, included by the roots: each says how a store is opened and where its bytes stand.

mod anybody;
mod approvals;
mod block_versions;
mod coming_back;
mod console;
mod departed_members;
mod discord;
mod events;
mod forgetting;
mod gone_messages;
mod intents;
mod leaks;
mod memories;
mod person;
mod records;
mod search;
mod sessions;
mod stickers;
mod todos;
mod tool_data;
mod vectors;
mod withdrawn_actions;

use std::path::{Path, PathBuf};

use kith_core::call::{ToolCall, ToolKind, ToolResult};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, MessageId, TurnId,
    UserId,
};
use kith_core::event::ChatEvent;
use kith_core::report::{
    CallReport, DecisionOutcome, DecisionReport, DirectAddress, MessageDecision, ModelFailure,
    Refusal, RoundReport, ScoreTerm, ThresholdShift, TokenUsage, TurnOutcome, TurnReport,
    TurnTrigger,
};
use kith_store::{
    AppendOutcome, DayRecord, DecisionReason, JournalOutcome, LeftOutMessages, MessageSearch,
    ModelSpend, OutgoingAction, SearchAuthor, SearchHit, Store, StoreError, StoredBlock,
    StoredMessage, StoredPrompt, StoredReaction, VisibleAction,
};

const TALK: ChannelId = ChannelId(10);
const OTHER: ChannelId = ChannelId(11);

fn person(id: u64, name: &str) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

fn anna() -> Author {
    person(1, "Anna")
}

fn says(channel: ChannelId, id: u64, author: Author, text: &str) -> ChatEvent {
    ChatEvent::Message(Message {
        id: MessageId(id),
        channel,
        arrival: 0,
        at: 1_000 * id as i64,
        author,
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

/// A text channel of a guild, or of none.
fn group_channel(id: ChannelId, guild: Option<GuildId>, name: &str) -> Channel {
    Channel {
        id,
        guild,
        name: name.into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

fn said(channel: ChannelId, id: u64, text: &str) -> ChatEvent {
    says(channel, id, anna(), text)
}

fn deleted(channel: ChannelId, id: u64) -> ChatEvent {
    ChatEvent::Delete {
        channel,
        ids: vec![MessageId(id)],
        at: 1_000_000,
    }
}

fn edits(channel: ChannelId, id: u64, author: AuthorKind, text: &str) -> ChatEvent {
    ChatEvent::Edit {
        channel,
        id: MessageId(id),
        author,
        text: text.into(),
        at: 1_000_000,
    }
}

fn edited(channel: ChannelId, id: u64, text: &str) -> ChatEvent {
    edits(channel, id, AuthorKind::Person, text)
}

fn store_all(store: &Store, events: Vec<ChatEvent>) -> Vec<AppendOutcome> {
    store.append(events).wait().expect("appended")
}

fn search(words: &str, channels: &[ChannelId]) -> MessageSearch {
    MessageSearch {
        channels: channels.to_vec(),
        words: words.into(),
        limit: 10,
        ..MessageSearch::default()
    }
}

fn ids(found: &[SearchHit]) -> Vec<u64> {
    found.iter().map(|found| found.id.0).collect()
}

fn find(store: &Store, words: &str) -> Vec<u64> {
    let mut found = ids(&store
        .search(search(words, &[TALK]))
        .wait()
        .expect("searched"));
    found.sort_unstable();
    found
}

fn texts(lines: &[StoredMessage]) -> Vec<&str> {
    lines.iter().map(|line| &*line.message.text).collect()
}

/// The files of the database's folder that hold `text` as bytes.
fn files_with(path: &Path, text: &str) -> Vec<String> {
    files_holding(path, text.as_bytes())
}

/// Every form in which one of these texts, or somebody's id, stands in the files.
fn traces_in_files(path: &Path, texts: &[&str], person: u64) -> Vec<String> {
    let mut left: Vec<String> = texts
        .iter()
        .flat_map(|text| files_with(path, text))
        .collect();
    left.extend(files_holding(path, &person.to_be_bytes()));
    left
}

fn files_holding(path: &Path, wanted: &[u8]) -> Vec<String> {
    if let Some(rows) = find_server_rows(path, wanted) {
        return rows;
    }
    let holds = |bytes: &[u8]| bytes.windows(wanted.len()).any(|window| window == wanted);
    list_files(path)
        .into_iter()
        .filter(|file| holds(&std::fs::read(file).expect("read")))
        .map(|file| file.display().to_string())
        .collect()
}

fn list_files(path: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(path.parent().expect("a folder")).expect("listed");
    files.map(|entry| entry.expect("an entry").path()).collect()
}

/// All bytes of the database: each of its files, or each row of a server's.
fn read_everything(path: &Path) -> Vec<Vec<u8>> {
    match find_server_rows(path, b"") {
        Some(rows) => rows.into_iter().map(String::into_bytes).collect(),
        None => list_files(path)
            .iter()
            .map(|file| std::fs::read(file).expect("read"))
            .collect(),
    }
}

fn turn(id: u64, channel: ChannelId, raw: &str) -> TurnReport {
    let round = RoundReport {
        raw: raw.into(),
        ..RoundReport::default()
    };
    TurnReport {
        turn: TurnId(id),
        channel,
        started: 500_000,
        ended: 501_000,
        wake: TurnTrigger {
            message: None,
            author: None,
            address: None,
            addressed: vec![],
            score: 0.5,
            bar: 0.4,
            moved: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        },
        rounds: vec![round],
        outcome: TurnOutcome::Acted,
        notes: vec![],
        cost: None,
    }
}

fn decision(channel: ChannelId, message: u64, score: f32) -> MessageDecision {
    MessageDecision {
        channel,
        message: MessageId(message),
        author: UserId(1),
        at: 5,
        score,
        bar: 0.5,
        moved: ThresholdShift::default(),
        address: Some(DirectAddress::Name),
        refusal: None,
        speak: true,
        energy: 1.0,
        silent_for: None,
        terms: vec![ScoreTerm {
            name: "named".into(),
            value: 1.0,
            adds: 2.25,
        }],
        bias: -3.0,
        waits_until: None,
        goes_on: false,
    }
}

fn outgoing(nonce: &str, cursor: u64) -> OutgoingAction {
    OutgoingAction {
        nonce: nonce.into(),
        turn: Some(TurnId(7)),
        part: 1,
        channel: TALK,
        action: VisibleAction::Send {
            text: "so?? how did it go".into(),
            reply_to: Some(MessageId(1)),
            with: None,
        },
        cursor,
        at: 50,
        answers: vec![MessageId(1)],
    }
}

fn own(id: u64) -> ChatEvent {
    says(
        TALK,
        id,
        Author {
            id: UserId(99),
            name: "Juno".into(),
            kind: AuthorKind::Companion,
        },
        "so?? how did it go",
    )
}

/// A model call at noon of a day.
pub fn spent(
    day: chrono::NaiveDate,
    model: &str,
    channel: ChannelId,
    function: &str,
    usage: TokenUsage,
) -> ModelSpend {
    let noon = day
        .and_hms_opt(12, 0, 0)
        .expect("a time")
        .and_utc()
        .timestamp_millis();
    ModelSpend {
        at: noon,
        model: model.into(),
        channel,
        function: function.into(),
        usage,
        cost: 0.25,
    }
}
