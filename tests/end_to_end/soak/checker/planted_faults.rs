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
            bar: 0.5,
            moved: ThresholdShift::default(),
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

/// Plants a fault; every violation that is then found names it.
fn is_found(says: &str, plant: impl FnOnce(&mut SoakRecord)) {
    let mut record = sound();
    plant(&mut record);
    let found = find_violations(&record);
    assert!(
        !found.is_empty() && found.iter().all(|violation| violation.contains(says)),
        "{says}: {found:#?}"
    );
}

#[test]
fn in_a_sound_record_nothing_is_found() {
    assert_eq!(find_violations(&sound()), Vec::<String>::new());
}

#[test]
fn a_message_that_is_not_stored_is_found() {
    is_found("message 101 in 1, said by a person, is lost", |record| {
        record.is_stored_no_more(101);
    });
    is_found("said by the companion, is lost", |record| {
        record.is_stored_no_more(200);
    });
}

#[test]
fn a_message_that_nobody_said_is_found() {
    is_found("never said", |record| {
        let (id, channel, text) = (999, GENERAL, "hm".into());
        record.stored.push(StoredText { id, channel, text });
    });
}

#[test]
fn a_deleted_message_that_comes_back_is_found() {
    is_found("known to be deleted", |record| {
        record.said[1].deleted = Some(12 * HOUR + MINUTE);
        record.tombstones.insert((GENERAL, 101), 12 * HOUR + MINUTE);
    });
}

#[test]
fn a_deletion_and_an_edit_that_were_told_and_changed_nothing_are_found() {
    let changed = |record: &mut SoakRecord| record.said[1].change_told = Some(11 * HOUR + MINUTE);
    is_found("message 101 in 1 is stored as", |record| {
        changed(record);
        record.said[1].deleted = Some(11 * HOUR + MINUTE);
    });
    is_found("message 101 in 1 is stored as", |record| {
        changed(record);
        record.said[1].edited = Some("rather that".into());
    });
    let mut record = sound();
    changed(&mut record);
    record.said[1].edited = Some("rather that".into());
    record.troubles.push(11 * HOUR + MINUTE + SECOND);
    assert_eq!(find_violations(&record), Vec::<String>::new());
}

#[test]
fn what_is_said_twice_is_found() {
    is_found("part 1 of answer 0 was said twice", |record| {
        let again = CompanionPost {
            id: 300,
            ..record.posts[FIRST].clone()
        };
        record.stored.push(StoredText {
            id: 300,
            channel: GENERAL,
            text: again.text.clone(),
        });
        record.posts.push(again);
    });
}

#[test]
fn an_action_that_stays_in_the_outbox_is_found() {
    is_found("action n1 in 1 still waits", |record| {
        record.open_actions.push(OpenAction {
            nonce: "n1".into(),
            channel: GENERAL,
            journaled_at: 10 * HOUR,
        });
    });
}

#[test]
fn a_reply_to_a_deleted_message_is_found() {
    is_found("replies to 101, which was deleted before", |record| {
        record.said[1].deleted = Some(12 * HOUR + MINUTE);
        record.tombstones.insert((GENERAL, 101), 12 * HOUR + MINUTE);
        record.is_stored_no_more(101);
        record.says(GENERAL, ANNA, 14 * HOUR, true);
        record.answers(3, GENERAL, 14 * HOUR, &[4]);
        record.posts[3].reply_to = Some(101);
    });
}

#[test]
fn the_words_of_a_deleted_message_in_a_later_prompt_are_found() {
    is_found(
        "of answer 2 at 43200000 for Some(3) holds the words of message 1 of 1, which",
        |record| {
            record.said[1].deleted = Some(11 * HOUR + MINUTE);
            record.tombstones.insert((GENERAL, 101), 11 * HOUR + MINUTE);
            record.is_stored_no_more(101);
        },
    );
}

#[test]
fn the_words_of_a_direct_message_in_a_channel_are_found() {
    is_found("holds the words of message 2", |record| {
        record.says(GENERAL, ANNA, 14 * HOUR, true);
        record.answers(3, GENERAL, 14 * HOUR, &[2, 4]);
    });
}

#[test]
fn the_words_of_a_channel_of_few_in_a_channel_of_many_are_found() {
    is_found("holds the words of message 3", |record| {
        record.says(GENERAL, ANNA, 14 * HOUR, true);
        record.answers(3, GENERAL, 14 * HOUR, &[3, 4]);
    });
}

#[test]
fn the_words_of_a_direct_message_in_a_prompt_are_found_though_nothing_of_it_is_said() {
    is_found(
        "the prompt of answer 0 for 1 holds the words of message 2",
        |record| {
            record.prompts[FIRST].words.insert(2);
        },
    );
}

#[test]
fn the_words_of_a_message_in_the_log_channel_are_found() {
    is_found("the log channel quotes people", |record| {
        record.log_entries.push(word_of(0));
    });
}

#[test]
fn speech_in_a_pause_is_found() {
    is_found("post 200 was said in 1 while it was paused", |record| {
        let pause = TimeSpan {
            from: 9 * HOUR,
            until: 10 * HOUR + MINUTE,
        };
        record.pauses.push((GENERAL, pause));
    });
}

#[test]
fn unasked_speech_in_quiet_hours_is_found_and_an_answer_is_none() {
    is_found("post 201 was said in 1 in quiet hours", |record| {
        record.quiet_hours.push(TimeSpan {
            from: 8 * HOUR,
            until: 20 * HOUR,
        });
    });
}

#[test]
fn spending_past_the_budget_is_found_and_what_a_kill_took_is_allowed() {
    is_found(
        "11001 tokens were spent on the day that began at 0, and 11000",
        |record| {
            record.kills.push(15 * HOUR);
            record.spent.push((16 * HOUR, 8_001));
        },
    );
    let mut record = sound();
    record.kills.push(15 * HOUR);
    record.spent.push((16 * HOUR, 8_000));
    assert_eq!(find_violations(&record), Vec::<String>::new());
}

#[test]
fn spending_past_a_budget_that_became_smaller_is_found_and_what_it_was_before_is_allowed() {
    is_found("4001 tokens were spent on the day", |record| {
        record.budgets.push((11 * HOUR, 2_000));
        record.spent.push((12 * HOUR, 1_001));
    });
    is_found("13001 tokens were spent on the day", |record| {
        record.budgets.push((12 * HOUR, 20_000));
        record.spent.push((11 * HOUR, 10_001));
    });
    let mut record = sound();
    record.budgets = vec![(0, 10_000), (11 * HOUR, 2_000), (12 * HOUR, 20_000)];
    record.spent.push((13 * HOUR, 16_000));
    record.spent.push((DAY + HOUR, 20_000));
    assert_eq!(find_violations(&record), Vec::<String>::new());
}

#[test]
fn a_message_of_somebody_who_is_ignored_is_found_where_it_is_kept_or_shown() {
    let ignored = |record: &mut SoakRecord, until| {
        let (user, at) = (BEN, 10 * HOUR + MINUTE);
        record.forgotten.push(ForgottenPerson {
            user,
            at,
            until,
            traces: Vec::new(),
        });
    };
    is_found("message 101 in 1 is stored though", |record| {
        ignored(record, Millis::MAX);
        record.prompts.iter_mut().for_each(|prompt| {
            prompt.words.remove(&1);
        });
    });
    is_found("the words of message 1 by 811000000000000006", |record| {
        ignored(record, 12 * HOUR);
        record.is_stored_no_more(101);
    });
    let mut record = sound();
    ignored(&mut record, 10 * HOUR + 2 * MINUTE);
    assert_eq!(
        find_violations(&record),
        Vec::<String>::new(),
        "who returned is heard again"
    );
}

#[test]
fn a_message_that_is_lost_in_a_thread_and_one_passed_over_there_are_found() {
    let thread = 4;
    let opens = |record: &mut SoakRecord| {
        let readers = record.readers[&GENERAL].clone();
        record.readers.insert(thread, readers);
        record.says(thread, BEN, 14 * HOUR, true);
    };
    is_found("message 4 (104) in 4 was passed over", opens);
    is_found("message 104 in 4, said by a person, is lost", |record| {
        opens(record);
        record.is_stored_no_more(104);
        record.refused.insert(104);
    });
}

#[test]
fn words_of_a_forgotten_person_in_a_file_are_found() {
    is_found("is in kith.db", |record| {
        record.is_stored_no_more(101);
        record.forgotten.push(ForgottenPerson {
            user: BEN,
            at: 20 * HOUR,
            until: 20 * HOUR,
            traces: vec!["the word of message 1 is in kith.db".into()],
        });
    });
}

#[test]
fn words_of_a_forgotten_person_in_a_later_prompt_are_found() {
    is_found("by 811000000000000006, who was forgotten", |record| {
        record.is_stored_no_more(101);
        let (user, at) = (BEN, 11 * HOUR + MINUTE);
        record.forgotten.push(ForgottenPerson {
            user,
            at,
            until: at,
            traces: Vec::new(),
        });
    });
}

#[test]
fn an_answer_without_a_report_is_found_unless_a_kill_took_it() {
    is_found(
        "post 201 (answer 1) was said, and no report tells of it",
        |record| {
            record.turns.remove(UNASKED);
        },
    );
    let mut record = sound();
    record.turns.remove(UNASKED);
    record.kills.push(11 * HOUR + 2 * SECOND);
    assert_eq!(find_violations(&record), Vec::<String>::new());
    // Time may have leapt between the prompt and the answer, and before the kill.
    record.prompts[UNASKED].at -= 5 * MINUTE;
    record.time.add_leap(11 * HOUR + SECOND, 3 * HOUR);
    record.kills = vec![14 * HOUR + 2 * SECOND];
    assert_eq!(find_violations(&record), Vec::<String>::new());
    record.kills = vec![14 * HOUR + MINUTE];
    assert_eq!(find_violations(&record).len(), 1, "the turn was long over");
}

#[test]
fn who_speaks_to_it_and_gets_neither_an_answer_nor_a_reason_is_found() {
    is_found("message 4 (104) in 1 was passed over", |record| {
        record.says(GENERAL, ANNA, 14 * HOUR, true);
    });
    let mut record = sound();
    record.says(GENERAL, ANNA, 14 * HOUR, true);
    record.refused.insert(104);
    assert_eq!(find_violations(&record), Vec::<String>::new());
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

#[test]
fn what_was_answered_together_with_others_was_not_passed_over_though_the_words_are_erased() {
    assert_eq!(
        find_violations(&answered_together(true)),
        Vec::<String>::new()
    );
    let wrong = find_violations(&answered_together(false));
    assert!(
        wrong.len() == 1 && wrong[0].starts_with("message 4 (104) in 1 was passed over"),
        "{wrong:?}"
    );
}
