//! The outbox, reports, usage and small values.

use super::*;

#[test]
fn an_action_is_journaled_once_and_settled_once() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        assert_eq!(
            store.journal(outgoing("7-1", 4)).wait(),
            Ok(JournalOutcome::New)
        );
        assert_eq!(
            store.journal(outgoing("7-2", 3)).wait(),
            Ok(JournalOutcome::New)
        );
        assert_eq!(
            store.journal(outgoing("7-3", 2)).wait(),
            Ok(JournalOutcome::New)
        );
        store.drop_outgoing("7-3").wait().expect("dropped");
    }
    let store = open(&path);
    assert_eq!(store.last_turn().wait(), Ok(TurnId(7)));
    assert_eq!(
        store.pending_outbox().wait().expect("listed"),
        [outgoing("7-1", 4), outgoing("7-2", 3)]
    );
    assert_eq!(
        store.journal(outgoing("7-1", 4)).wait(),
        Ok(JournalOutcome::Unsettled)
    );

    let settled = store.settle("7-1", own(20)).wait().expect("settled");
    assert!(settled.new);
    assert_eq!(
        store.settle("7-1", own(21)).wait(),
        Ok(AppendOutcome {
            new: false,
            ..settled
        }),
        "one nonce, one message"
    );
    assert_eq!(
        store.journal(outgoing("7-1", 4)).wait(),
        Ok(JournalOutcome::Settled)
    );
    assert_eq!(
        store.journal(outgoing("7-3", 4)).wait(),
        Ok(JournalOutcome::Settled)
    );
    assert_eq!(
        store.pending_outbox().wait().expect("listed"),
        [outgoing("7-2", 3)]
    );
    let restored = store.restore(TALK, 9).wait().expect("restored");
    assert_eq!(
        (texts(&restored.tail), restored.cursor),
        (vec!["so?? how did it go"], 4)
    );
}

#[test]
fn an_echo_that_is_faster_than_the_answer_is_the_same_message() {
    let store = memory();
    assert_eq!(
        store.journal(outgoing("7-1", 4)).wait(),
        Ok(JournalOutcome::New)
    );
    let echo = store_all(&store, vec![own(20)]).remove(0);
    assert_eq!(
        store.settle("7-1", own(20)).wait(),
        Ok(AppendOutcome {
            new: false,
            ..echo.clone()
        })
    );
    assert_eq!(
        store.settle("7-1", own(22)).wait(),
        Ok(AppendOutcome {
            new: false,
            ..echo.clone()
        })
    );
    assert_eq!(
        store
            .load_history(TALK, None, 9)
            .wait()
            .expect("read")
            .len(),
        1
    );
}

#[test]
fn reports_are_kept_and_read_back() {
    let store = memory();
    store_all(
        &store,
        vec![said(TALK, 1, "a"), said(TALK, 2, "b"), said(OTHER, 3, "c")],
    );
    let decisions = vec![
        decision(TALK, 1, 0.1),
        decision(TALK, 2, 0.2),
        decision(OTHER, 3, 0.3),
        decision(TALK, 4, 0.4),
    ];
    store
        .save_decisions(decisions.clone())
        .wait()
        .expect("saved");
    let lines = store.load_history_with_reasons(TALK, None, 9).wait();
    let lines = lines.expect("read").into_iter();
    let kept: Vec<_> = lines.filter_map(|(_, why)| why.decision).collect();
    assert_eq!(kept, decisions[..2]);
    assert_eq!(
        store.find_decision(OTHER, MessageId(3)).wait(),
        Ok(Some(decisions[2].clone()))
    );
    assert_eq!(
        store.find_decision(TALK, MessageId(4)).wait(),
        Ok(None),
        "there is no such message"
    );

    let prompts = vec![StoredPrompt {
        ask: 1,
        model: "m".into(),
        parts: Vec::new(),
        system: "you are".into(),
        user: "12 Anna: a".into(),
    }];
    let turns = [
        turn(1, TALK, "one"),
        turn(2, OTHER, "two"),
        turn(3, TALK, "three"),
    ];
    for turn in &turns {
        store
            .save_turn(turn.clone(), prompts.clone())
            .wait()
            .expect("saved");
    }
    let stored = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!((&stored.report, &stored.prompts), (&turns[0], &prompts));
    assert_eq!(
        store.find_turns(TALK, None, 9).wait().expect("read"),
        [turns[2].clone(), turns[0].clone()]
    );
    assert_eq!(
        store
            .find_turns(TALK, Some(TurnId(3)), 9)
            .wait()
            .expect("read"),
        [turns[0].clone()]
    );
    assert_eq!(store.last_turn().wait(), Ok(TurnId(3)));
}

fn decision_report(message: Option<u64>, outcome: DecisionOutcome) -> DecisionReport {
    DecisionReport {
        channel: TALK,
        at: 7,
        message: message.map(MessageId),
        score: 0.3,
        threshold: 0.5,
        shift: ThresholdShift::default(),
        outcome,
        own: None,
    }
}

/// A channel with two messages that were decided on and two turns, and a hundred turns after them.
fn save_decisions_and_turns(path: &Path) {
    let sent = |message| CallReport {
        call: ToolCall::default(),
        kind: None,
        result: None,
        message: Some(MessageId(message)),
        hindrance: None,
        at: 8,
    };
    let mut first = turn(1, TALK, "one");
    first.wake.message = Some(MessageId(2));
    first.wake.addressed = vec![MessageId(1), MessageId(2)];
    // It answers with line 20 and reacts to message 3; a later turn reacts to its own line.
    first.rounds[0].calls = vec![sent(20), sent(3)];
    let mut second = turn(2, TALK, "two");
    second.rounds[0].calls = vec![sent(20)];
    let store = open(path);
    let [a, b, c] = [(1, "a"), (2, "b"), (3, "c")].map(|(id, text)| said(TALK, id, text));
    store_all(&store, vec![a, b, c, own(20)]);
    store
        .save_decisions(vec![decision(TALK, 2, 0.2), decision(TALK, 3, 0.3)])
        .wait()
        .expect("saved");
    for report in [
        decision_report(Some(2), DecisionOutcome::Queued),
        decision_report(Some(2), DecisionOutcome::Addressed),
        decision_report(Some(3), DecisionOutcome::Refused(Refusal::Budget)),
        decision_report(None, DecisionOutcome::Unwilling),
    ] {
        store.save_decision_report(report).wait().expect("saved");
    }
    let later = (100..200).map(|id| turn(id, TALK, "later"));
    for turn in [first, second].into_iter().chain(later) {
        store.save_turn(turn, vec![]).wait().expect("saved");
    }
}

#[test]
fn why_it_spoke_or_kept_silent_outlives_a_restart_however_old_the_message_is() {
    let (_folder, path) = on_disk();
    save_decisions_and_turns(&path);
    let store = open(&path);
    let turn = Some(TurnId(1));
    let undecided = || DecisionReason {
        turn,
        ..DecisionReason::default()
    };
    let addressed = DecisionReason {
        decision: Some(decision(TALK, 2, 0.2)),
        report: Some(decision_report(Some(2), DecisionOutcome::Addressed)),
        turn,
    };
    let refused = DecisionReason {
        decision: Some(decision(TALK, 3, 0.3)),
        report: Some(decision_report(
            Some(3),
            DecisionOutcome::Refused(Refusal::Budget),
        )),
        turn: None,
    };
    let wanted = [
        (1, undecided()),
        (2, addressed),
        (3, refused),
        (20, undecided()),
    ];
    for (id, why) in &wanted {
        assert_eq!(
            store
                .find_decision_reason(TALK, MessageId(*id))
                .wait()
                .as_ref(),
            Ok(why),
            "message {id}"
        );
    }
    let page = store
        .load_history_with_reasons(TALK, None, 9)
        .wait()
        .expect("read");
    let page: Vec<_> = page
        .into_iter()
        .map(|(line, why)| (line.message.id.0, why))
        .collect();
    assert_eq!(page, wanted);
    assert_eq!(
        store.find_ids_after(TALK, MessageId(1), 2).wait(),
        Ok(vec![MessageId(2), MessageId(3)])
    );
    assert_eq!(
        store.find_decision_reason(TALK, MessageId(4)).wait(),
        Ok(DecisionReason::default())
    );
    assert_eq!(
        store.find_latest_decision(TALK).wait(),
        Ok(Some(decision(TALK, 3, 0.3)))
    );
    assert_eq!(store.find_latest_decision(OTHER).wait(), Ok(None));
}

#[test]
fn what_was_thought_of_a_message_goes_with_it_and_a_pruned_turn_is_named_no_more() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2_000, "b")]);
    store
        .save_decisions(vec![decision(TALK, 1, 0.1), decision(TALK, 2_000, 0.2)])
        .wait()
        .expect("saved");
    let mut woken = turn(1, TALK, "one");
    woken.wake.addressed = vec![MessageId(1), MessageId(2_000)];
    store.save_turn(woken, vec![]).wait().expect("saved");
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(
        store.find_decision_reason(TALK, MessageId(1)).wait(),
        Ok(DecisionReason::default())
    );
    assert_eq!(store.prune(1_500_000).wait(), Ok(1), "the turn");
    let why = store
        .find_decision_reason(TALK, MessageId(2_000))
        .wait()
        .expect("read");
    assert_eq!(
        (why.turn, why.decision),
        (None, Some(decision(TALK, 2_000, 0.2)))
    );
}

#[test]
fn usage_adds_up_by_day_model_channel_and_function() {
    let store = memory();
    let day = "2026-02-03".parse().expect("a day");
    let usage = TokenUsage {
        prompt: 100,
        cached: 60,
        completion: 20,
        ..TokenUsage::default()
    };
    for _ in 0..2 {
        store
            .save_spend(spent(day, "m", TALK, "turn", usage))
            .wait()
            .expect("added");
    }
    store
        .save_spend(spent(day, "m", OTHER, "turn", usage))
        .wait()
        .expect("added");
    store
        .save_spend(spent(
            "2026-02-04".parse().expect("a day"),
            "m",
            TALK,
            "turn",
            usage,
        ))
        .wait()
        .expect("added");
    let rows = store.load_usage(day).wait().expect("read");
    let numbers: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.channel,
                row.calls,
                row.prompt,
                row.cached,
                row.completion,
                row.cost,
            )
        })
        .collect();
    assert_eq!(
        numbers,
        [(TALK, 2, 200, 120, 40, 0.5), (OTHER, 1, 100, 60, 20, 0.25)]
    );
}

#[test]
fn core_memory_and_small_values_are_replaced_by_key() {
    let store = memory();
    let block = |label: &str, text: &str| StoredBlock {
        label: label.into(),
        text: text.into(),
        limit: 600,
        updated_at: 1,
    };
    store
        .put_core_memory("all", block("people", "Anna sings"))
        .wait()
        .expect("put");
    store
        .put_core_memory("all", block("people", "Anna sings alto"))
        .wait()
        .expect("put");
    store
        .put_core_memory("all", block("jokes", ""))
        .wait()
        .expect("put");
    assert_eq!(
        store.load_core_memory("all").wait(),
        Ok(vec![block("jokes", ""), block("people", "Anna sings alto")])
    );
    assert_eq!(store.load_core_memory("other").wait(), Ok(vec![]));
    store.set_meta("k", "1").wait().expect("set");
    store.set_meta("k", "2").wait().expect("set");
    assert_eq!(store.load_meta("k").wait(), Ok(Some("2".into())));
    assert_eq!(store.load_meta("none").wait(), Ok(None));
}
