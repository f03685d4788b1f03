//! The checker finds what is wrong: a sound record with one fault planted in it gives one violation, which names it.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::call::{ToolCall, ToolKind};
use kith_core::chat::{ChannelId, MessageId, TurnId, UserId};
use kith_core::report::{
    CallReport, DirectAddress, RoundReport, ThresholdShift, TurnOutcome, TurnReport, TurnTrigger,
};

use super::{MINUTE, SECOND, find_violations};
use crate::discord::fake_discord::{ANNA, BEN, Id, MO, Millis};
use crate::soak::record::{
    AnsweredPrompt, CompanionPost, ForgottenPerson, OpenAction, SaidMessage, SoakRecord,
    StoredText, TimeSpan, mark_of, word_of,
};

const GENERAL: Id = 1;
const MODS: Id = 2;
const ANNAS: Id = 3;
const HOUR: Millis = 60 * MINUTE;
const DAY: Millis = 24 * HOUR;
/// The answers of the sound record, by the message they answer.
const FIRST: usize = 0;
const UNASKED: usize = 1;
const DIRECT: usize = 2;

/// One morning: Anna is answered in public and in private, and once it speaks unasked.
fn sound() -> SoakRecord {
    let everybody = BTreeSet::from([ANNA, BEN, MO]);
    let mut record = SoakRecord {
        readers: BTreeMap::from([
            (GENERAL, everybody),
            (MODS, BTreeSet::from([MO])),
            (ANNAS, BTreeSet::from([ANNA])),
        ]),
        direct: BTreeSet::from([ANNAS]),
        spent: vec![(10 * HOUR, 3_000)],
        budgets: vec![(0, 10_000)],
        lost_with_a_kill: 1_000,
        ended: DAY,
        ..SoakRecord::default()
    };
    record.says(GENERAL, ANNA, 10 * HOUR, true);
    record.answers(FIRST, GENERAL, 10 * HOUR, &[0]);
    record.says(GENERAL, BEN, 11 * HOUR, false);
    record.answers(UNASKED, GENERAL, 11 * HOUR, &[0, 1]);
    record.says(ANNAS, ANNA, 12 * HOUR, true);
    record.answers(DIRECT, ANNAS, 12 * HOUR, &[0, 1, 2]);
    record.says(MODS, MO, 13 * HOUR, false);
    record
}

impl SoakRecord {
    fn says(&mut self, channel: Id, author: Id, at: Millis, is_addressed: bool) {
        let number = u32::try_from(self.said.len()).unwrap();
        let id = 100 + Id::from(number);
        let text = word_of(number);
        self.stored.push(StoredText { id, channel, text });
        self.said.push(SaidMessage {
            number,
            id,
            channel,
            author,
            at,
            is_addressed,
            deleted: None,
            edited: None,
            change_told: None,
            is_marked: false,
        });
    }

    /// The model is shown these messages and answers with their words.
    fn answers(&mut self, answer: usize, channel: Id, at: Millis, words: &[u32]) {
        let (answer, id) = (u32::try_from(answer).unwrap(), 200 + answer as Id);
        let quoted: Vec<String> = words.iter().map(|number| word_of(*number)).collect();
        let text = format!("{} {}", mark_of(answer, 1), quoted.join(" "));
        let words = words.iter().copied().collect();
        self.prompts.push(AnsweredPrompt { answer, at, words });
        self.turns.push(turn(answer, channel, at, &text));
        self.stored.push(StoredText {
            id,
            channel,
            text: text.clone(),
        });
        self.posts.push(CompanionPost {
            id,
            channel,
            at,
            text,
            reply_to: None,
        });
    }

    /// Ben's message is deleted, and that is known.
    fn is_deleted(&mut self, at: Millis) {
        self.said[1].deleted = Some(at);
        self.tombstones.insert((GENERAL, 101), at);
    }

    /// Ben is forgotten, and not heard until then.
    fn forgets_ben(&mut self, at: Millis, until: Millis, traces: &[&str]) {
        let (user, traces) = (BEN, traces.iter().map(|&trace| trace.into()).collect());
        self.forgotten.push(ForgottenPerson {
            user,
            at,
            until,
            traces,
        });
    }

    fn is_stored_no_more(&mut self, id: Id) {
        self.stored.retain(|line| line.id != id);
    }
}

fn turn(answer: u32, channel: Id, at: Millis, raw: &str) -> TurnReport {
    TurnReport {
        turn: TurnId(u64::from(answer)),
        channel: ChannelId(channel),
        started: at,
        ended: at,
        wake: TurnTrigger {
            message: Some(MessageId(1)),
            author: Some(UserId(ANNA)),
            address: Some(DirectAddress::Mention),
            addressed: Vec::new(),
            score: 1.0,
            threshold: 0.5,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        },
        rounds: vec![RoundReport {
            raw: raw.into(),
            ..RoundReport::default()
        }],
        outcome: TurnOutcome::Acted,
        notes: Vec::new(),
        cost: None,
    }
}

type Plant = fn(&mut SoakRecord);

/// What is found first names the fault, and so does everything else that is found.
const FAULTS: &[(&str, Plant)] = &[
    ("message 101 in 1, said by a person, is lost", |record| {
        record.is_stored_no_more(101)
    }),
    ("said by the companion, is lost", |record| {
        record.is_stored_no_more(200)
    }),
    ("never said", |record| {
        let (id, channel, text) = (999, GENERAL, "hm".into());
        record.stored.push(StoredText { id, channel, text });
    }),
    ("known to be deleted", |record| {
        record.is_deleted(12 * HOUR + MINUTE)
    }),
    ("message 101 in 1 is stored as", |record| {
        record.said[1].change_told = Some(11 * HOUR + MINUTE);
        record.said[1].deleted = Some(11 * HOUR + MINUTE);
    }),
    ("message 101 in 1 is stored as", is_edited),
    ("part 1 of answer 0 was said twice", |record| {
        let again = CompanionPost {
            id: 300,
            ..record.posts[FIRST].clone()
        };
        let (id, channel, text) = (300, GENERAL, again.text.clone());
        record.stored.push(StoredText { id, channel, text });
        record.posts.push(again);
    }),
    ("action n1 in 1 still waits", |record| {
        let (nonce, channel, journaled_at) = ("n1".into(), GENERAL, 10 * HOUR);
        record.open_actions.push(OpenAction {
            nonce,
            channel,
            journaled_at,
        });
    }),
    ("replies to 101, which was deleted before", |record| {
        record.is_deleted(12 * HOUR + MINUTE);
        record.is_stored_no_more(101);
        record.says(GENERAL, ANNA, 14 * HOUR, true);
        record.answers(3, GENERAL, 14 * HOUR, &[4]);
        record.posts[3].reply_to = Some(101);
    }),
    (
        "of answer 2 at 43200000 for Some(3) holds the words of message 1 of 1, which",
        |record| {
            record.is_deleted(11 * HOUR + MINUTE);
            record.is_stored_no_more(101);
        },
    ),
    // The words of a direct message in a channel, and those of a channel of few in a channel of many.
    ("holds the words of message 2", |record| {
        answers_with(record, 2)
    }),
    ("holds the words of message 3", |record| {
        answers_with(record, 3)
    }),
    // Though nothing of it is said.
    (
        "the prompt of answer 0 for 1 holds the words of message 2",
        |record| {
            record.prompts[FIRST].words.insert(2);
        },
    ),
    ("the log channel quotes people", |record| {
        record.log_entries.push(word_of(0))
    }),
    ("post 200 was said in 1 while it was paused", |record| {
        let (from, until) = (9 * HOUR, 10 * HOUR + MINUTE);
        record.pauses.push((GENERAL, TimeSpan { from, until }));
    }),
    // An answer in quiet hours is no violation: post 200 is not named.
    ("post 201 was said in 1 in quiet hours", |record| {
        let (from, until) = (8 * HOUR, 20 * HOUR);
        record.quiet_hours.push(TimeSpan { from, until });
    }),
    (
        "11001 tokens were spent on the day that began at 0, and 11000",
        |record| {
            record.kills.push(15 * HOUR);
            record.spent.push((16 * HOUR, 8_001));
        },
    ),
    ("4001 tokens were spent on the day", |record| {
        record.budgets.push((11 * HOUR, 2_000));
        record.spent.push((12 * HOUR, 1_001));
    }),
    ("13001 tokens were spent on the day", |record| {
        record.budgets.push((12 * HOUR, 20_000));
        record.spent.push((11 * HOUR, 10_001));
    }),
    ("message 101 in 1 is stored though", |record| {
        record.forgets_ben(10 * HOUR + MINUTE, Millis::MAX, &[]);
        record.prompts.iter_mut().for_each(|prompt| {
            prompt.words.remove(&1);
        });
    }),
    ("the words of message 1 by 811000000000000006", |record| {
        record.forgets_ben(10 * HOUR + MINUTE, 12 * HOUR, &[]);
        record.is_stored_no_more(101);
    }),
    ("message 4 (104) in 4 was passed over", opens_a_thread),
    ("message 104 in 4, said by a person, is lost", |record| {
        opens_a_thread(record);
        record.is_stored_no_more(104);
        record.refused.insert(104);
    }),
    ("is in kith.db", |record| {
        record.is_stored_no_more(101);
        record.forgets_ben(
            20 * HOUR,
            20 * HOUR,
            &["the word of message 1 is in kith.db"],
        );
    }),
    ("by 811000000000000006, who was forgotten", |record| {
        record.is_stored_no_more(101);
        record.forgets_ben(11 * HOUR + MINUTE, 11 * HOUR + MINUTE, &[]);
    }),
    (
        "post 201 (answer 1) was said, and no report tells of it",
        |record| {
            record.turns.remove(UNASKED);
        },
    ),
    // The turn was long over when it was killed.
    (
        "post 201 (answer 1) was said, and no report tells of it",
        |record| {
            leaps_before_the_answer(record);
            record.kills = vec![14 * HOUR + MINUTE];
        },
    ),
    ("message 4 (104) in 1 was passed over", |record| {
        record.says(GENERAL, ANNA, 14 * HOUR, true);
    }),
    ("message 4 (104) in 1 was passed over", |record| {
        *record = answered_together(false)
    }),
];

/// What only looks like a fault.
const SOUND: &[(&str, Plant)] = &[
    ("nothing", |_| {}),
    ("told of an edit while something was broken", |record| {
        is_edited(record);
        record.troubles.push(11 * HOUR + MINUTE + SECOND);
    }),
    ("spent, as far as a kill took the account along", |record| {
        record.kills.push(15 * HOUR);
        record.spent.push((16 * HOUR, 8_000));
    }),
    (
        "spent under the budget of before, and on the next day",
        |record| {
            record.budgets = vec![(0, 10_000), (11 * HOUR, 2_000), (12 * HOUR, 20_000)];
            record.spent.push((13 * HOUR, 16_000));
            record.spent.push((DAY + HOUR, 20_000));
        },
    ),
    ("who returned is heard again", |record| {
        record.forgets_ben(10 * HOUR + MINUTE, 10 * HOUR + 2 * MINUTE, &[]);
    }),
    ("a kill took the report along", |record| {
        record.turns.remove(UNASKED);
        record.kills.push(11 * HOUR + 2 * SECOND);
    }),
    (
        "time leapt between the prompt and the answer, and before the kill",
        |record| {
            leaps_before_the_answer(record);
            record.kills = vec![14 * HOUR + 2 * SECOND];
        },
    ),
    ("refused with a reason", |record| {
        record.says(GENERAL, ANNA, 14 * HOUR, true);
        record.refused.insert(104);
    }),
    (
        "answered together with others, and the words were erased",
        |record| {
            *record = answered_together(true);
        },
    ),
];

#[test]
fn every_fault_is_found_and_named_and_nothing_else() {
    for (says, plant) in FAULTS {
        let mut record = sound();
        plant(&mut record);
        let found = find_violations(&record);
        let is_named = found.iter().all(|violation| violation.contains(says));
        assert!(!found.is_empty() && is_named, "{says}: {found:#?}");
    }
    for (what, plant) in SOUND {
        let mut record = sound();
        plant(&mut record);
        assert_eq!(find_violations(&record), Vec::<String>::new(), "{what}");
    }
}

fn is_edited(record: &mut SoakRecord) {
    record.said[1].change_told = Some(11 * HOUR + MINUTE);
    record.said[1].edited = Some("rather that".into());
}

/// It answers in public with the words of this message.
fn answers_with(record: &mut SoakRecord, word: u32) {
    record.says(GENERAL, ANNA, 14 * HOUR, true);
    record.answers(3, GENERAL, 14 * HOUR, &[word, 4]);
}

fn opens_a_thread(record: &mut SoakRecord) {
    let (thread, readers) = (4, record.readers[&GENERAL].clone());
    record.readers.insert(thread, readers);
    record.says(thread, BEN, 14 * HOUR, true);
}

fn leaps_before_the_answer(record: &mut SoakRecord) {
    record.turns.remove(UNASKED);
    record.prompts[UNASKED].at -= 5 * MINUTE;
    record.time.add_leap(11 * HOUR + SECOND, 3 * HOUR);
}

/// Anna's second message is answered together with a later one, whose words alone are repeated; and all words of that turn
/// are erased.
fn answered_together(is_shown: bool) -> SoakRecord {
    let mut record = sound();
    record.says(GENERAL, ANNA, 14 * HOUR, true);
    record.says(GENERAL, BEN, 14 * HOUR, true);
    record.answers(3, GENERAL, 14 * HOUR, &[5]);
    if is_shown {
        record.prompts[3].words.insert(4);
    }
    let turn = &mut record.turns[3];
    turn.wake.addressed = vec![MessageId(104), MessageId(105)];
    turn.rounds[0].raw = "[erased]".into();
    turn.rounds[0].calls = vec![CallReport {
        call: ToolCall {
            name: "send_message".into(),
            params: serde_json::Map::new(),
        },
        kind: Some(ToolKind::Visible),
        result: None,
        message: Some(MessageId(203)),
        hindrance: None,
        at: 14 * HOUR,
    }];
    record
}
