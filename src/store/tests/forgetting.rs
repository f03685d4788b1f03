//! What is deleted is gone from every file, whatever it said.

use proptest::prelude::*;

use super::*;

#[test]
fn a_deleted_text_is_gone_from_every_file() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let secret = "the vault opens with xylophonequartz & \"plumtoad\"";
    store_all(
        &store,
        (1..=200)
            .map(|id| said(TALK, id, &format!("small talk number {id}")))
            .collect(),
    );
    store_all(
        &store,
        vec![
            said(TALK, 300, secret),
            said(TALK, 301, "my first thought was brambleknocker"),
        ],
    );
    store_all(
        &store,
        (400..=600)
            .map(|id| said(TALK, id, &format!("more talk number {id}")))
            .collect(),
    );
    let shown = "12 Anna: the vault opens with xylophonequartz &amp; \"plumtoad\"\n13 Anna: my first thought was brambleknocker\n14 Bob: hm";
    let prompt = StoredPrompt {
        ask: 1,
        model: "m".into(),
        parts: Vec::new(),
        system: "you are Juno".into(),
        user: shown.into(),
    };
    let raw = "<turn><thoughts>she said: the vault opens with xylophonequartz &amp; \"plumtoad\"</thoughts></turn>";
    store
        .save_turn(turn(1, TALK, raw), vec![prompt])
        .wait()
        .expect("saved");
    store.scrub().wait().expect("scrubbed");
    assert!(
        !files_with(&path, "xylophonequartz").is_empty(),
        "else this test shows nothing"
    );

    store_all(
        &store,
        vec![deleted(TALK, 300), edited(TALK, 301, "never mind")],
    );
    store.scrub().wait().expect("scrubbed");
    for word in [
        "xylophonequartz",
        "plumtoad",
        "brambleknocker",
        "xylophone",
        "bramblek",
    ] {
        assert_eq!(files_with(&path, word), [] as [&str; 0], "{word}");
    }
    let kept = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert_eq!(kept.prompts[0].system, "you are Juno");
    assert!(
        kept.prompts[0].user.ends_with("\n14 Bob: hm"),
        "what others said stays: {}",
        kept.prompts[0].user
    );
    assert!(kept.report.rounds[0].raw.contains("[erased"));
}

#[test]
fn a_turn_that_ran_while_a_message_was_deleted_is_kept_without_it() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        vec![said(TALK, 300, "the vault opens with xylophonequartz")],
    );
    store_all(&store, vec![deleted(TALK, 300)]);
    let user = "12 Anna: the vault opens with xylophonequartz".into();
    let prompt = StoredPrompt {
        ask: 1,
        model: "m".into(),
        parts: Vec::new(),
        system: "you are Juno".into(),
        user,
    };
    store
        .save_turn(
            turn(1, TALK, "the vault opens with xylophonequartz, she says"),
            vec![prompt],
        )
        .wait()
        .expect("saved");
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with(&path, "xylophonequartz"), [] as [&str; 0]);
}

/// A turn whose model quoted a part of a message wherever it can.
fn quoting(id: u64, channel: ChannelId) -> TurnReport {
    let quote = "Anna said her secret is XYLOPHONIST";
    let mut quoting = turn(id, channel, &format!("<turn>{quote}</turn>"));
    let params =
        serde_json::json!({ "reason": quote, "Xylophonist": [quote, { "code": 471_108 }] });
    let result = ToolResult {
        details: Some(serde_json::json!({ "found": [quote] })),
        ..ToolResult::ok(quote)
    };
    let call = |name: &str, kind| CallReport {
        call: ToolCall {
            name: name.into(),
            params: params.as_object().cloned().expect("an object"),
        },
        kind,
        result: Some(result.clone()),
        message: None,
        hindrance: None,
        at: 1,
    };
    quoting.rounds[0].thoughts = quote.into();
    quoting.rounds[0].repairs = vec![quote.into()];
    quoting.rounds[0].failure = Some(ModelFailure {
        message: quote.into(),
        ..ModelFailure::default()
    });
    quoting.rounds[0].calls = vec![
        call("stay_silent", Some(ToolKind::Visible)),
        call("tell_xylophonist", None),
    ];
    quoting.outcome = TurnOutcome::Silent(quote.into());
    quoting.notes = vec![quote.into()];
    quoting
}

#[test]
fn a_part_of_a_deleted_message_that_the_model_quoted_is_gone_in_any_case() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        vec![
            said(TALK, 1, "my secret is xylophonist, code 471108"),
            said(TALK, 2, "visible stay_silent"),
        ],
    );
    let user = "1 Anna: my secret is xylophonist, code 471108\n2 Bob: hm\nyou thought: she is a Xylophonist";
    let prompt = StoredPrompt {
        ask: 1,
        user: user.into(),
        system: "you are Juno".into(),
        ..StoredPrompt::default()
    };
    store
        .save_turn(quoting(1, TALK), vec![prompt.clone()])
        .wait()
        .expect("saved");
    // It was recalled in another channel, so that the model may quote it there; a third one never saw it.
    store
        .save_turn(quoting(2, OTHER), vec![prompt])
        .wait()
        .expect("saved");
    store
        .save_turn(turn(3, ChannelId(12), "the xylophonequartz band"), vec![])
        .wait()
        .expect("saved");
    store_all(&store, vec![deleted(TALK, 1), deleted(TALK, 2)]);
    store
        .save_turn(quoting(4, TALK), vec![])
        .wait()
        .expect("saved");
    store.scrub().wait().expect("scrubbed");
    for bytes in read_everything(&path) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("xylophonist") && !text.contains("471108"));
    }
    for id in [1, 2, 4] {
        let kept = store.turn(TurnId(id)).wait().expect("read").expect("there");
        assert!(
            kept.report.rounds[0]
                .thoughts
                .starts_with("Anna said her secret is [erased"),
            "everyday words stay"
        );
        let call = &kept.report.rounds[0].calls[0];
        assert_eq!(
            (call.call.name.as_str(), call.kind),
            ("stay_silent", Some(ToolKind::Visible))
        );
    }
    let kept = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert!(
        kept.prompts[0]
            .user
            .contains("\n2 Bob: hm\nyou thought: she is a [erased"),
        "{}",
        kept.prompts[0].user
    );
    let other = store.turn(TurnId(3)).wait().expect("read").expect("there");
    assert_eq!(other.report.rounds[0].raw, "the xylophonequartz band");
}

/// Makes a turn's report one that nobody can read: whoever opens it throws it away.
fn make_unreadable(path: &Path, turn: u64) {
    let sql = format!(
        "CREATE TEMPORARY TABLE kept AS SELECT * FROM turn_signatures WHERE turn = {turn};
         UPDATE turns SET report = '?' WHERE turn = {turn}; INSERT INTO turn_signatures SELECT * FROM kept;
         DROP TABLE kept"
    );
    change_tables(path, &sql, &sql);
}

fn has_turn(store: &Store, turn: u64) -> bool {
    // One that cannot be read is there all the same.
    !matches!(store.turn(TurnId(turn)).wait(), Ok(None))
}

#[test]
fn a_deletion_opens_the_turns_that_may_show_the_message_and_no_other() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let text = "my secret is a xylophone of glass";
    store_all(&store, vec![said(TALK, 1, text), said(TALK, 2, "we will all be there by noon")]);
    let prompt = |user: &str| StoredPrompt {
        user: user.into(),
        ..StoredPrompt::default()
    };
    for (id, shown) in [(1, "1 Anna: my secret is\n a xylophone of glass"), (2, "nothing")] {
        let told = turn(id, TALK, "we sing");
        store.save_turn(told, vec![prompt(shown)]).wait().expect("saved");
        make_unreadable(&path, id);
    }
    store_all(&store, vec![deleted(TALK, 2)]);
    assert_eq!([1, 2].map(|id| has_turn(&store, id)), [true, true]);
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!([1, 2].map(|id| has_turn(&store, id)), [false, true]);
}

#[test]
fn turns_of_an_earlier_version_are_looked_into_until_they_are_signed_in_small_steps() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "we will all be there by noon")]);
    for id in 1..=120 {
        drop(store.save_turn(turn(id, TALK, "a xylophone, she says"), Vec::new()));
    }
    store.scrub().wait().expect("all saved");
    let forget = "DELETE FROM turn_signatures";
    change_tables(&path, forget, forget);
    make_unreadable(&path, 60);
    store_all(&store, vec![said(TALK, 2, "we will all be there"), deleted(TALK, 2)]);
    assert!(!has_turn(&store, 60), "nobody knows what it shows");
    let (mut next, mut steps) = (Some(TurnId(0)), 0);
    while let Some(from) = next {
        next = store.sign_turns(from).wait().expect("signed");
        steps += 1;
    }
    assert_eq!(steps, 3);
    [1, 120].into_iter().for_each(|id| make_unreadable(&path, id));
    store_all(&store, vec![deleted(TALK, 1)]);
    assert!(has_turn(&store, 1) && has_turn(&store, 120), "they need not be read");
}

#[test]
fn a_deletion_reaches_all_of_very_many_turns() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "my secret is a xylophone of glass")]);
    for id in 1..=2_100 {
        let raw = if id % 1_050 == 0 { "a xylophone, she says" } else { "we sing" };
        drop(store.save_turn(turn(id, TALK, raw), Vec::new()));
    }
    store_all(&store, vec![deleted(TALK, 1)]);
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with(&path, "xylophone"), [] as [&str; 0]);
}

#[test]
fn an_edit_leaves_standing_what_the_message_still_says() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "flying tommorow from Heathrow")]);
    store
        .save_turn(turn(1, TALK, "tommorow she is at Heathrow"), vec![])
        .wait()
        .expect("saved");
    store_all(
        &store,
        vec![edited(TALK, 1, "flying tomorrow from Heathrow")],
    );
    let kept = store.turn(TurnId(1)).wait().expect("read").expect("there");
    assert!(
        kept.report.rounds[0].raw.ends_with(" she is at Heathrow"),
        "{}",
        kept.report.rounds[0].raw
    );
    assert!(kept.report.rounds[0].raw.starts_with("[erased"));
}

#[test]
fn nothing_of_many_deleted_and_edited_texts_is_left_between_the_rows() {
    let (_folder, path) = on_disk();
    if find_server_rows(&path, b"").is_some() {
        // Its pages are the server's.
        return;
    }
    let store = open(&path);
    // Words of different length in a scattered order, so that pages of tables and index are split and merged.
    let word = |id: u64| format!("secretword{:x}end", id.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let scattered = (0..6_000).map(|n| n * 2_741 % 6_000);
    let text = |id: u64| format!("{} {}", "filler ".repeat((id % 60) as usize), word(id));
    for start in (0..6_000).step_by(60) {
        drop(
            store.append(
                (start..start + 60)
                    .map(|id| said(TALK, id + 1, &text(id)))
                    .collect(),
            ),
        );
    }
    for id in scattered.clone().filter(|id| id % 7 == 0) {
        drop(store.append(vec![edited(
            TALK,
            id + 1,
            &"changed ".repeat((id % 90) as usize + 1),
        )]));
    }
    for id in scattered.filter(|id| id % 3 == 1) {
        drop(store.append(vec![deleted(TALK, id + 1)]));
    }
    store.scrub().wait().expect("scrubbed");
    let gone = (0..6_000).filter(|id| id % 7 == 0 || id % 3 == 1);
    // Index terms share their beginnings, so the end of a word is looked for as well.
    let bytes: Vec<u8> = read_everything(&path).concat();
    let mut seen = std::collections::HashSet::new();
    for window in bytes.windows(12) {
        seen.insert(window);
    }
    let left: Vec<u64> = gone
        .filter(|id| seen.contains(&word(*id).as_bytes()[word(*id).len() - 12..]))
        .collect();
    assert_eq!(left, [] as [u64; 0], "{} of them", left.len());
}

#[test]
fn old_messages_and_turns_are_pruned_and_leave_nothing() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(
        &store,
        (1..=1_200)
            .map(|id| said(TALK, id, &format!("oldword{id}x")))
            .collect(),
    );
    store
        .save_decisions(vec![decision(TALK, 5, 0.5)])
        .wait()
        .expect("saved");
    store
        .save_turn(turn(1, TALK, "oldturn"), vec![])
        .wait()
        .expect("saved");
    let mut gone = Vec::new();
    while gone.last() != Some(&0) {
        gone.push(store.prune(1_000_500).wait().expect("pruned"));
    }
    assert_eq!(gone.iter().sum::<usize>(), 1_001);
    assert!(gone.len() > 2, "in small steps");
    assert_eq!(
        store
            .load_history(TALK, None, 9_999)
            .wait()
            .expect("read")
            .len(),
        200
    );
    assert_eq!(find(&store, "oldword1000x oldword1001x"), [1_001]);
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with(&path, "oldturn"), [] as [&str; 0]);
    assert_eq!(files_with(&path, "oldword5x"), [] as [&str; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_kept_searched_for_edited_and_deleted(
        text in "\\PC{0,40}|[\"*():^ a猫ー\\x00-]{0,20}",
        changed in "\\PC{0,20}",
    ) {
        let store = memory();
        store_all(&store, vec![said(TALK, 1, &text), said(TALK, 2, "another line")]);
        store.search(search(&text, &[TALK, OTHER])).wait().expect("searched");
        prop_assert_eq!(&*store.load_history(TALK, None, 9).wait().expect("read")[0].message.text, &*to_kept(&text));
        store.save_turn(turn(1, TALK, &text), vec![]).wait().expect("saved");
        store_all(&store, vec![edited(TALK, 1, &changed), deleted(TALK, 1)]);
        let found = store.search(search(&format!("{text} {changed}"), &[TALK])).wait().expect("searched");
        prop_assert!(!ids(&found).contains(&1));
        prop_assert_eq!(find(&store, "another"), [2]);
    }
}

#[test]
fn what_was_made_of_a_message_goes_though_the_clock_was_behind_the_platforms() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    // Two hours later by the platform's clock than all that was made of it by this machine's.
    store_all(
        &store,
        vec![said(TALK, 7_200, "the vault opens with xylophonequartz")],
    );
    let note = StoredBlock {
        label: "people".into(),
        text: "Anna has a xylophonequartz\nBob cooks".into(),
        limit: 600,
        updated_at: 1,
    };
    store
        .put_core_memory("channel:10", note)
        .wait()
        .expect("put");
    let raw = "the vault opens with xylophonequartz, she says";
    let saved = store.save_turn(turn(1, TALK, raw), Vec::new());
    saved.wait().expect("saved");
    store_all(&store, vec![deleted(TALK, 7_200)]);
    store.scrub().wait().expect("scrubbed");
    assert_eq!(files_with(&path, "xylophonequartz"), [] as [&str; 0]);
    let blocks = store.load_core_memory("channel:10").wait().expect("read");
    assert_eq!(blocks[0].text, "Bob cooks");
}

#[test]
fn telling_words_go_from_a_prompt_of_the_channel_though_the_turn_tells_none() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![said(TALK, 1, "my secret is xylophonist, code 471108")]);
    let prompt = StoredPrompt {
        ask: 1,
        user: "earlier: the xylophonist (471108) left\n2 Bob: hm".into(),
        ..StoredPrompt::default()
    };
    let saved = store.save_turn(turn(1, TALK, "hm"), vec![prompt]);
    saved.wait().expect("saved");
    store_all(&store, vec![deleted(TALK, 1)]);
    store.scrub().wait().expect("scrubbed");
    for word in ["xylophonist", "471108"] {
        assert_eq!(files_with(&path, word), [] as [&str; 0], "{word}");
    }
}
