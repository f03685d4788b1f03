//! Nothing lost, nothing twice, whatever breaks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kith_core::chat::{AuthorKind, ChannelId, MessageId, UserId};
use kith_core::report::TurnOutcome;
use kith_store::{Store, StoredMessage};

use crate::discord::prelude::*;
use crate::discord::storm::{AddressedMessage, Change, EMOJI, Size, Storm, ToldChange, numbers};
use crate::opened_store::open_store;

/// What runs every time; `KITH_STORM=7` is the long form with seed 7.
const SHORT: Size = Size {
    messages: 300,
    channels: 6,
    kills: 4,
};
const LONG: Size = Size {
    messages: 2_000,
    channels: 20,
    kills: 20,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_storm_nothing_is_lost_and_nothing_is_said_twice() {
    let asked = kith_testkit::read_asked("KITH_STORM");
    let (seed, size) = asked.map_or((1, SHORT), |seed| (seed, LONG));
    let began = kith_system::clock::monotonic();
    let mut storm = Storm::gathers(seed, size).await;
    storm.rages().await;
    let raged = began.elapsed();
    storm.calms_down().await;
    storm.test.kith.stop();
    let store = open_store(&storm.test.kith);
    let mut wrong = Vec::new();
    for channel in storm.channels.clone() {
        let lines = history(&store, channel).await;
        let said: BTreeMap<Id, Message> = storm
            .test
            .fake
            .world(|world| world.channel(channel).messages.clone());
        wrong.extend(lost_or_twice(&storm, channel, &said, &lines));
        wrong.extend(changed_wrongly(&storm, channel, &said, &lines));
    }
    wrong.extend(answered_twice(&storm));
    wrong.extend(passed_over(&storm, &store).await);
    println!(
        "seed {seed}: {}; stormed {raged:.1?}, took {:.1?}",
        numbers_of(&storm),
        began.elapsed()
    );
    assert!(
        wrong.is_empty(),
        "{}\n{} wrong:\n{}",
        storm.test.log(),
        wrong.len(),
        wrong.join("\n")
    );
}

async fn history(store: &Store, channel: Id) -> Vec<StoredMessage> {
    let mut lines: Vec<StoredMessage> = Vec::new();
    loop {
        let before = lines.first().map(|line| line.message.id);
        let mut page = store
            .load_history(ChannelId(channel), before, 200)
            .await
            .unwrap();
        if page.is_empty() {
            return lines;
        }
        page.append(&mut lines);
        lines = page;
    }
}

/// What stands in Discord and not in the store, or the other way round.
fn lost_or_twice(
    storm: &Storm,
    channel: Id,
    said: &BTreeMap<Id, Message>,
    lines: &[StoredMessage],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut stored = BTreeSet::new();
    for line in lines {
        let id = line.message.id.0;
        if !stored.insert(id) {
            wrong.push(format!("{channel}: {id} is stored twice"));
        }
        let surely_deleted = || {
            storm.told.iter().any(|told| {
                told.surely_heard && told.message == id && told.change == Change::Deleted
            })
        };
        if !said.contains_key(&id)
            && (line.message.author.kind == AuthorKind::Companion || surely_deleted())
        {
            wrong.push(format!(
                "{channel}: {id} \"{}\" is stored and not in Discord",
                line.message.text
            ));
        }
    }
    let lost = said
        .values()
        .filter(|message| !stored.contains(&message.id));
    wrong.extend(lost.map(|message| {
        format!(
            "{channel}: {} \"{}\" by {} is lost",
            message.id, message.text, message.author
        )
    }));
    wrong
}

/// Texts and reactions that are not as they were told.
fn changed_wrongly(
    storm: &Storm,
    channel: Id,
    said: &BTreeMap<Id, Message>,
    lines: &[StoredMessage],
) -> Vec<String> {
    let mut newest: HashMap<(Id, Option<Id>), &ToldChange> = HashMap::new();
    for told in storm.told.iter().filter(|told| told.channel == channel) {
        match told.change {
            Change::Edited => newest.insert((told.message, None), told),
            Change::Reacted { by, .. } => newest.insert((told.message, Some(by)), told),
            Change::Deleted => None,
        };
    }
    let mut wrong = Vec::new();
    for line in lines {
        let mention = format!("<@{BOT}>");
        let text = line
            .message
            .text
            .replace("@Juno", &mention)
            .replace("@juno", &mention);
        let id = line.message.id.0;
        let Some(message) = said.get(&id) else {
            continue;
        };
        if let Some(texts) = storm.texts.get(&(channel, id)) {
            let is_sure = newest.get(&(id, None)).is_none_or(|told| told.surely_heard);
            if if is_sure {
                message.text != text
            } else {
                !texts.contains(&text)
            } {
                wrong.push(format!(
                    "{channel}: {id} says \"{}\" and not \"{}\"",
                    text, message.text
                ));
            }
        }
        for ((_, by), told) in newest
            .iter()
            .filter(|((on, by), told)| *on == id && by.is_some() && told.surely_heard)
        {
            let by = by.unwrap_or_default();
            let is_there = line
                .reactions
                .iter()
                .any(|mark| mark.author.id == UserId(by) && &*mark.emoji == EMOJI);
            if (told.change == Change::Reacted { by, added: true }) != is_there {
                wrong.push(format!(
                    "{channel}: {id}: {:?}, and it is {is_there}",
                    told.change
                ));
            }
        }
    }
    wrong
}

fn answered_twice(storm: &Storm) -> Vec<String> {
    let mut wrong = Vec::new();
    for channel in &storm.channels {
        let posts = storm.test.fake.posts(*channel);
        let mut times: BTreeMap<(String, u32), Vec<&str>> = BTreeMap::new();
        for post in &posts {
            let head = post.text.split(' ').next().unwrap_or_default();
            for number in numbers(&post.text) {
                times
                    .entry((head.into(), number))
                    .or_default()
                    .push(&post.text);
            }
        }
        let twice = times.iter().filter(|(_, posts)| posts.len() > 1);
        wrong.extend(twice.map(|((head, number), posts)| {
            format!("{channel}: {head} q{number} was said in {posts:?}")
        }));
    }
    wrong
}

/// People who spoke to it and were neither answered nor told why not: by a small reaction, or by what is on record of a
/// refusal or of a turn that owed them an answer and failed. That record goes with a message that is deleted.
async fn passed_over(storm: &Storm, store: &Store) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_there = |asked: &AddressedMessage| {
        storm
            .test
            .fake
            .world(|world| world.message(asked.channel, asked.message).is_some())
    };
    let unanswered = storm
        .asked
        .iter()
        .filter(|asked| storm.unanswered.contains(&asked.number));
    for asked in unanswered.filter(|asked| is_there(asked)) {
        let why = store
            .find_decision_reason(ChannelId(asked.channel), MessageId(asked.message))
            .await
            .unwrap();
        let refusal = why.decision.as_ref().and_then(|decision| decision.refusal);
        let turn = match why.turn {
            Some(turn) => store.turn(turn).await.unwrap().map(|turn| turn.report),
            None => None,
        };
        let failed = turn.as_ref().is_some_and(|report| {
            let mut calls = report.rounds.iter().flat_map(|round| &round.calls);
            let undelivered =
                calls.any(|call| call.result.as_ref().is_some_and(|result| result.is_error));
            let owed = report.wake.addressed.contains(&MessageId(asked.message));
            owed && (undelivered || matches!(report.outcome, TurnOutcome::Failed(_)))
        });
        println!(
            "q{} was not answered: refused {refusal:?}, turn failed {failed}",
            asked.number
        );
        if refusal.is_none() && !failed {
            let (channel, number, message) = (asked.channel, asked.number, asked.message);
            wrong.push(format!(
                "{channel}: q{number} ({message}) was passed over: {why:?} {turn:?}"
            ));
        }
    }
    wrong
}

fn numbers_of(storm: &Storm) -> String {
    let (requests, failed, identifies, resumes) = storm.test.fake.world(|world| {
        let failed = world
            .log
            .requests
            .iter()
            .filter(|request| request.status.is_none_or(|status| status >= 400));
        (
            world.log.requests.len(),
            failed.count(),
            world.log.identifies.len(),
            world.log.resumes.len(),
        )
    });
    let posts: usize = storm
        .channels
        .iter()
        .map(|channel| storm.test.fake.posts(*channel).len())
        .sum();
    let sure = storm.told.iter().filter(|told| told.surely_heard).count();
    format!(
        "{} messages in {} channels ({} asked, {posts} posts), {} changes ({sure} surely heard), {} kills, \
         {identifies} identifies, {resumes} resumes, {} faults of the gateway, {failed} of {requests} requests failed",
        storm.texts.len(),
        storm.channels.len(),
        storm.asked.len(),
        storm.told.len(),
        storm.kills,
        storm.faults,
    )
}
