//! From what somebody does in Discord to what the command service is asked, and by whom.

use std::collections::HashSet;
use std::time::Duration;

use kith_commands::{Caller, CommandRequest, OwnMemoryRequest, RequestScope};
use kith_core::chat::{
    ChannelId, GuildId, MINUTE, MemoryId, MessageId, MessagePicture, TurnId, UserId,
};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_core::talkativeness::Talkativeness;
use kith_discord::DiscordEvent;
use kith_discord::commands::{CommandHandler, CommandSettings, CommandTimeouts, definitions};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::commands::interaction::{ANNA, button, direct, group, interaction, kith, menu, sub};
use crate::commands::recorder::Recorder;

/// How long something may take before a test gives up; far above what it takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Commands on their way to a command service.
struct RequestTest {
    discord: Recorder,
    commands: CommandHandler,
    heard: mpsc::Receiver<DiscordEvent>,
    id: u64,
}

impl RequestTest {
    async fn open() -> Self {
        let (out, heard) = mpsc::channel(8);
        let discord = Recorder::kind().await;
        let commands = CommandHandler::new(
            discord.rest.clone(),
            HashSet::from([UserId(42)]),
            out,
            CommandTimeouts::default(),
            Partition::WHOLE,
        );
        Self {
            discord,
            commands,
            heard,
            id: 1000,
        }
    }

    /// Discord tells of it, as of something new.
    fn hear(&mut self, raw: &Value) {
        let mut raw = raw.clone();
        self.id += 1;
        raw["id"] = self.id.to_string().into();
        self.commands.handle_interaction(&raw);
    }

    /// What the command service is asked.
    async fn asked(&mut self, raw: &Value) -> (Caller, CommandRequest) {
        self.hear(raw);
        match timeout(PATIENCE, self.heard.recv()).await {
            Ok(Some(DiscordEvent::CommandRequested {
                caller, request, ..
            })) => (caller, request),
            other => panic!("{raw}: {other:?}"),
        }
    }

    /// What the caller is told without anybody being asked.
    async fn told(&mut self, raw: &Value) -> Value {
        self.hear(raw);
        let answer = self.discord.next().await.json();
        assert!(self.heard.try_recv().is_err(), "{raw}");
        answer
    }
}

/// The data of a menu, with the message it is about as Discord shows it.
fn showing(mut menu: Value) -> Value {
    let file = |name: &str, kind: &str| {
        let url = format!("https://cdn.discordapp.com/attachments/1/2/{name}");
        json!({ "id": "9", "filename": name, "content_type": kind, "size": 70, "url": url, "width": 3, "height": 2 })
    };
    menu["resolved"]["messages"]["88"] = json!({
        "id": "88", "content": "sleepy <@1>", "attachments": [file("a.txt", "text/plain"), file("b.gif", "image/gif")],
        "message_snapshots": [{ "message": { "attachments": [file("c.png", "image/png")] } }],
    });
    menu
}

/// What the command service is asked then.
fn sticker() -> CommandRequest {
    let picture = MessagePicture {
        url: "https://cdn.discordapp.com/attachments/1/2/b.gif".into(),
        name: "b.gif".into(),
        bytes: 70,
        pixels: Some(6),
        is_text: false,
    };
    CommandRequest::Sticker {
        message: MessageId(88),
        picture: Some(picture),
        said: "sleepy <@1>".into(),
    }
}

#[tokio::test]
async fn every_command_for_moderators_asks_the_desk() {
    let level = json!(0.3);
    assert_requests([
        (kith(sub("status", &[])), CommandRequest::Status),
        (kith(sub("why", &[])), CommandRequest::Why(None)),
        (
            kith(sub("on", &[])),
            CommandRequest::Mode(ChannelMode::On, None),
        ),
        (
            kith(sub("observe", &[("channel", json!("9"))])),
            CommandRequest::Mode(ChannelMode::Observe, Some(ChannelId(9))),
        ),
        (
            kith(sub("off", &[("channel", json!("9"))])),
            CommandRequest::Mode(ChannelMode::Off, Some(ChannelId(9))),
        ),
        (
            kith(sub("talkativeness", &[("level", level.clone())])),
            CommandRequest::Talkativeness(Talkativeness::Level(0.3), RequestScope::Here),
        ),
        (
            kith(sub("talkativeness", &[("level", json!(1))])),
            CommandRequest::Talkativeness(Talkativeness::Level(1.0), RequestScope::Here),
        ),
        (
            kith(sub("talkativeness", &[("hourly", json!(4))])),
            CommandRequest::Talkativeness(Talkativeness::Hourly(4.0), RequestScope::Here),
        ),
        (
            kith(sub(
                "talkativeness",
                &[("level", level), ("where", json!("all"))],
            )),
            CommandRequest::Talkativeness(Talkativeness::Level(0.3), RequestScope::All),
        ),
        (
            kith(sub("persona", &[("name", json!("Mira"))])),
            CommandRequest::Persona("Mira".into(), RequestScope::Here),
        ),
        (
            kith(sub("pause", &[("time", json!("30m"))])),
            CommandRequest::Pause(30 * MINUTE, None),
        ),
        (
            kith(sub("pause", &[("time", json!("0"))])),
            CommandRequest::Pause(0, None),
        ),
        (kith(sub("fresh", &[])), CommandRequest::Fresh),
        (
            kith(sub("reset", &[("where", json!("here"))])),
            CommandRequest::Reset(RequestScope::Here),
        ),
    ])
    .await;
}

#[tokio::test]
async fn every_command_about_oneself_and_every_menu_asks_the_desk() {
    assert_requests([
        (
            kith(group("forget", sub("me", &[]))),
            CommandRequest::ForgetMe(RequestScope::Here),
        ),
        (
            kith(group("export", sub("me", &[]))),
            CommandRequest::ExportMe,
        ),
        (
            kith(group("memory", sub("me", &[("page", json!(2))]))),
            CommandRequest::Memory(OwnMemoryRequest::Show(2)),
        ),
        (
            kith(group("memory", sub("delete", &[("number", json!(7))]))),
            CommandRequest::Memory(OwnMemoryRequest::Delete(MemoryId(7))),
        ),
        (
            kith(group(
                "memory",
                sub("correct", &[("number", json!(7)), ("text", json!("sings"))]),
            )),
            CommandRequest::Memory(OwnMemoryRequest::Correct(MemoryId(7), "sings".into())),
        ),
        (
            kith(sub("optout", &[("how", json!("dont_remember"))])),
            CommandRequest::OptOut(PersonPreference::DontRemember),
        ),
        (
            kith(sub("optout", &[("how", json!("ignore"))])),
            CommandRequest::OptOut(PersonPreference::Ignore),
        ),
        (
            kith(sub("optout", &[("how", json!("remember"))])),
            CommandRequest::OptOut(PersonPreference::Remember),
        ),
        (menu("Why?"), CommandRequest::Why(Some(MessageId(88)))),
        (
            menu("Take it back"),
            CommandRequest::TakeBack(MessageId(88)),
        ),
        (
            menu("Forget this"),
            CommandRequest::ForgetMessage(MessageId(88)),
        ),
        (
            menu("Keep as sticker"),
            CommandRequest::Sticker {
                message: MessageId(88),
                picture: None,
                said: String::new(),
            },
        ),
        (showing(menu("Keep as sticker")), sticker()),
    ])
    .await;
}

async fn assert_requests<const N: usize>(cases: [(Value, CommandRequest); N]) {
    let mut test = RequestTest::open().await;
    for (data, request) in cases {
        assert_eq!(test.asked(&interaction(1, 2, data)).await.1, request);
    }
}

#[tokio::test]
async fn every_button_of_a_log_channel_asks_the_desk() {
    let mut test = RequestTest::open().await;
    for (id, request) in [
        ("kith:why:3", CommandRequest::WhyTurn(TurnId(3))),
        ("kith:raw:3", CommandRequest::Raw(TurnId(3))),
        ("kith:back:3", CommandRequest::TakeBackTurn(TurnId(3))),
        (
            "kith:pause:9:3",
            CommandRequest::Pause(30 * MINUTE, Some(ChannelId(9))),
        ),
    ] {
        let (caller, asked) = test.asked(&interaction(1, 3, button(id))).await;
        assert_eq!((asked, caller.channel), (request, ChannelId(6)));
    }
}

/// Every path of sub-commands below an option, with something chosen for each option.
fn paths(option: &Value) -> Vec<Value> {
    let below = option["options"].as_array().cloned().unwrap_or_default();
    if option["type"] == 2 {
        return below
            .iter()
            .flat_map(paths)
            .map(|only| group(option["name"].as_str().unwrap(), only))
            .collect();
    }
    let value = |option: &Value| match option["type"].as_u64() {
        Some(4) => option["min_value"].clone(),
        Some(10) => option["max_value"].clone(),
        Some(7) => json!("9"),
        _ if option["name"] == "close" => json!("1"),
        _ => option["choices"]
            .get(0)
            .map_or(json!("1h"), |choice| choice["value"].clone()),
    };
    let chosen: Vec<(&str, Value)> = below
        .iter()
        .map(|it| (it["name"].as_str().unwrap(), value(it)))
        .collect();
    vec![sub(option["name"].as_str().unwrap(), &chosen)]
}

#[tokio::test]
async fn everything_that_is_registered_works() {
    let mut test = RequestTest::open().await;
    let offered = CommandSettings {
        personas: vec!["Mira".into(), "Juno".into()],
        max_talkativeness: 0.5,
    };
    for command in definitions(&offered) {
        let name = command["name"].as_str().unwrap();
        let datas: Vec<Value> = match command["options"].as_array() {
            Some(options) => options.iter().flat_map(paths).map(kith).collect(),
            None => vec![menu(name)],
        };
        assert!(!datas.is_empty());
        for mut data in datas {
            // A level and a rate stand in each other's place.
            if let Some(options) = data
                .pointer_mut("/options/0/options")
                .and_then(Value::as_array_mut)
            {
                options.retain(|option| option["name"] != "hourly");
            }
            test.asked(&interaction(1, 2, data)).await;
        }
    }
}

#[tokio::test]
async fn rights_names_and_language_are_those_of_this_very_interaction() {
    let mut test = RequestTest::open().await;
    let raw = interaction(1, 2, kith(sub("status", &[])));
    let (caller, _) = test.asked(&raw).await;
    assert_eq!((caller.user, caller.name.as_str()), (UserId(ANNA), "Annie"));
    assert_eq!(
        (caller.guild, caller.channel),
        (Some(GuildId(5)), ChannelId(6))
    );
    assert_eq!(
        (caller.moderator, caller.is_operator, caller.language),
        (false, false, Language::EN)
    );

    for (permissions, moderator) in [
        ("0", false),
        ("32", true),
        ("8", true),
        ("2147483647", true),
        ("-1", false),
    ] {
        let mut raw = raw.clone();
        raw["member"]["permissions"] = permissions.into();
        assert_eq!(
            test.asked(&raw).await.0.moderator,
            moderator,
            "{permissions}"
        );
    }
    for (locale, language) in [
        ("zh-CN", Language::ZH),
        ("zh-TW", Language::ZH),
        ("de", Language::EN),
        ("", Language::EN),
    ] {
        let mut raw = raw.clone();
        raw["locale"] = locale.into();
        assert_eq!(test.asked(&raw).await.0.language, language, "{locale}");
    }
    let mut host = raw.clone();
    host["member"]["user"]["id"] = "42".into();
    host["member"]["nick"] = Value::Null;
    let (caller, _) = test.asked(&host).await;
    assert_eq!((caller.is_operator, caller.name.as_str()), (true, "Anna"));
}

#[tokio::test]
async fn a_direct_message_has_no_guild_and_no_moderators() {
    let mut test = RequestTest::open().await;
    let (caller, _) = test.asked(&direct(1, kith(sub("status", &[])))).await;
    assert_eq!(
        (
            caller.user,
            caller.name.as_str(),
            caller.guild,
            caller.moderator
        ),
        (UserId(ANNA), "Anna", None, false)
    );
}

#[tokio::test]
async fn what_is_typed_wrong_is_told_how_to_write_it() {
    let mut test = RequestTest::open().await;
    for (data, said) in [
        (kith(sub("pause", &[("time", json!("soon"))])), "30m"),
        (kith(sub("pause", &[("time", json!("9999d"))])), "365 days"),
        (kith(sub("talkativeness", &[("level", json!(7))])), "from 0"),
        (kith(sub("talkativeness", &[])), "from 0"),
        (
            kith(sub(
                "talkativeness",
                &[("level", json!(0.5)), ("hourly", json!(4))],
            )),
            "one of the two",
        ),
        (
            kith(sub("talkativeness", &[("hourly", json!(400))])),
            "from 0 to 60",
        ),
        (
            kith(sub("persona", &[("name", json!(" "))])),
            "name of a persona",
        ),
        (kith(sub("dance", &[])), "don't know this command"),
        (
            kith(group("forget", sub("you", &[]))),
            "don't know this command",
        ),
        (json!({ "name": "other" }), "don't know this command"),
        (menu("Dance"), "don't know this command"),
    ] {
        let answer = test.told(&interaction(1, 2, data)).await;
        assert!(
            answer["data"]["content"].as_str().unwrap().contains(said),
            "{answer}"
        );
        assert_eq!(
            (&answer["type"], &answer["data"]["flags"]),
            (&json!(4), &json!(64))
        );
    }
    let answer = test.told(&interaction(1, 3, button("kith:dance:1"))).await;
    assert!(
        answer["data"]["content"]
            .as_str()
            .unwrap()
            .contains("another version"),
        "{answer}"
    );
}

#[tokio::test]
async fn what_cannot_be_read_is_let_be() {
    let RequestTest {
        mut discord,
        commands,
        mut heard,
        ..
    } = RequestTest::open().await;
    let good = interaction(2, 2, kith(sub("status", &[])));
    let without = |name: &str| {
        let mut raw = good.clone();
        raw.as_object_mut().unwrap().remove(name);
        raw
    };
    for raw in [
        json!(null),
        json!([]),
        json!({ "type": 1 }),
        without("token"),
        without("id"),
        without("channel_id"),
        without("member"),
        interaction(1, 4, kith(sub("status", &[]))),
        interaction(1, 3, json!({})),
        interaction(1, 99, json!({})),
    ] {
        commands.handle_interaction(&raw);
    }
    tokio::task::yield_now().await;
    assert!(heard.try_recv().is_err());
    assert!(discord.others().is_empty());
}

#[tokio::test]
async fn a_duplicate_is_asked_once() {
    let RequestTest {
        commands,
        mut heard,
        ..
    } = RequestTest::open().await;
    for id in [1, 1, 2, 1] {
        commands.handle_interaction(&interaction(id, 2, kith(sub("status", &[]))));
    }
    let mut asked = 0;
    while asked < 2 {
        assert!(matches!(
            heard.recv().await,
            Some(DiscordEvent::CommandRequested { .. })
        ));
        asked += 1;
    }
    tokio::task::yield_now().await;
    assert!(heard.try_recv().is_err());
}
