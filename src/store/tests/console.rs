//! What the console reads: when channels were alive, a day of one, turns of all, and sums of what was spent.

use super::*;
use kith_store::ChannelRecency;

const HOUR: i64 = 3_600_000;

fn says_at(channel: ChannelId, id: u64, author: Author, at: i64) -> ChatEvent {
    match says(channel, id, author, "hello") {
        ChatEvent::Message(message) => ChatEvent::Message(Message { at, ..message }),
        other => other,
    }
}

#[test]
fn a_day_of_a_channel_holds_what_was_said_and_thought_in_it_and_nothing_of_other_days() {
    let store = memory();
    let mut events = Vec::new();
    for hour in 0..72 {
        // Ids grow with time and are not even.
        let id = 10 + hour as u64 * 7 + hour as u64 % 3;
        events.push(says_at(TALK, id, anna(), hour * HOUR));
        events.push(says_at(OTHER, id, anna(), hour * HOUR));
    }
    store_all(&store, events);
    let noon = 10 + 36 * 7;
    let thought = MessageDecision {
        speak: false,
        ..decision(TALK, noon, 0.75)
    };
    store.save_decisions(vec![thought]).wait().expect("saved");
    for (id, channel, started) in [(1, TALK, 20), (2, OTHER, 30), (3, TALK, 36), (4, TALK, 60)] {
        let report = TurnReport {
            started: started * HOUR,
            ..turn(id, channel, "")
        };
        store.save_turn(report, Vec::new()).wait().expect("saved");
    }
    let span = (24 * HOUR, 48 * HOUR);
    let day = store
        .load_channel_day(TALK, span, 100)
        .wait()
        .expect("read");
    let times: Vec<i64> = day
        .messages
        .iter()
        .map(|message| message.at / HOUR)
        .collect();
    assert_eq!(times, (24..48).collect::<Vec<i64>>());
    assert_eq!(day.left_out, 0);
    let scored: Vec<_> = day
        .messages
        .iter()
        .filter(|it| it.score.is_some())
        .collect();
    assert_eq!(scored.len(), 1);
    assert_eq!(
        (scored[0].score, scored[0].threshold),
        (Some(0.75), Some(0.5))
    );
    assert!(scored[0].is_addressed && scored[0].at == 36 * HOUR);
    let turns: Vec<u64> = day.turns.iter().map(|report| report.turn.0).collect();
    assert_eq!(turns, [3]);

    let newest = store.load_channel_day(TALK, span, 4).wait().expect("read");
    assert_eq!((newest.messages.len(), newest.left_out), (4, 20));
    assert_eq!(newest.messages[3].at, 47 * HOUR);
    let never = store.load_channel_day(ChannelId(999), span, 4).wait();
    assert_eq!(never.expect("read"), DayRecord::default());
}

#[test]
fn only_turns_in_which_something_failed_are_faulty_whatever_their_words_say() {
    let store = memory();
    let with_round = |id, round| TurnReport {
        rounds: vec![round],
        ..turn(id, TALK, "")
    };
    let call = |result: ToolResult| CallReport {
        call: ToolCall {
            name: "calculate".into(),
            params: serde_json::Map::new(),
        },
        kind: None,
        result: Some(result),
        message: None,
        hindrance: None,
        at: 1,
    };
    let words = "\"failure\":{\"message\":1},\"is_error\":true,\"outcome\":{\"failed\":\"x\"}";
    let turns = [
        turn(1, TALK, words),
        with_round(
            2,
            RoundReport {
                failure: Some(ModelFailure::new("gone")),
                ..RoundReport::default()
            },
        ),
        with_round(
            3,
            RoundReport {
                calls: vec![call(ToolResult::ok(words))],
                ..RoundReport::default()
            },
        ),
        with_round(
            4,
            RoundReport {
                calls: vec![call(ToolResult::error("no"))],
                ..RoundReport::default()
            },
        ),
        TurnReport {
            outcome: TurnOutcome::Silent(words.into()),
            ..turn(5, TALK, "")
        },
        TurnReport {
            outcome: TurnOutcome::Failed("no answer".into()),
            ..turn(6, OTHER, "")
        },
    ];
    for report in turns {
        store.save_turn(report, Vec::new()).wait().expect("saved");
    }
    store_all(
        &store,
        vec![ChatEvent::Channel(group_channel(OTHER, None, "attic"))],
    );
    let faulty = store.find_faulty_turns(10).wait().expect("read");
    let ids: Vec<u64> = faulty.iter().map(|found| found.report.turn.0).collect();
    assert_eq!(ids, [6, 4, 2]);
    assert_eq!(faulty[0].channel_name, "attic");

    let page = store
        .find_named_turns(None, Some(TurnId(5)), 2)
        .wait()
        .expect("read");
    let ids: Vec<u64> = page.iter().map(|found| found.report.turn.0).collect();
    assert_eq!(ids, [4, 3]);
    let here = store
        .find_named_turns(Some(OTHER), None, 9)
        .wait()
        .expect("read");
    assert_eq!(here.len(), 1);
}

#[test]
fn spending_is_added_up_by_day_channel_function_and_model() {
    let store = memory();
    let channels = vec![ChatEvent::Channel(group_channel(TALK, None, "talk"))];
    store_all(&store, channels);
    let day = 86_400_000;
    let spends = [
        (0, TALK, "turn", 9.0),
        (10 * day, TALK, "turn", 1.0),
        (10 * day + 5, TALK, "judge", 0.5),
        (11 * day, OTHER, "turn", 3.0),
    ];
    for (at, channel, function, cost) in spends {
        let spend = ModelSpend {
            at,
            model: "m".into(),
            channel,
            function: function.into(),
            usage: TokenUsage {
                prompt: 10,
                cached: 4,
                completion: 2,
                ..TokenUsage::default()
            },
            cost,
        };
        store.save_spend(spend).wait().expect("saved");
    }
    let totals = store.load_spend_totals(10 * day, 1).wait().expect("read");
    let days: Vec<_> = totals
        .days
        .iter()
        .map(|it| (it.day, &*it.label, it.cost))
        .collect();
    assert_eq!(
        days,
        [(10, "judge", 0.5), (10, "turn", 1.0), (11, "turn", 3.0)]
    );
    let dearest: Vec<_> = totals
        .channels
        .iter()
        .map(|it| (&*it.label, &*it.name, it.cost))
        .collect();
    assert_eq!(dearest, [(&*OTHER.to_string(), "", 3.0)]);
    let functions: Vec<_> = totals
        .functions
        .iter()
        .map(|it| (&*it.label, it.calls, it.prompt))
        .collect();
    assert_eq!(functions, [("turn", 2, 20), ("judge", 1, 10)]);
    assert_eq!(
        (totals.models[0].cached, totals.models[0].completion),
        (12, 6)
    );
}

#[test]
fn when_a_channel_was_heard_and_spoken_in_last_is_known_of_every_one_on_record() {
    let store = memory();
    let channels = [TALK, OTHER].map(|id| ChatEvent::Channel(group_channel(id, None, "a name")));
    store_all(&store, channels.into());
    store_all(
        &store,
        vec![says_at(TALK, 5, anna(), 10), says_at(TALK, 6, anna(), 20)],
    );
    let unsent = outgoing("7-2", 1);
    store
        .journal(OutgoingAction { at: 70, ..unsent })
        .wait()
        .expect("journaled");
    store.journal(outgoing("7-1", 1)).wait().expect("journaled");
    store.settle("7-1", own(8)).wait().expect("settled");
    let recent = |recency| {
        let mut known = store.load_channels(recency).wait().expect("read");
        known.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        known
    };
    assert_eq!(recent(ChannelRecency::Heard)[0].0.id, TALK);
    assert_eq!(recent(ChannelRecency::Spoken)[0].1, 50);
    let all = recent(ChannelRecency::Any);
    assert!(all.iter().all(|(_, number)| *number == 0));
    let channels = all.into_iter().map(|(channel, _)| channel).collect();
    let known = store.load_channel_activity(channels).wait().expect("read");
    let of = |id| {
        let mut known = known.iter();
        known.find(|it| it.channel.id == id).expect("listed")
    };
    assert_eq!(of(TALK).spoke, Some(50), "what was not sent does not count");
    assert_eq!((of(OTHER).heard, of(OTHER).spoke), (None, None));
    assert!(of(TALK).heard.is_some());
    assert_eq!(
        store.find_channel_name(TALK).wait().expect("read"),
        "a name"
    );
    assert_eq!(
        store
            .find_channel_name(ChannelId(999))
            .wait()
            .expect("read"),
        ""
    );
}
