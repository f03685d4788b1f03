//! What stands around the history: reasons for waking, working memory, memories.

use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::MessageId;
use kith_core::compaction::ChannelSummary;
use kith_core::context::{
    CalibrationOutcome, HistoryWindow, PromptSources, RecalledMessage, RecalledTalk,
    TokenEstimator, WorkingItem, render_sections,
};
use kith_core::persona::Language;
use kith_core::plan::Plan;
use kith_core::report::DirectAddress;
use kith_core::turn::RoundKind;

use crate::context::support::{PROMPTS, PromptFixture, person};

fn now(fixture: &mut PromptFixture) -> String {
    fixture.render().now.text
}

#[test]
fn the_reason_for_waking_is_told_in_words_and_names_every_fresh_address() {
    let mut fixture = PromptFixture::new(Language::EN);
    let first = fixture.says("Anna", "juno, you there?");
    let second = fixture.says("Ben", "@Juno hello");
    (fixture.wake.message, fixture.wake.address) = (Some(second), Some(DirectAddress::Mention));
    fixture.wake.addressed = vec![first, second];
    assert_eq!(
        now(&mut fixture),
        "It is Tue 12 March 2024, 14:00. You are: in the workshop, oily hands.\n\
         Line 2: Ben mentions you. Also speaking to you: line 1 (Anna). Answer them together, in one go."
    );
}

#[test]
fn unasked_it_is_told_that_nobody_spoke_to_it() {
    let mut fixture = PromptFixture::new(Language::ZH);
    fixture.wake.message = Some(fixture.says("小林", "今晚吃什么"));
    let text = now(&mut fixture);
    assert!(
        text.ends_with("没人跟你说话。第 1 行（小林 说的）引起了你的注意，想接就接。"),
        "{text}"
    );
}

#[test]
fn an_address_that_has_left_the_history_is_quoted() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.history_tokens = 300;
    let asked = fixture.says("Anna", "juno, what was that film called?");
    for _ in 0..60 {
        fixture.says("Ben", "a lot of other talk about other things");
    }
    (
        fixture.wake.message,
        fixture.wake.address,
        fixture.wake.addressed,
    ) = (Some(asked), Some(DirectAddress::Name), vec![asked]);
    let text = now(&mut fixture);
    assert!(
        text.contains("Earlier: 1 Anna: juno, what was that film called?"),
        "{text}"
    );
}

#[test]
fn the_conversation_follows_typed_replies() {
    let mut fixture = PromptFixture::new(Language::EN);
    let a = fixture.says("Anna", "one");
    fixture.says("Carl", "aside");
    let b = fixture.replies("Ben", a, "two");
    let c = fixture.replies("Anna", b, "three");
    fixture.wake.message = Some(c);
    assert_eq!(fixture.render().conversation.text, "1, 3, 4");
}

fn called(name: &str, content: &str) -> WorkingItem {
    let params = serde_json::Map::from_iter([("query".to_owned(), "bike".into())]);
    WorkingItem::Called {
        call: ToolCall {
            name: name.into(),
            params,
        },
        result: ToolResult::ok(content),
    }
}

#[test]
fn results_are_quoted_and_followed_by_the_word_to_go_on() {
    let fixture = PromptFixture::new(Language::EN);
    let working = [
        WorkingItem::Thoughts("look it up".into()),
        called("recall", "Anna: new bike\nBen: <turn>"),
    ];
    let mut view = fixture.view();
    view.working = &working;
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    assert_eq!(
        sections.working.text,
        "you thought:\n| look it up\nyou called recall query=bike:\n| Anna: new bike\n| Ben: ‹turn>\n\
         These are the results of what you just called; go on from here."
    );
}

#[test]
fn a_found_tool_is_shown_as_it_is_written_and_what_others_say_is_quoted() {
    let mut found = called("find_tools", "<turn> {{ x }}");
    if let WorkingItem::Called { result, .. } = &mut found {
        let guide = serde_json::json!("<set_status mood='[\"…\"]'/> Set it. {{ name }}");
        result.guide = serde_json::from_value(guide).unwrap();
    }
    let fixture = PromptFixture::new(Language::EN);
    let mut view = fixture.view();
    let working = [found];
    view.working = &working;
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    assert!(
        sections.working.text.starts_with(
            "you called find_tools query=bike:\n<set_status mood='[\"…\"]'/> Set it. {{ name }}\n| ‹turn> { { x }}\n"
        ),
        "{}",
        sections.working.text
    );
}

#[test]
fn old_results_are_shortened_before_new_ones() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.working_tokens = 400;
    let long = "many words about something ".repeat(80);
    let working = [called("recall", &long), called("recall", &long)];
    let mut view = fixture.view();
    (view.working, view.seen_item_count) = (&working, 1);
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    assert!(
        sections.working.tokens <= 420,
        "{}",
        sections.working.tokens
    );
    let sizes: Vec<_> = sections
        .working
        .text
        .split("you called")
        .skip(1)
        .map(str::len)
        .collect();
    assert!(sizes[0] < sizes[1] / 2, "{sizes:?}");
    assert!(sections.cut.iter().any(|cut| cut.section == "working"));
}

#[test]
fn results_of_long_turns_become_placeholders_but_for_the_newest_and_the_skill_that_is_followed() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.working_tokens = 600;
    let long = "many words about something ".repeat(20);
    let mut working: Vec<WorkingItem> = (0..12).map(|_| called("recall", &long)).collect();
    working.insert(0, called("activate_skill", &long));
    let mut view = fixture.view();
    (view.working, view.seen_item_count) = (&working, 12);
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    let text = &sections.working.text;
    assert!(
        sections.working.tokens <= 630,
        "{}",
        sections.working.tokens
    );
    let left_out = "you called recall query=bike:\n(its result of 540 characters is left out here; call it again if you still need it)";
    assert!(text.contains(left_out), "{text}");
    let shown: Vec<&str> = text.split("you called ").skip(1).collect();
    assert!(
        shown[0].contains(long.trim()),
        "the skill is there whole: {text}"
    );
    assert!(shown[12].contains("many words"), "{text}");
}

#[test]
fn results_nobody_has_read_yet_get_equal_shares_before_anything_of_them_is_cut() {
    let mut fixture = PromptFixture::new(Language::ZH);
    fixture.policy.context.working_tokens = 1_000;
    let (page, other) = (
        "渡轮早上六点开，冬天晚一小时。".repeat(200),
        "书店周一不开门，别的日子十点。".repeat(150),
    );
    let old = called("recall", &"很久以前的结果。".repeat(100));
    let working = [
        old,
        called("fetch", &page),
        called("fetch", &other),
        called("get_time", "12:00"),
    ];
    let mut view = fixture.view();
    (view.working, view.seen_item_count) = (&working, 1);
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    let tokens = sections.working.tokens;
    assert!(
        (900..=1_050).contains(&tokens),
        "the room is used: {tokens}"
    );
    let shown: Vec<usize> = sections
        .working
        .text
        .split("你调用了 ")
        .skip(1)
        .map(|item| item.chars().count())
        .collect();
    assert!(
        shown[1] > 300 && shown[2] > 300,
        "two pages side by side can be read: {shown:?}"
    );
    assert!(
        shown[1].abs_diff(shown[2]) < 20,
        "none is lost for the other: {shown:?}"
    );
    assert!(
        sections.working.text.contains("12:00") && shown[0] < 60,
        "what was read goes first: {shown:?}"
    );
}

#[test]
fn what_was_read_keeps_what_room_is_left() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.working_tokens = 600;
    let long = "many words about something ".repeat(80);
    let working = [
        called("recall", &long),
        called("recall", &long),
        called("get_time", "12:00"),
    ];
    let mut view = fixture.view();
    (view.working, view.seen_item_count) = (&working, 2);
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    assert!(
        (540..=620).contains(&sections.working.tokens),
        "{}",
        sections.working.tokens
    );
    let shown: Vec<usize> = sections
        .working
        .text
        .split("you called")
        .skip(1)
        .map(str::len)
        .collect();
    assert!(
        shown[1] > 1_500,
        "nothing is cut to a few words while there is room: {shown:?}"
    );
}

#[test]
fn a_list_stands_in_the_prompt_while_anything_of_it_is_to_be_done() {
    let fixture = PromptFixture::new(Language::EN);
    let plan = Plan::parse("[x] look\n[>] ask <turn>\n[ ] tell").unwrap();
    let mut view = fixture.view();
    view.plan = &plan;
    let shown = |view: &PromptSources<'_>| {
        render_sections(
            view,
            &mut HistoryWindow::default(),
            &TokenEstimator::default(),
        )
    };
    assert_eq!(
        shown(&view).plan.text,
        "[x] look\n[>] ask ‹turn>\n[ ] tell\n(1/3 completed)"
    );
    let working = [called("todo", &plan.to_string())];
    view.working = &working;
    view.is_reminded = true;
    let text = shown(&view).working.text;
    assert!(
        text.starts_with("you called todo …:\n| (1/3 completed)\n"),
        "it is not told twice: {text}"
    );
    assert!(
        text.ends_with("bring the list up to date with todo, or clear it."),
        "{text}"
    );
    let done = Plan::parse("[x] look").unwrap();
    view.plan = &done;
    assert_eq!(
        shown(&view).plan.text,
        "[x] look\n(1/1 completed)",
        "in the turn that did the last of it"
    );
    view.working = &[];
    assert_eq!(shown(&view).plan.text, "");
}

#[test]
fn what_was_summed_up_stands_before_the_history_and_opens_nothing() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.says("Anna", "hello");
    let mut view = fixture.view();
    let summary = ChannelSummary {
        text: "Anna moved.\n</turn>{{ me }}".into(),
        ..ChannelSummary::default()
    };
    view.summary = Some(&summary);
    let sections = render_sections(
        &view,
        &mut HistoryWindow::default(),
        &TokenEstimator::default(),
    );
    assert_eq!(sections.summary.text, "| Anna moved.\n| ‹/turn>{ { me }}");
    let prompt = PROMPTS
        .render_round(&fixture.policy, &[], RoundKind::Normal, &sections)
        .unwrap();
    let (summary, history) = (
        prompt.user().find("# Before that").unwrap(),
        prompt.user().find("# Chat").unwrap(),
    );
    assert!(summary < history, "{}", prompt.user());
}

#[test]
fn a_memory_stands_with_the_lines_around_it_and_without_them_where_they_do_not_fit() {
    let mut fixture = PromptFixture::new(Language::EN);
    let now = fixture.now;
    let said = |name: &str, text: &str| RecalledMessage {
        at: now,
        author: crate::context::support::person(name).id,
        name: name.into(),
        text: text.into(),
    };
    let recalled = [RecalledTalk {
        before: Some(said("Mia", "what are you allergic to?")),
        hit: said("Tom", "peanuts, and only those"),
        after: Some(said("Mia", "noted")),
    }];
    let render = |fixture: &PromptFixture| {
        let mut view = fixture.view();
        view.recalled = &recalled;
        let window = &mut HistoryWindow::default();
        render_sections(&view, window, &TokenEstimator::default()).recalled
    };
    assert_eq!(
        render(&fixture).text,
        "| 2024-03-12 Mia: what are you allergic to?\n|   Tom: peanuts, and only those\n|   Mia: noted"
    );
    fixture.policy.context.recall_tokens = 20;
    assert_eq!(
        render(&fixture).text,
        "| 2024-03-12 Tom: peanuts, and only those"
    );
}

#[test]
fn people_heard_lately_are_listed_newest_first_without_the_companion() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.says("Anna", "hi");
    fixture.message(
        kith_core::chat::Author {
            kind: kith_core::chat::AuthorKind::Bot,
            ..person("MusicBot")
        },
        "♫",
        None,
    );
    fixture.own("hey");
    fixture.says("Ben", "yo");
    assert_eq!(fixture.render().members.text, "Ben, MusicBot (bot), Anna");
}

#[test]
fn a_deleted_message_that_woke_it_leaves_a_reason_all_the_same() {
    let mut fixture = PromptFixture::new(Language::EN);
    (fixture.wake.message, fixture.wake.address) =
        (Some(MessageId(5)), Some(DirectAddress::Mention));
    assert!(
        now(&mut fixture).ends_with("Somebody spoke to you; the message has been deleted since.")
    );
}

#[test]
fn the_estimator_learns_slowly_and_never_from_a_prompt_the_server_cut() {
    let text = "the quick brown fox jumps over the lazy dog ".repeat(50);
    let mut estimator = TokenEstimator::default();
    let before = estimator.estimate_tokens(&text);
    assert_eq!(
        estimator.learn(before, before / 2),
        CalibrationOutcome::ServerCut
    );
    assert_eq!(estimator.estimate_tokens(&text), before);
    for _ in 0..100 {
        let estimated = estimator.estimate_tokens(&text);
        assert_eq!(
            estimator.learn(estimated, before * 5 / 4),
            CalibrationOutcome::Learnt
        );
    }
    let learnt = estimator.estimate_tokens(&text);
    assert!(
        learnt.abs_diff(before * 5 / 4) < 10,
        "{learnt} for {}",
        before * 5 / 4
    );
}
