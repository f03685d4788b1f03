//! Tools that have a platform do something: what they refuse before it is asked, and what they ask it for.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use kith_core::call::ToolResult;
use kith_core::chat::{Author, AuthorKind, ChannelId, DAY, HOUR, MINUTE, MessageId, UserId};
use kith_core::persona::Language;
use kith_tools::{
    Authorization, HostCommand, HostResult, MemberProfile, NumberedLine, NumberedLines,
    ReminderRequest, ThreadRequest, ToolContext, ToolHost, ToolPermission, ToolRegistry,
};
use serde_json::{Value, json};

use crate::registry::{NOW, call, context};

/// A platform that writes down what it is asked for.
#[derive(Default)]
struct RecordingHost(Mutex<Vec<String>>);

impl RecordingHost {
    fn done(&self, what: String) -> HostResult<'_> {
        self.0.lock().unwrap().push(what);
        std::future::ready(Ok(())).boxed()
    }
}

impl ToolHost for RecordingHost {
    fn fetch_profile<'a>(
        &'a self,
        _: ChannelId,
        person: &'a Author,
    ) -> HostResult<'a, MemberProfile> {
        let profile = MemberProfile {
            name: person.name.to_string(),
            account: Some("anna_k".into()),
            roles: vec!["Bakers".into(), "Mods".into()],
            joined: Some(NOW - 30 * DAY),
            made: Some(NOW - 900 * DAY),
            is_bot: false,
        };
        std::future::ready(Ok(profile)).boxed()
    }

    fn edit_message<'a>(
        &'a self,
        _: ChannelId,
        message: MessageId,
        text: &'a str,
    ) -> HostResult<'a> {
        self.done(format!("edit {message}: {text}"))
    }

    fn delete_message(&self, _: ChannelId, message: MessageId) -> HostResult<'_> {
        self.done(format!("take back {message}"))
    }

    fn open_thread(&self, _: ChannelId, thread: ThreadRequest) -> HostResult<'_> {
        self.done(format!("{thread:?}"))
    }

    fn run_command(&self, _: ChannelId, _: Authorization, command: HostCommand) -> HostResult<'_> {
        self.done(match command {
            HostCommand::Post(enclosure) => format!("{enclosure:?}"),
            HostCommand::Remind(reminder) => format!("{reminder:?}"),
            HostCommand::Compact => "compact".to_owned(),
        })
    }
}

fn author(id: u64, name: &str, kind: AuthorKind) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind,
    }
}

struct ToolTest {
    recorder: Arc<RecordingHost>,
    context: ToolContext,
}

impl ToolTest {
    /// Line 1 is Anna's, 2 and 3 are its own, and Ben speaks to it.
    fn new() -> Self {
        let (anna, ben) = (
            author(5, "Anna", AuthorKind::Person),
            author(6, "Ben", AuthorKind::Person),
        );
        let own = author(1, "Juno", AuthorKind::Companion);
        let said = [(1, &anna), (2, &own), (3, &own)];
        let lines = said.map(|(number, author)| NumberedLine {
            number,
            message: MessageId(100 + u64::from(number)),
            author: author.clone(),
        });
        let recorder = Arc::new(RecordingHost::default());
        let (host, lines, causes) = (recorder.clone(), NumberedLines::new(lines), vec![ben]);
        Self {
            context: ToolContext {
                host,
                lines,
                causes,
                ..context(Language::EN)
            },
            recorder,
        }
    }

    async fn run(&self, name: &str, params: Value) -> ToolResult {
        ToolRegistry::load_builtin()
            .run(call(name, params), self.context.clone())
            .await
    }

    /// What the platform was asked for by a call that goes well.
    async fn asks(&self, name: &str, params: Value) -> String {
        let result = self.run(name, params).await;
        assert!(!result.is_error, "{}", result.content);
        self.recorder.0.lock().unwrap().pop().unwrap()
    }

    /// What the model is told of a call that asks nobody for anything.
    async fn refuses(&self, name: &str, params: Value) -> String {
        let result = self.run(name, params).await;
        assert!(
            result.is_error && self.recorder.0.lock().unwrap().is_empty(),
            "{}",
            result.content
        );
        result.content
    }
}

#[tokio::test]
async fn a_member_is_meant_by_a_line_or_a_name() {
    let test = ToolTest::new();
    for params in [json!({"line": 1}), json!({"name": "@anna"})] {
        let told = test.run("member_info", params).await.content;
        let expected =
            "Anna; account anna_k; roles: Bakers, Mods; joined 2026-01-30; account made 2023-09-13";
        assert_eq!(told, expected);
    }
    assert!(
        test.refuses("member_info", json!({"name": "Zoe"}))
            .await
            .contains("nobody called Zoe")
    );
    assert!(
        test.refuses("member_info", json!({"line": 9}))
            .await
            .contains("there is no line 9")
    );
    assert!(
        test.refuses("member_info", json!({}))
            .await
            .contains("name or line")
    );
}

#[tokio::test]
async fn its_newest_line_is_meant_where_it_names_none_and_never_anothers() {
    let test = ToolTest::new();
    assert_eq!(
        test.asks("edit_message", json!({"text": " better "})).await,
        "edit 103: better"
    );
    assert_eq!(
        test.asks("edit_message", json!({"text": "better", "line": 2}))
            .await,
        "edit 102: better"
    );
    assert_eq!(
        test.asks("delete_own_message", json!({})).await,
        "take back 103"
    );
    assert_eq!(
        test.refuses("delete_own_message", json!({"line": 1})).await,
        "line 1 is not yours"
    );
    assert!(
        test.refuses("edit_message", json!({"text": " "}))
            .await
            .contains("1 to 2000")
    );
    assert!(
        test.refuses("edit_message", json!({"text": "a".repeat(2_001)}))
            .await
            .contains("1 to 2000")
    );
}

#[tokio::test]
async fn a_thread_has_a_name_that_fits_and_may_start_at_any_line() {
    let test = ToolTest::new();
    let asked = test
        .asks(
            "create_thread",
            json!({"name": " film \n night ", "line": 1, "text": " so? "}),
        )
        .await;
    assert_eq!(
        asked,
        format!(
            "{:?}",
            ThreadRequest {
                name: "film night".into(),
                on: Some(MessageId(101)),
                text: "so?".into()
            }
        )
    );
    assert!(
        test.refuses("create_thread", json!({"name": "a".repeat(101)}))
            .await
            .contains("1 to 100")
    );
    assert!(
        test.refuses("create_thread", json!({"name": "x", "line": 7}))
            .await
            .contains("no line 7")
    );
}

#[tokio::test]
async fn a_poll_has_two_to_ten_different_answers_and_an_end() {
    let test = ToolTest::new();
    let poll = |answers: Value, hours: u32| json!({"question": "well?", "answers": answers, "hours": hours});
    let asked = test
        .asks("create_poll", poll(json!(["a", " a ", "b", ""]), 768))
        .await;
    assert!(
        asked.contains("answers: [\"a\", \"b\"], hours: 768, several: false"),
        "{asked}"
    );
    let many: Vec<String> = (0..11).map(|number| number.to_string()).collect();
    for (params, why) in [
        (poll(json!(["a", "a"]), 1), "2 to 10 different"),
        (poll(json!(many), 1), "2 to 10 different"),
        (poll(json!(["a", "b".repeat(56)]), 1), "longer than 55"),
        (poll(json!(["a", "b"]), 0), "from 1 to 768"),
        (poll(json!(["a", "b"]), 769), "from 1 to 768"),
        (
            json!({"question": "q".repeat(301), "answers": ["a", "b"]}),
            "1 to 300",
        ),
    ] {
        let told = test.refuses("create_poll", params).await;
        assert!(told.contains(why), "{told}");
    }
}

#[tokio::test]
async fn a_reminder_is_for_who_asked_or_who_wrote_a_line_by_minutes_clock_or_date() {
    let test = ToolTest::new();
    // It is 13:30:05 in Berlin.
    for (when, at) in [
        ("90", NOW + 90 * MINUTE),
        ("14:30", NOW + HOUR - 5_000),
        ("13:30", NOW + DAY - 5_000),
        ("2026-03-02 13:30", NOW + DAY - 5_000),
        ("2026-03-02T13:30:00", NOW + DAY - 5_000),
        ("in 20 minutes", NOW + 20 * MINUTE),
        ("tomorrow 1:30pm", NOW + DAY - 5_000),
        ("2026年3月2日下午一点半", NOW + DAY - 5_000),
    ] {
        let asked = test
            .asks("remind", json!({"text": "the cake", "when": when}))
            .await;
        let expected = ReminderRequest {
            at,
            text: "the cake".into(),
            recipient: Some((UserId(6), "Ben".into())),
            asked_by: Some(UserId(6)),
        };
        assert_eq!(asked, format!("{expected:?}"), "{when}");
    }
    for (params, minutes) in [
        (json!({"text": "the cake", "minutes": 20}), 20),
        (json!({"text": "the cake", "minutes": "20 min"}), 20),
        (json!({"text": "the cake", "hours": "2"}), 120),
        (json!({"text": "the cake", "hours": 1, "minutes": 30}), 90),
    ] {
        let asked = test.asks("remind", params.clone()).await;
        let at = format!("at: {}", NOW + minutes * MINUTE);
        assert!(asked.contains(&at), "{params}: {asked}");
    }
    let for_anna = test
        .asks(
            "remind",
            json!({"text": "the cake", "when": "5", "line": 1}),
        )
        .await;
    assert!(
        for_anna.contains("\"Anna\"") && for_anna.contains("asked_by: Some(UserId(6))"),
        "{for_anna}"
    );
    let told = test
        .run("remind", json!({"text": "the cake", "when": "30"}))
        .await
        .content;
    assert_eq!(told, "noted for 2026-03-01 14:00");
    test.recorder.0.lock().unwrap().clear();
    for when in [
        "soon",
        "25:00",
        "0",
        "-5",
        "2025-01-01 10:00",
        "2028-01-01 10:00",
        "4294967295",
        "every day at 9",
        "",
    ] {
        assert!(
            test.refuses("remind", json!({"text": "x", "when": when}))
                .await
                .contains("`when`"),
            "{when}"
        );
    }
    assert!(
        test.refuses("remind", json!({"text": " ", "when": "5"}))
            .await
            .contains("`text`")
    );
}

#[tokio::test]
async fn where_a_platform_can_do_none_of_it_the_model_is_told_so() {
    let context = context(Language::EN);
    for (name, params) in [
        ("create_thread", json!({"name": "x"})),
        (
            "create_poll",
            json!({"question": "q", "answers": ["a", "b"]}),
        ),
        ("send_sticker", json!({"name": "wave"})),
        ("set_status", json!({"text": "here"})),
        ("remind", json!({"text": "x", "when": "5"})),
        ("compact", json!({})),
    ] {
        let result = ToolRegistry::load_builtin()
            .run(call(name, params), context.clone())
            .await;
        assert_eq!(
            (result.is_error, result.content.as_str()),
            (true, "that cannot be done here"),
            "{name}"
        );
    }
    let long = ToolRegistry::load_builtin()
        .run(
            call("set_status", json!({"text": "a".repeat(129)})),
            context,
        )
        .await;
    assert!(long.content.contains("at most 128"), "{}", long.content);
}

#[tokio::test]
async fn what_a_call_leaves_to_the_moment_is_settled_before_a_person_is_asked_about_it() {
    let mut test = ToolTest::new();
    let waits = ToolPermission {
        approval: true,
        ..ToolPermission::default()
    };
    let names = ["edit_message", "delete_own_message", "remind"];
    test.context.permissions = Arc::new(
        names
            .into_iter()
            .map(|name| (name.into(), waits.clone()))
            .collect(),
    );
    for (name, params, shown) in [
        (
            "edit_message",
            json!({"text": "better"}),
            json!({"text": "better", "line": 3}),
        ),
        (
            "edit_message",
            json!({"text": "better", "line": 2}),
            json!({"text": "better", "line": 2}),
        ),
        ("delete_own_message", json!({}), json!({"line": 3})),
        // It is 13:30:05 in Berlin.
        (
            "remind",
            json!({"text": "x", "when": "90"}),
            json!({"text": "x", "when": "2026-03-01 15:00"}),
        ),
        (
            "remind",
            json!({"text": "x", "hours": 1, "minutes": "30"}),
            json!({"text": "x", "when": "2026-03-01 15:00"}),
        ),
        (
            "remind",
            json!({"text": "x", "when": "13:00"}),
            json!({"text": "x", "when": "2026-03-02 13:00"}),
        ),
    ] {
        let preview = test.run(name, params).await.preview().unwrap().unwrap();
        assert_eq!(preview.params.map(Value::Object), Some(shown));
    }
    assert_eq!(
        test.refuses("delete_own_message", json!({"line": 1})).await,
        "line 1 is not yours"
    );
    assert!(
        test.refuses("remind", json!({"text": "x", "when": "soon"}))
            .await
            .contains("`when`")
    );
}

#[tokio::test]
async fn the_lines_a_call_may_mean_are_those_it_names_by_number_or_by_who_wrote_them() {
    let test = ToolTest::new();
    let meant = |params: Value| test.context.lines.select_lines(&call("x", params));
    let numbers = |params: Value| {
        meant(params)
            .iter()
            .map(|line| line.number)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(json!({"line": 2, "text": "7"})), [2]);
    assert_eq!(numbers(json!({"lines": ["#3", " 1 "]})), [1, 3]);
    assert_eq!(numbers(json!({"name": "@anna"})), [1]);
    assert!(numbers(json!({"1": "nobody"})).is_empty());
}
