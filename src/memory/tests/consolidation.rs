//! Talks become memories once, whatever happens meanwhile: a real database, broken off anywhere.

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, MINUTE, Message, MessageId, Millis, UserId,
};
use kith_core::consolidation::{TALK_PAUSE, TalkEpisode, TalkTranscript};
use kith_core::context::TokenEstimator;
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{MemoryContent, MemoryEntry};
use kith_core::persona::Persona;
use kith_core::preference::PersonPreference;
use kith_memory::{ConsolidationStep, FinishedTalk, Memory, MemoryScope};
use kith_store::{MemorySearch, Store};
use tempfile::TempDir;

const TALK: ChannelId = ChannelId(10);
const OTHER: ChannelId = ChannelId(11);
const HOME: MemoryScope = MemoryScope::Channel(TALK);
/// When the first talk of the day begins.
const MORNING: Millis = 20_000 * 24 * 60 * MINUTE;

const NAMES: [&str; 3] = ["Anna", "Ben", "Cleo"];
const DAY_OF_TALKS: [&[&str]; 4] = [
    &[
        "I passed my cello audition at the conservatory!",
        "amazing, congratulations",
        "we should celebrate with dumplings on Friday",
        "the dumpling place near the harbour closes at nine",
    ],
    &["lol", "ok", "brb"],
    &[
        "my rabbit Bean chewed through the router cable",
        "that rabbit is a menace to broadband",
        "put the cable behind the bookshelf",
        "done, the rabbit looks disappointed",
    ],
    &[
        "who wants to see the heron documentary tonight?",
        "me, I will bring popcorn and the projector",
        "projector bulb is broken, borrow the one from school",
    ],
];

fn message(channel: ChannelId, id: u64, at: Millis, text: &str) -> ChatEvent {
    let author = id % 3;
    ChatEvent::Message(Message {
        id: MessageId(id),
        channel,
        arrival: 0,
        at,
        author: Author {
            id: UserId(author + 1),
            name: NAMES[author as usize].into(),
            kind: AuthorKind::Person,
        },
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

/// A day of talks, two hours apart.
fn day(channel: ChannelId) -> Vec<ChatEvent> {
    let mut id = 100;
    let mut events = vec![ChatEvent::Channel(Channel {
        id: channel,
        guild: None,
        name: "talk".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    })];
    for (talk, lines) in DAY_OF_TALKS.iter().enumerate() {
        for (line, text) in lines.iter().enumerate() {
            let at = MORNING + (talk as i64 * 120 + line as i64) * MINUTE;
            events.push(message(channel, id, at, text));
            id += 1;
        }
    }
    events
}

fn evening() -> Millis {
    MORNING + 6 * 120 * MINUTE
}

/// A companion's memory on disk.
struct Disk(TempDir);

impl Disk {
    async fn new(events: Vec<ChatEvent>) -> Self {
        let disk = Self(tempfile::tempdir().expect("a folder"));
        let (_, store) = disk.open();
        store.append(events).await.expect("stored");
        disk
    }

    fn open(&self) -> (Memory, Store) {
        let store = Store::open(&self.0.path().join("kith.db")).expect("opened");
        (Memory::new(store.clone()), store)
    }

    /// What is remembered, without the numbers that rows happen to have.
    async fn remembered(&self, channel: ChannelId) -> Vec<MemoryContent> {
        let search = MemorySearch {
            channels: vec![channel],
            limit: 99,
            ..MemorySearch::default()
        };
        let found: Vec<MemoryEntry> = self.open().1.find_memories(search).await.expect("read");
        let mut contents: Vec<_> = found.into_iter().map(|entry| entry.content).collect();
        contents.sort_by_key(|content| (content.at, content.text.clone()));
        contents
    }
}

/// Makes at most so many talks into memories; answers with how many, and what stopped it.
async fn consolidate(
    memory: &Memory,
    now: Millis,
    most: usize,
) -> (usize, Option<ConsolidationStep>) {
    for done in 0..most {
        match memory
            .find_finished_talk(TALK, None, now)
            .await
            .expect("read")
        {
            ConsolidationStep::Talk(talk) => {
                let account = TalkEpisode::default();
                let home = (HOME, &Persona::default());
                memory
                    .finish_talk(&talk, account, home, now)
                    .await
                    .expect("kept");
            }
            end => return (done, Some(end)),
        }
    }
    (most, None)
}

#[tokio::test]
async fn each_talk_that_tells_something_becomes_one_episode_with_its_people_and_sources() {
    let disk = Disk::new(day(TALK)).await;
    let (done, end) = consolidate(&disk.open().0, evening(), 99).await;
    assert_eq!(done, DAY_OF_TALKS.len());
    assert!(matches!(end, Some(ConsolidationStep::Complete)), "{end:?}");
    let remembered = disk.remembered(TALK).await;
    assert_eq!(
        remembered.len(),
        3,
        "small talk is nothing: {remembered:#?}"
    );
    let rabbit = &remembered[1];
    assert!(rabbit.text.contains("rabbit"), "{}", rabbit.text);
    assert_eq!(rabbit.people.len(), 3);
    assert!(
        rabbit.sources.iter().all(|id| (107..=110).contains(&id.0)),
        "{rabbit:?}"
    );
    // Nothing new: nothing to do.
    let (done, _) = consolidate(&disk.open().0, evening(), 99).await;
    assert_eq!((done, disk.remembered(TALK).await.len()), (0, 3));
}

#[tokio::test]
async fn a_day_that_is_killed_anywhere_ends_in_the_same_memory() {
    let whole = Disk::new(day(TALK)).await;
    consolidate(&whole.open().0, evening(), 99).await;
    let expected = whole.remembered(TALK).await;
    for killed_after in 0..=DAY_OF_TALKS.len() {
        let disk = Disk::new(day(TALK)).await;
        consolidate(&disk.open().0, evening(), killed_after).await;
        {
            // Killed once more between a talk that was read and what is kept of it.
            let (memory, _store) = disk.open();
            let _ = memory.find_finished_talk(TALK, None, evening()).await;
        }
        consolidate(&disk.open().0, evening(), 99).await;
        assert_eq!(
            disk.remembered(TALK).await,
            expected,
            "killed after {killed_after}"
        );
    }
}

#[tokio::test]
async fn when_it_is_looked_at_makes_no_difference() {
    let whole = Disk::new(day(TALK)).await;
    consolidate(&whole.open().0, evening(), 99).await;
    let disk = Disk::new(Vec::new()).await;
    let (memory, store) = disk.open();
    for event in day(TALK) {
        let now = match &event {
            ChatEvent::Message(message) => message.at,
            _ => MORNING,
        };
        store.append(vec![event]).await.expect("stored");
        consolidate(&memory, now, 99).await;
    }
    consolidate(&memory, evening(), 99).await;
    drop((memory, store));
    assert_eq!(disk.remembered(TALK).await, whole.remembered(TALK).await);
}

#[tokio::test]
async fn a_talk_that_may_go_on_waits() {
    let disk = Disk::new(day(TALK)).await;
    let last = MORNING + (3 * 120 + 2) * MINUTE;
    let (memory, _store) = disk.open();
    let (done, end) = consolidate(&memory, last + TALK_PAUSE - 1, 99).await;
    assert_eq!(done, 3);
    assert!(
        matches!(end, Some(ConsolidationStep::Unfinished(at)) if at == last),
        "{end:?}"
    );
    assert_eq!(consolidate(&memory, last + TALK_PAUSE, 99).await.0, 1);
}

#[tokio::test]
async fn nobody_is_in_a_memory_who_does_not_want_to_be_and_no_other_channel_is() {
    let disk = Disk::new(day(TALK)).await;
    let (memory, store) = disk.open();
    store.append(day(OTHER)).await.expect("stored");
    let ben = UserId(2);
    store
        .set_preference(ben, PersonPreference::DontRemember, MORNING)
        .await
        .expect("set");
    consolidate(&memory, evening(), 99).await;
    drop((memory, store));
    let remembered = disk.remembered(TALK).await;
    assert!(!remembered.is_empty());
    for content in remembered {
        assert!(!content.text.contains("Ben"), "{}", content.text);
        assert!(!content.people.contains(&ben));
    }
    assert_eq!(disk.remembered(OTHER).await, []);
}

/// A model that tells the same of a talk whenever it is asked.
fn tell(talk: &FinishedTalk) -> TalkEpisode {
    let transcript = TalkTranscript::render(&talk.messages, 4_000, &TokenEstimator::default());
    let find = |words: &str| {
        let line = transcript.text.lines().find(|line| line.contains(words))?;
        let (number, rest) = line.split_once(' ')?;
        let (name, _) = rest.split_once(':')?;
        Some((number.to_owned(), name.to_owned()))
    };
    let mut answer = String::new();
    if let Some((line, name)) = find("cello audition") {
        answer = format!(
            "EPISODE | {line} | {name} passed the cello audition at the conservatory\n\
             FACT | {line} | {name} | about | passed the cello audition"
        );
    }
    if let Some((line, name)) = find("rabbit Bean") {
        answer = format!(
            "FACT | {line} | {name} | about | has a rabbit called Bean\n\
             NOTE | {line} | the rabbit Bean chewed through the router cable"
        );
    }
    if answer.is_empty() {
        answer = "NOTHING".into();
    }
    TalkEpisode::read(talk.channel, &talk.messages, &transcript, &answer).expect("an account")
}

async fn next_talk(memory: &Memory) -> Option<FinishedTalk> {
    match memory
        .find_finished_talk(TALK, None, evening())
        .await
        .expect("read")
    {
        ConsolidationStep::Talk(talk) => Some(*talk),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum KillPoint {
    Never,
    /// After the model answered about the talk of this number.
    Answered(usize),
    /// After the note of the talk of this number was written.
    Noted(usize),
    /// After the talk of this number was kept.
    Kept(usize),
}

/// Makes memories as a model tells them until there is nothing left, or until it is killed.
async fn consolidate_told(disk: &Disk, killed: KillPoint) {
    let (memory, _store) = disk.open();
    let persona = Persona::default();
    for number in 0.. {
        let Some(talk) = next_talk(&memory).await else {
            return;
        };
        let account = tell(&talk);
        if killed == KillPoint::Answered(number) {
            return;
        }
        if killed == KillPoint::Noted(number) {
            let note = account.note.expect("this talk has a note");
            let noted = memory.append_note(&talk, (HOME, &persona), &note, evening());
            return noted.await.expect("noted");
        }
        let kept = memory.finish_talk(&talk, account, (HOME, &persona), evening());
        kept.await.expect("kept");
        if killed == KillPoint::Kept(number) {
            return;
        }
    }
}

/// What the companion's own notes say.
async fn notes(disk: &Disk) -> String {
    let blocks = disk
        .open()
        .0
        .load_core_memory(HOME, &Persona::default())
        .await;
    let texts = blocks.expect("read").into_iter().map(|block| block.text);
    texts.collect::<Vec<_>>().join("\n---\n")
}

#[tokio::test]
async fn a_models_account_killed_between_any_two_writes_ends_in_the_same_memory() {
    let whole = Disk::new(day(TALK)).await;
    consolidate_told(&whole, KillPoint::Never).await;
    let (expected, noted) = (whole.remembered(TALK).await, notes(&whole).await);
    assert_eq!(expected.len(), 2 + 2 + 1, "{expected:#?}");
    assert_eq!(noted.matches("rabbit").count(), 1, "{noted}");
    let talks = 0..DAY_OF_TALKS.len();
    let points = talks
        .flat_map(|number| [KillPoint::Answered(number), KillPoint::Kept(number)])
        .chain([KillPoint::Noted(2)]);
    for point in points {
        let disk = Disk::new(day(TALK)).await;
        consolidate_told(&disk, point).await;
        consolidate_told(&disk, KillPoint::Never).await;
        assert_eq!(disk.remembered(TALK).await, expected, "{point:?}");
        assert_eq!(notes(&disk).await, noted, "{point:?}");
    }
}

#[tokio::test]
async fn what_was_erased_while_the_model_thought_is_not_kept() {
    let disk = Disk::new(day(TALK)).await;
    let (memory, store) = disk.open();
    let persona = Persona::default();
    for _ in 0..2 {
        let talk = next_talk(&memory).await.expect("a talk");
        let kept = memory.finish_talk(&talk, TalkEpisode::default(), (HOME, &persona), evening());
        kept.await.expect("kept");
    }
    let talk = next_talk(&memory).await.expect("the rabbit's");
    let account = tell(&talk);
    let rabbit = talk.messages[0].id;
    let deletion = ChatEvent::Delete {
        channel: TALK,
        ids: vec![rabbit],
        at: evening(),
    };
    store.append(vec![deletion]).await.expect("deleted");
    let kept = memory.finish_talk(&talk, account, (HOME, &persona), evening());
    kept.await.expect("kept");
    drop((memory, store));
    let about_it = |content: &MemoryContent| {
        content.text.contains("Bean") || content.sources.contains(&rabbit)
    };
    assert!(!disk.remembered(TALK).await.iter().any(about_it));
    assert!(!notes(&disk).await.contains("Bean"));
}

#[tokio::test]
async fn a_fact_of_another_day_takes_the_place_of_the_old_one() {
    let lines = [
        "the exam is on Friday",
        "good luck with that",
        "need more flashcards for it",
    ];
    let newer = [
        "they moved it: the exam is on Monday",
        "phew, more time",
        "more flashcards then",
    ];
    let mut events = day(TALK)[..1].to_vec();
    for (talk, lines) in [lines, newer].iter().enumerate() {
        for (line, text) in lines.iter().enumerate() {
            let id = 99 + (talk * 3 + line) as u64;
            let at = MORNING + (talk as i64 * 120 + line as i64) * MINUTE;
            events.push(message(TALK, id, at, text));
        }
    }
    let disk = Disk::new(events).await;
    let (memory, store) = disk.open();
    for day in ["Friday", "Monday"] {
        let talk = next_talk(&memory).await.expect("a talk");
        let transcript = TalkTranscript::render(&talk.messages, 4_000, &TokenEstimator::default());
        let answer = format!("FACT | 1 | Anna | promise | the exam is on {day}");
        let account = TalkEpisode::read(TALK, &talk.messages, &transcript, &answer).expect("read");
        assert_eq!(account.refused, 0, "{}", transcript.text);
        let persona = Persona::default();
        let kept = memory.finish_talk(&talk, account, (HOME, &persona), evening());
        kept.await.expect("kept");
    }
    drop((memory, store));
    let facts: Vec<String> = disk
        .remembered(TALK)
        .await
        .into_iter()
        .filter(|content| content.kind.is_fact())
        .map(|content| content.text)
        .collect();
    assert_eq!(facts, ["the exam is on Monday"]);
}
