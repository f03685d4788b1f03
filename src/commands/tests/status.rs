//! The status: what was read and said, what it takes, and how much of that who is told.

use kith_core::chat::IntentionId;
use kith_core::intent::ScheduledIntent;

use super::*;

fn status(command_test: &CommandTest, who: CallerRole, facts: DaemonFacts) -> String {
    shown(
        &command_test
            .ask_with(
                &caller(who, facts.channel.id),
                CommandRequest::Status,
                facts,
            )
            .0,
    )
}

#[test]
fn a_budget_is_told_in_tokens_to_the_host_only() {
    let command_test = command_test();
    let told = |who| status(&command_test, who, facts(TALK));
    assert!(
        told(CallerRole::Host).contains("120,000 of 500,000 tokens (24 %)"),
        "{}",
        told(CallerRole::Host)
    );
    for who in [CallerRole::Member, CallerRole::Moderator] {
        assert!(told(who).contains("24 % spent"), "{}", told(who));
        assert!(
            !told(who).contains("500,000") && !told(who).contains("120,000"),
            "{}",
            told(who)
        );
    }
}

#[test]
fn the_month_goes_by_the_last_days_of_this_guild_or_for_the_host_of_all() {
    let command_test = command_test();
    // Half a day of 1,000 tokens in each of two channels here and two elsewhere: that tells as much as a whole day.
    assert!(
        status(&command_test, CallerRole::Moderator, facts(TALK))
            .contains("about 60,000 tokens here")
    );
    assert!(status(&command_test, CallerRole::Host, facts(TALK)).contains("about 120,000 tokens"));
    let usage = TokenUsage {
        prompt: 7_000,
        ..TokenUsage::default()
    };
    let spend = |day: &str| {
        command_test
            .store
            .save_spend(spent(day.parse().unwrap(), "m", TALK, "turn", usage))
            .wait()
            .unwrap()
    };
    spend("2026-01-31");
    // 9,000 tokens in three and a half days.
    assert!(
        status(&command_test, CallerRole::Moderator, facts(TALK))
            .contains("about 77,142 tokens here")
    );
    spend("2025-12-31");
    assert!(
        status(&command_test, CallerRole::Moderator, facts(TALK))
            .contains("about 77,142 tokens here"),
        "too long ago"
    );
}

#[test]
fn an_observed_channel_tells_how_often_it_would_have_spoken_in_a_day() {
    let command_test = command_test();
    let observed = |id, score, at| {
        command_test.says(TALK, id, BEN, "so?");
        let mut decision = decision(TALK, id);
        decision.address = None;
        command_test
            .store
            .save_decisions(vec![decision])
            .wait()
            .unwrap();
        let report = DecisionReport {
            score,
            at,
            ..decision_report(TALK, id, DecisionOutcome::Refused(Refusal::Observe))
        };
        command_test
            .store
            .save_decision_report(report)
            .wait()
            .unwrap();
    };
    observed(3, 0.4, NOW - HOUR);
    observed(4, 0.2, NOW - HOUR);
    observed(5, 0.5, NOW - HOUR);
    let text = status(
        &command_test,
        CallerRole::Member,
        with_mode(facts(TALK), ChannelMode::Observe),
    );
    assert!(
        text.contains("read 4 messages, would have spoken 2 times"),
        "{text}"
    );
    let tomorrow = DaemonFacts {
        now: NOW + 24 * HOUR,
        ..with_mode(facts(TALK), ChannelMode::Observe)
    };
    assert!(
        status(&command_test, CallerRole::Member, tomorrow)
            .contains("read 0 messages, would have spoken 0 times")
    );
}

#[test]
fn a_store_that_fails_is_told_without_the_names_of_its_files() {
    let command_test = command_test();
    // No database can keep such an id in order: the store refuses it.
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Host, TALK),
        CommandRequest::Why(Some(MessageId(u64::MAX))),
    );
    assert!(is_refused(&answer) && changes.is_empty());
    assert!(
        shown(&answer).starts_with("That did not work, my memory cannot be read"),
        "{answer:?}"
    );
}

fn waits(command_test: &CommandTest, channel: ChannelId, id: u64) {
    let intention = ScheduledIntent {
        id: IntentionId(id),
        made: NOW - HOUR,
        expires: NOW + 2 * HOUR,
        person: Some(BEN),
        name: "Ben".into(),
        note: "ask how the exam went".into(),
        ..ScheduledIntent::default()
    };
    command_test
        .store
        .put_intention(channel, intention)
        .wait()
        .unwrap();
}

#[test]
fn what_it_waits_for_is_told_to_those_who_steer_it_where_they_may_read() {
    let command_test = command_test();
    waits(&command_test, TALK, 1);
    for who in [CallerRole::Moderator, CallerRole::Host] {
        let told = status(&command_test, who, facts(TALK));
        assert!(
            told.contains("Ben: ask how the exam went (2 h left)"),
            "{told}"
        );
    }
    assert!(!status(&command_test, CallerRole::Member, facts(TALK)).contains("ask how"));
    assert!(
        !status(&command_test, CallerRole::Moderator, facts(LOG)).contains("Waits for"),
        "nothing there"
    );
    let chinese = Caller {
        language: Language::ZH,
        ..caller(CallerRole::Host, TALK)
    };
    let told = shown(
        &command_test
            .ask_with(&chinese, CommandRequest::Status, facts(TALK))
            .0,
    );
    assert!(
        told.contains("Ben：ask how the exam went（还剩 2 小时）"),
        "{told}"
    );
}

#[test]
fn a_reset_drops_what_it_waits_for_there_and_nowhere_else() {
    let command_test = command_test();
    waits(&command_test, TALK, 1);
    waits(&command_test, FAR, 2);
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Member, TALK),
        CommandRequest::Reset(RequestScope::Here),
    );
    assert!(is_refused(&answer) && changes.is_empty());
    let (answer, changes) = command_test.ask(
        &caller(CallerRole::Moderator, TALK),
        CommandRequest::Reset(RequestScope::All),
    );
    assert!(
        shown(&answer).contains("What it waited for is dropped"),
        "{answer:?}"
    );
    assert_eq!(changes, [DaemonChange::DropIntentions(TALK)]);
    let left = |channel| {
        command_test
            .store
            .find_intentions(channel)
            .wait()
            .unwrap()
            .len()
    };
    assert_eq!((left(TALK), left(FAR)), (0, 1));
    let (answer, _) = command_test.ask(
        &caller(CallerRole::Moderator, TALK),
        CommandRequest::Reset(RequestScope::Here),
    );
    assert!(
        shown(&answer).contains("Nothing was set by hand"),
        "{answer:?}"
    );
}
