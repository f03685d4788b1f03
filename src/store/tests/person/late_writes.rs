//! What the companion saves of a person while they are being forgotten, or soon after, is cleaned as well.

use super::*;

#[test]
fn what_is_saved_late_is_cleaned_as_well() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    forget(&store, None);
    let state = json!({ "last": MIRA.to_string() });
    store
        .save_channel_states(BTreeMap::from([(OTHER, state.to_string())]), AT)
        .wait()
        .expect("saved");
    shown(&store, 8, TALK);
    store
        .save_decisions(vec![decision(TALK, 1, 0.5)])
        .wait()
        .expect("saved");
    assert_eq!(
        store
            .restore(OTHER, 1)
            .wait()
            .expect("read")
            .state
            .as_deref(),
        Some(r#"{"last":"0"}"#)
    );
    let kept = store.turn(TurnId(8)).wait().expect("read").expect("there");
    assert!(kept.prompts.is_empty() && kept.report.rounds[0].raw.starts_with("[erased"));
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_holding(&path, &MIRA.to_be_bytes()), [] as [&str; 0]);
    assert_eq!(files_with(&path, "xylophonequartz"), [] as [&str; 0]);
}

#[test]
fn a_real_lane_can_be_put_back_after_somebody_in_it_was_forgotten() {
    let store = memory();
    let weights = Weights::load_embedded();
    let mut state = SavedChannelState::default();
    let listener = AddressMatcher::new(
        UserId(99),
        &["Juno".into()],
        &Persona::default(),
        ChannelKind::Group,
    );
    let talk = [
        (mira(), "Juno, are you there?"),
        (person(2, "Bob"), "she sleeps, Mirabelle"),
        (mira(), "pity"),
    ];
    for (id, (author, text)) in (1..).zip(talk) {
        let ChatEvent::Message(message) = says(TALK, id, author, text) else {
            unreachable!()
        };
        state.sense.score_message(&message, &listener, &weights);
        store_all(&store, vec![ChatEvent::Message(message)]);
    }
    let json = serde_json::to_string(&state).expect("written");
    assert!(
        json.contains(&MIRA.to_string()),
        "else this test shows nothing"
    );
    store
        .save_channel_states(BTreeMap::from([(TALK, json)]), 1)
        .wait()
        .expect("saved");
    forget(&store, None);
    let kept = store
        .restore(TALK, 9)
        .wait()
        .expect("read")
        .state
        .expect("saved");
    assert!(!kept.contains(&MIRA.to_string()), "{kept}");
    let back: SavedChannelState = serde_json::from_str(&kept).expect("a channel can read it");
    assert_eq!(back.seen, state.seen);
}

#[test]
fn what_the_companion_still_says_and_notes_of_them_is_cleaned_on_its_way_in() {
    let (_folder, path) = on_disk();
    let store = create_filled_store(&path);
    let others = edited(TALK, 4, "she is right about the pineapples");
    store_all(
        &store,
        vec![others, says(TALK, 11, mira(), "and the wobblegrommet")],
    );
    forget(&store, None);
    let ChatEvent::Message(line) =
        says(TALK, 30, juno(), "Mirabelle, that WOBBLEGROMMET of yours!")
    else {
        unreachable!()
    };
    let line = Message {
        at: AT,
        mentions: vec![UserId(MIRA)],
        ..line
    };
    let stored = store_all(&store, vec![ChatEvent::Message(line.clone())]).remove(0);
    let erased = "[erased: a message that was deleted or edited]";
    assert!(stored.new);
    assert_eq!(
        stored.says.as_deref(),
        Some(&*format!("someone, that {erased} of yours!"))
    );
    let settled = store
        .settle(
            "3.1",
            ChatEvent::Message(Message {
                id: MessageId(31),
                ..line
            }),
        )
        .wait()
        .expect("settled");
    assert_eq!(settled.says, stored.says);
    let text = "Bob cooks\nMirabelle sings\nwobblegrommets are fine\npineapples are fine";
    let note = |updated_at| StoredBlock {
        label: "people".into(),
        text: text.into(),
        limit: 600,
        updated_at,
    };
    store
        .put_core_memory("guild:77", note(AT))
        .wait()
        .expect("put");
    let blocks = store.load_core_memory("guild:77").wait().expect("read");
    assert_eq!(blocks[0].text, "Bob cooks\npineapples are fine");
    assert_eq!(left_of_mira(&path), [] as [&str; 0]);
    assert_eq!(files_with(&path, "obblegrommet"), [] as [&str; 0]);
    let anew = AT + 60_000;
    store
        .put_core_memory("guild:77", note(anew))
        .wait()
        .expect("put");
    assert_eq!(
        store.load_core_memory("guild:77").wait().expect("read")[0].text,
        text,
        "whoever comes again is a stranger"
    );
}

#[test]
fn whoever_nothing_kept_refers_to_is_known_no_more() {
    let store = memory();
    let wrote = |id, who: u64, name: &str| says(TALK, id, person(who, name), "hello");
    let mut mention = wrote(2_000, 7, "Writes");
    let ChatEvent::Message(message) = &mut mention else {
        unreachable!()
    };
    message.mentions = vec![UserId(3)];
    let gone = [
        (1, "Gone"),
        (2, "Reacts"),
        (3, "Mentioned"),
        (4, "Chooses"),
        (5, "Awaited"),
        (6, "Remembered"),
    ];
    store_all(
        &store,
        gone.iter()
            .map(|(who, name)| wrote(*who, *who, name))
            .collect(),
    );
    store_all(
        &store,
        vec![mention, reacted(TALK, 2_000, person(2, "Reacts"))],
    );
    let place = OverrideScope::Channel(TALK);
    let set = OverrideRecord {
        place,
        choice: OverrideValue::Mode(ChannelMode::On),
        by: Some(UserId(4)),
        at: 1,
    };
    store.set_override(set).wait().expect("set");
    let waits = ScheduledIntent {
        person: Some(UserId(5)),
        expires: 90_000,
        note: "ask them".into(),
        ..ScheduledIntent::default()
    };
    store.put_intention(TALK, waits).wait().expect("kept");
    let block = StoredBlock {
        label: "people".into(),
        text: "remembered sings alto".into(),
        limit: 100,
        updated_at: 1,
    };
    store
        .put_core_memory("guild:1", block)
        .wait()
        .expect("kept");
    assert_eq!(store.prune_people().wait(), Ok(0), "all of it is there");
    store.prune(10_000).wait().expect("pruned");
    assert_eq!(store.prune_people().wait(), Ok(1));
    let known: Vec<u64> = store
        .people()
        .wait()
        .expect("read")
        .iter()
        .map(|person| person.id.0)
        .collect();
    assert_eq!(known, [2, 3, 4, 5, 6, 7]);
    store_all(&store, vec![wrote(3_000, 1, "Gone")]);
    assert_eq!(store.prune_people().wait(), Ok(0), "they are back");
}
