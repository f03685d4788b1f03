//! The outbox, reports, usage and small values.

use super::*;

#[test]
fn an_action_is_journaled_once_and_settled_once() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::New));
        assert_eq!(store.journal(outgoing("7-2", 3)).wait(), Ok(Journaled::New));
        assert_eq!(store.journal(outgoing("7-3", 2)).wait(), Ok(Journaled::New));
        store.drop_outgoing("7-3").wait().expect("dropped");
    }
    let store = open(&path);
    assert_eq!(store.last_turn().wait(), Ok(TurnId(7)));
    assert_eq!(store.pending_outbox().wait().expect("listed"), [outgoing("7-1", 4), outgoing("7-2", 3)]);
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::Unsettled));

    let settled = store.settle("7-1", own(20)).wait().expect("settled");
    assert!(settled.new);
    assert_eq!(store.settle("7-1", own(21)).wait(), Ok(Stored { new: false, ..settled }), "one nonce, one message");
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::Settled));
    assert_eq!(store.journal(outgoing("7-3", 4)).wait(), Ok(Journaled::Settled));
    assert_eq!(store.pending_outbox().wait().expect("listed"), [outgoing("7-2", 3)]);
    let restored = store.restore(TALK, 9).wait().expect("restored");
    assert_eq!((texts(&restored.tail), restored.cursor), (vec!["so?? how did it go"], 4));
}

#[test]
fn an_echo_that_is_faster_than_the_answer_is_the_same_message() {
    let store = Store::in_memory().expect("opened");
    assert_eq!(store.journal(outgoing("7-1", 4)).wait(), Ok(Journaled::New));
    let echo = store_all(&store, vec![own(20)])[0];
    assert_eq!(store.settle("7-1", own(20)).wait(), Ok(Stored { new: false, ..echo }));
    assert_eq!(store.settle("7-1", own(22)).wait(), Ok(Stored { new: false, ..echo }));
    assert_eq!(store.history(TALK, None, 9).wait().expect("read").len(), 1);
}

#[test]
fn reports_are_kept_and_read_back() {
    let store = Store::in_memory().expect("opened");
    store_all(&store, vec![said(TALK, 1, "a"), said(TALK, 2, "b"), said(OTHER, 3, "c")]);
    let decisions =
        vec![decision(TALK, 1, 0.1), decision(TALK, 2, 0.2), decision(OTHER, 3, 0.3), decision(TALK, 4, 0.4)];
    store.save_decisions(decisions.clone()).wait().expect("saved");
    assert_eq!(store.decisions(TALK, 9).wait().expect("read"), decisions[..2]);
    assert_eq!(store.decisions(TALK, 1).wait().expect("read"), decisions[1..2]);
    assert_eq!(store.decision(OTHER, MessageId(3)).wait(), Ok(Some(decisions[2].clone())));
    assert_eq!(store.decision(TALK, MessageId(4)).wait(), Ok(None), "there is no such message");

    let prompts = vec![Prompt {
        ask: 1,
        model: "m".into(),
        parts: Vec::new(),
        system: "you are".into(),
        user: "12 Anna: a".into(),
    }];
    let turns = [turn(1, TALK, "one"), turn(2, OTHER, "two"), turn(3, TALK, "three")];
    for turn in &turns {
        store.save_turn(turn.clone(), prompts.clone()).wait().expect("saved");
    }
    let stored = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!((&stored.report, &stored.prompts), (&turns[0], &prompts));
    assert_eq!(store.turns(TALK, None, 9).wait().expect("read"), [turns[2].clone(), turns[0].clone()]);
    assert_eq!(store.turns(TALK, Some(TurnId(3)), 9).wait().expect("read"), [turns[0].clone()]);
    assert_eq!(store.last_turn().wait(), Ok(TurnId(3)));
}

#[test]
fn usage_adds_up_by_day_model_channel_and_function() {
    let store = Store::in_memory().expect("opened");
    let day = "2026-02-03".parse().expect("a day");
    let usage = Usage { prompt: 100, cached: 60, completion: 20, ..Usage::default() };
    for _ in 0..2 {
        store.add_usage(day, "m", TALK, "turn", usage).wait().expect("added");
    }
    store.add_usage(day, "m", OTHER, "turn", usage).wait().expect("added");
    store.add_usage("2026-02-04".parse().expect("a day"), "m", TALK, "turn", usage).wait().expect("added");
    let rows = store.usage(day).wait().expect("read");
    let numbers: Vec<_> =
        rows.iter().map(|row| (row.channel, row.calls, row.prompt, row.cached, row.completion)).collect();
    assert_eq!(numbers, [(TALK, 2, 200, 120, 40), (OTHER, 1, 100, 60, 20)]);
}

#[test]
fn core_memory_and_small_values_are_replaced_by_key() {
    let store = Store::in_memory().expect("opened");
    let block = |label: &str, text: &str| Block { label: label.into(), text: text.into(), limit: 600, updated_at: 1 };
    store.put_core_memory("all", block("people", "Anna sings")).wait().expect("put");
    store.put_core_memory("all", block("people", "Anna sings alto")).wait().expect("put");
    store.put_core_memory("all", block("jokes", "")).wait().expect("put");
    assert_eq!(store.core_memory("all").wait(), Ok(vec![block("jokes", ""), block("people", "Anna sings alto")]));
    assert_eq!(store.core_memory("other").wait(), Ok(vec![]));
    store.set_meta("k", "1").wait().expect("set");
    store.set_meta("k", "2").wait().expect("set");
    assert_eq!(store.meta("k").wait(), Ok(Some("2".into())));
    assert_eq!(store.meta("none").wait(), Ok(None));
}
