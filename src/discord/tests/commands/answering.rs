//! What people who ask are shown: at once or later, always for them alone.

use std::collections::HashSet;
use std::time::Duration;

use kith_commands::{CommandAnswer, CommandRequest, RequestScope};
use kith_core::chat::{ChannelId, MessageId};
use kith_core::partition::Partition;
use kith_core::preference::PersonPreference;
use kith_discord::DiscordEvent;
use kith_discord::commands::{CommandHandler, CommandTimeouts};
use kith_observe::{CardSeverity, LogEmbed};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::commands::interaction::{ANNA, button, direct, group, interaction, kith, menu, sub};
use crate::commands::recorder::{RecordedRequest, Recorder, refusal};

const CALLBACK: &str = "POST /interactions/1/token-of-1/callback";
const ORIGINAL: &str = "PATCH /webhooks/77/token-of-1/messages/@original";
/// The command service is given no time before an answer is put off, and little before it is given up.
const HURRY: CommandTimeouts = CommandTimeouts {
    defer_after: Duration::ZERO,
    give_up_after: Duration::from_millis(50),
};

struct AnswerTest {
    discord: Recorder,
    commands: CommandHandler,
    heard: mpsc::Receiver<DiscordEvent>,
}

impl AnswerTest {
    fn new(discord: Recorder, patience: CommandTimeouts) -> Self {
        let (out, heard) = mpsc::channel(8);
        let commands = CommandHandler::new(
            discord.rest.clone(),
            HashSet::new(),
            out,
            patience,
            Partition::WHOLE,
        );
        Self {
            discord,
            commands,
            heard,
        }
    }

    async fn open() -> Self {
        Self::new(
            Recorder::kind().await,
            CommandTimeouts {
                defer_after: Duration::from_secs(60),
                ..CommandTimeouts::default()
            },
        )
    }

    async fn asked(&mut self) -> (CommandRequest, oneshot::Sender<CommandAnswer>) {
        match self.heard.recv().await {
            Some(DiscordEvent::CommandRequested {
                request, answer, ..
            }) => (request, answer),
            other => panic!("{other:?}"),
        }
    }

    /// Somebody asks, the command service answers, and this goes to Discord first.
    async fn answered(&mut self, raw: &Value, answer: CommandAnswer) -> RecordedRequest {
        self.commands.handle_interaction(raw);
        self.asked().await.1.send(answer).unwrap();
        self.discord.next().await
    }
}

fn status() -> Value {
    interaction(1, 2, kith(sub("status", &[])))
}

fn data(recorded: &RecordedRequest) -> Value {
    let body = recorded.json();
    assert_eq!(
        (&body["type"], &body["data"]["flags"]),
        (&json!(4), &json!(64)),
        "for the caller alone"
    );
    assert_eq!(
        body["data"]["allowed_mentions"],
        json!({ "parse": [] }),
        "nobody is pinged"
    );
    body["data"].clone()
}

#[tokio::test]
async fn a_sentence_is_answered_at_once_and_to_the_asker_alone() {
    for answer in [
        CommandAnswer::Text("all well".into()),
        CommandAnswer::Refused("all well".into()),
    ] {
        let recorded = AnswerTest::open().await.answered(&status(), answer).await;
        assert_eq!(recorded.what(), CALLBACK);
        assert_eq!(data(&recorded)["content"], "all well");
    }
}

#[tokio::test]
async fn a_long_sentence_is_cut_where_discord_ends() {
    let long = "word ".repeat(1000);
    let recorded = AnswerTest::open()
        .await
        .answered(&status(), CommandAnswer::Text(long))
        .await;
    let content = data(&recorded)["content"].as_str().unwrap().to_owned();
    assert!(
        content.chars().count() <= 2000 && content.ends_with("word…"),
        "{content}"
    );
}

#[tokio::test]
async fn a_card_is_an_embed_that_links_to_its_message() {
    let card = LogEmbed {
        severity: CardSeverity::Quiet,
        title: "Kept *silent*".into(),
        text: "21 % against 40 %".into(),
        fields: vec![
            ("addressed".into(), "+1.5".into()),
            ("said".into(), "[free](http://evil)".into()),
        ],
        footer: "turn 3".into(),
        linked_message: Some((ChannelId(6), MessageId(88))),
        raw: None,
    };
    let recorded = AnswerTest::open()
        .await
        .answered(
            &interaction(1, 2, menu("Why?")),
            CommandAnswer::Card(card.clone()),
        )
        .await;
    let embed = data(&recorded)["embeds"][0].clone();
    assert_eq!(embed["title"], r"Kept \*silent\*", "plain text stays plain");
    assert!(
        embed["description"]
            .as_str()
            .unwrap()
            .ends_with("(https://discord.com/channels/5/6/88)"),
        "{embed}"
    );
    assert_eq!(
        embed["fields"][1]["value"], r"\[free\](http://evil)",
        "no link in disguise"
    );
    assert_eq!(embed["footer"]["text"], "turn 3");

    let elsewhere = LogEmbed {
        linked_message: Some((ChannelId(7), MessageId(88))),
        ..card
    };
    let recorded = AnswerTest::open()
        .await
        .answered(&status(), CommandAnswer::Card(elsewhere))
        .await;
    assert_eq!(
        data(&recorded)["embeds"][0]["description"],
        "21 % against 40 %",
        "its guild may be another"
    );
}

#[tokio::test]
async fn in_a_direct_message_links_lead_to_it() {
    let card = LogEmbed {
        linked_message: Some((ChannelId(6), MessageId(88))),
        ..LogEmbed::default()
    };
    let recorded = AnswerTest::open()
        .await
        .answered(&direct(1, kith(sub("why", &[]))), CommandAnswer::Card(card))
        .await;
    assert!(
        data(&recorded)["embeds"][0]["description"]
            .as_str()
            .unwrap()
            .contains("/channels/@me/6/88")
    );
}

#[tokio::test]
async fn a_file_follows_the_first_answer() {
    let mut test = AnswerTest::open().await;
    let file = CommandAnswer::File {
        text: "here".into(),
        name: "me.json".into(),
        bytes: b"{\"all\":1}".to_vec(),
    };
    let first = test
        .answered(
            &interaction(1, 2, kith(group("export", sub("me", &[])))),
            file,
        )
        .await;
    assert_eq!(
        (first.what().as_str(), first.json()),
        (CALLBACK, json!({ "type": 5, "data": { "flags": 64 } }))
    );
    let second = test.discord.next().await;
    assert_eq!(second.what(), ORIGINAL);
    assert_eq!(second.json()["content"], "here");
    let body = String::from_utf8_lossy(&second.body).into_owned();
    assert!(
        body.contains("files[0]") && body.contains("me.json") && body.contains("{\"all\":1}"),
        "{body}"
    );
}

#[tokio::test]
async fn a_file_larger_than_discord_takes_is_told_of() {
    let mut raw = status();
    raw["attachment_size_limit"] = 10.into();
    let file = CommandAnswer::File {
        text: "here".into(),
        name: "me.json".into(),
        bytes: vec![0; 11],
    };
    let recorded = AnswerTest::open().await.answered(&raw, file).await;
    assert!(
        data(&recorded)["content"]
            .as_str()
            .unwrap()
            .contains("kith export")
    );
}

#[tokio::test]
async fn an_answer_that_takes_long_is_put_off_and_comes_later() {
    let mut test = AnswerTest::new(
        Recorder::kind().await,
        CommandTimeouts {
            give_up_after: Duration::from_secs(60),
            ..HURRY
        },
    );
    test.commands.handle_interaction(&status());
    let first = test.discord.next().await;
    assert_eq!(
        (first.what().as_str(), first.json()),
        (CALLBACK, json!({ "type": 5, "data": { "flags": 64 } }))
    );
    test.asked()
        .await
        .1
        .send(CommandAnswer::Text("at last".into()))
        .unwrap();
    let second = test.discord.next().await;
    assert_eq!(
        (second.what().as_str(), &second.json()["content"]),
        (ORIGINAL, &json!("at last"))
    );
}

#[tokio::test]
async fn a_desk_that_never_answers_gets_a_sentence() {
    let mut test = AnswerTest::new(Recorder::kind().await, HURRY);
    test.commands.handle_interaction(&status());
    let _kept = test.asked().await;
    assert_eq!(test.discord.next().await.what(), CALLBACK);
    let second = test.discord.next().await;
    assert_eq!(second.what(), ORIGINAL);
    assert!(
        second.json()["content"]
            .as_str()
            .unwrap()
            .contains("try again")
    );
}

#[tokio::test]
async fn a_daemon_that_stops_gets_a_sentence() {
    let mut test = AnswerTest::open().await;
    test.commands.handle_interaction(&status());
    drop(test.asked().await);
    assert!(
        data(&test.discord.next().await)["content"]
            .as_str()
            .unwrap()
            .contains("try again")
    );
    test.heard.close();
    test.commands
        .handle_interaction(&interaction(2, 2, kith(sub("status", &[]))));
    assert!(
        data(&test.discord.next().await)["content"]
            .as_str()
            .unwrap()
            .contains("try again")
    );
}

#[tokio::test]
async fn an_interaction_that_has_expired_is_let_go() {
    let mut test = AnswerTest::new(
        Recorder::open(|_| refusal(404, 10062)).await,
        CommandTimeouts::default(),
    );
    test.answered(&status(), CommandAnswer::Text("too late".into()))
        .await;
    let other = interaction(2, 2, kith(sub("status", &[])));
    test.answered(&other, CommandAnswer::Text("still alive".into()))
        .await;
    assert!(test.discord.others().is_empty(), "it is not tried again");
}

#[tokio::test]
async fn a_first_answer_nobody_knows_the_end_of_is_put_right() {
    for (status_code, code) in [(500, 0), (400, 40060)] {
        let answers = move |request: &RecordedRequest| match request.path.ends_with("/callback") {
            true => refusal(status_code, code),
            false => (200, json!({ "id": "1" })),
        };
        let mut test = AnswerTest::new(Recorder::open(answers).await, CommandTimeouts::default());
        test.answered(&status(), CommandAnswer::Text("hello".into()))
            .await;
        let second = test.discord.next().await;
        assert_eq!(
            (second.what().as_str(), &second.json()["content"]),
            (ORIGINAL, &json!("hello"))
        );
    }
}

#[tokio::test]
async fn what_cannot_be_undone_is_asked_back_and_done_in_the_same_place() {
    for (command, request) in [
        (
            group("forget", sub("me", &[("where", json!("all"))])),
            CommandRequest::ForgetMe(RequestScope::All),
        ),
        (
            sub("reset", &[("where", json!("all"))]),
            CommandRequest::Reset(RequestScope::All),
        ),
    ] {
        let mut test = AnswerTest::open().await;
        test.commands
            .handle_interaction(&interaction(1, 2, kith(command)));
        let question = data(&test.discord.next().await);
        let ids = [0, 1].map(|at| {
            question["components"][0]["components"][at]["custom_id"]
                .as_str()
                .unwrap()
                .to_owned()
        });
        assert!(test.heard.try_recv().is_err(), "nothing is done yet");

        test.commands
            .handle_interaction(&interaction(2, 3, button(&ids[0])));
        let (asked, answer) = test.asked().await;
        assert_eq!(asked, request);
        answer.send(CommandAnswer::Text("done".into())).unwrap();
        let done = test.discord.next().await.json();
        assert_eq!(
            (&done["type"], &done["data"]["content"]),
            (&json!(7), &json!("done"))
        );
        assert_eq!(
            done["data"]["components"],
            json!([]),
            "the buttons are gone"
        );

        test.commands
            .handle_interaction(&interaction(3, 3, button(&ids[1])));
        let left = test.discord.next().await.json();
        assert_eq!(
            (&left["type"], &left["data"]["content"]),
            (&json!(7), &json!("Nothing was changed."))
        );
    }
}

#[tokio::test]
async fn a_question_is_for_the_one_who_was_asked() {
    let mut test = AnswerTest::open().await;
    for (id, button_id) in [(1, "kith:forget:4"), (2, "kith:reset:4"), (3, "kith:no:4")] {
        test.commands
            .handle_interaction(&interaction(id, 3, button(button_id)));
        assert!(
            data(&test.discord.next().await)["content"]
                .as_str()
                .unwrap()
                .contains("somebody else")
        );
    }
    assert!(test.heard.try_recv().is_err());
    test.commands
        .handle_interaction(&interaction(4, 3, button(&format!("kith:forget:{ANNA}"))));
    assert_eq!(
        test.asked().await.0,
        CommandRequest::ForgetMe(RequestScope::All)
    );
}

#[tokio::test]
async fn people_are_answered_in_their_language() {
    let mut test = AnswerTest::open().await;
    let mut raw = interaction(1, 2, kith(sub("pause", &[("time", json!("soon"))])));
    raw["locale"] = "zh-CN".into();
    test.commands.handle_interaction(&raw);
    assert!(
        data(&test.discord.next().await)["content"]
            .as_str()
            .unwrap()
            .contains("时长")
    );
    let mut raw = interaction(2, 2, kith(sub("optout", &[("how", json!("ignore"))])));
    raw["locale"] = "zh-TW".into();
    test.commands.handle_interaction(&raw);
    assert_eq!(
        test.asked().await.0,
        CommandRequest::OptOut(PersonPreference::Ignore)
    );
}
