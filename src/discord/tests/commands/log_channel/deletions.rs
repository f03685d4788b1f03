//! Entries that are forgotten or expired go from a log channel, also while they are being posted.

use super::*;

#[tokio::test]
async fn turns_that_are_forgotten_before_they_are_posted_never_are() {
    let mut discord = Recorder::kind().await;
    let (log, _heard) = log(&discord.rest);
    for turn in 1..=3 {
        log.show_turn(
            LOG,
            GUILD,
            TurnId(turn),
            ChannelId(6),
            card(&format!("turn {turn}")),
        );
    }
    log.forget_turns(&[TurnId(1), TurnId(3)]);
    assert_eq!(titles(&discord.next().await.json()), ["turn 2"]);
}

#[tokio::test]
async fn a_turn_that_is_forgotten_while_it_is_posted_is_deleted_at_once() {
    let shared: Arc<OnceLock<LogChannels>> = Arc::default();
    let log_of_answers = shared.clone();
    let mut discord = Recorder::open(move |request| {
        if request.method == Method::POST {
            log_of_answers.get().unwrap().forget_turns(&[TurnId(2)]);
        }
        (200, json!({ "id": "9" }))
    })
    .await;
    let (log, mut heard) = log(&discord.rest);
    shared.set(log.clone()).ok().unwrap();
    log.show_turn(LOG, GUILD, TurnId(2), ChannelId(6), card("turn"));
    assert_eq!(discord.next().await.what(), "POST /channels/600/messages");
    assert_eq!(
        discord.next().await.what(),
        "DELETE /channels/600/messages/9"
    );
    let heard = heard.recv().await;
    assert!(
        matches!(heard, Some(DiscordEvent::LogDeleted(_))),
        "there is nothing to keep: {heard:?}"
    );
}

#[tokio::test]
async fn young_entries_are_deleted_together_and_old_ones_one_by_one() {
    const DAY: i64 = 86_400_000;
    let mut discord = Recorder::kind().await;
    let (log, _heard) = log(&discord.rest);
    let young: Vec<MessageId> = (0..102).map(|number| written_ago(DAY, number)).collect();
    let old = written_ago(20 * DAY, 0);
    log.delete_entries(
        young
            .iter()
            .copied()
            .chain([old])
            .map(|message| (LOG, message))
            .collect(),
    );
    for (from, to) in [(0, 100), (100, 102)] {
        let recorded = discord.next().await;
        assert_eq!(recorded.what(), "POST /channels/600/messages/bulk-delete");
        assert_eq!(recorded.json(), json!({ "messages": young[from..to] }));
    }
    assert_eq!(
        discord.next().await.what(),
        format!("DELETE /channels/600/messages/{old}")
    );
}

#[tokio::test]
async fn without_the_right_to_delete_many_each_is_deleted_and_what_is_gone_already_is_well() {
    let mut discord = Recorder::open(|request| match request.method {
        Method::POST => refusal(403, 50013),
        _ => refusal(404, 10008),
    })
    .await;
    let (log, mut heard) = log(&discord.rest);
    let messages = [0, 1].map(|number| written_ago(1000, number));
    log.delete_entries(messages.map(|message| (LOG, message)).to_vec());
    assert_eq!(
        discord.next().await.what(),
        "POST /channels/600/messages/bulk-delete"
    );
    for message in messages {
        assert_eq!(
            discord.next().await.what(),
            format!("DELETE /channels/600/messages/{message}")
        );
    }
    let Some(DiscordEvent::LogDeleted(gone)) = heard.recv().await else {
        panic!()
    };
    assert_eq!(gone, messages.map(|message| (LOG, message)));
}

#[tokio::test]
async fn what_could_not_be_deleted_is_not_told_to_be_gone() {
    let discord = Recorder::open(|request| match request.path.ends_with("/1") {
        true => refusal(403, 50001),
        false => (204, Value::Null),
    })
    .await;
    let (log, mut heard) = log(&discord.rest);
    log.delete_entries(vec![(LOG, MessageId(1)), (ChannelId(601), MessageId(2))]);
    let Some(DiscordEvent::LogDeleted(gone)) = heard.recv().await else {
        panic!()
    };
    assert_eq!(gone, [(ChannelId(601), MessageId(2))]);
}

#[tokio::test]
async fn where_nothing_may_be_deleted_it_is_tried_once_and_not_for_each_entry() {
    const ELSEWHERE: ChannelId = ChannelId(601);
    let mut discord = Recorder::open(|request| match request.path.contains("/600/") {
        true => refusal(403, 50001),
        false => (204, Value::Null),
    })
    .await;
    let (log, mut heard) = log(&discord.rest);
    let there = MessageId(7);
    for _ in 0..2 {
        let entries = (0..250).map(|number| (LOG, written_ago(1000, number)));
        log.delete_entries(entries.chain([(ELSEWHERE, there)]).collect());
        let Some(DiscordEvent::LogDeleted(gone)) = heard.recv().await else {
            panic!()
        };
        assert_eq!(gone, [(ELSEWHERE, there)]);
    }
    assert_eq!(
        discord.next().await.what(),
        "POST /channels/600/messages/bulk-delete"
    );
    assert!(
        discord
            .next()
            .await
            .what()
            .starts_with("DELETE /channels/600/messages/")
    );
    for _ in 0..2 {
        assert_eq!(
            discord.next().await.what(),
            "DELETE /channels/601/messages/7"
        );
    }
}
