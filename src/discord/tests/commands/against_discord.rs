//! What Discord takes and keeps. The fake checks every body against Discord's rules, and against its own description
//! where that is at hand.

use std::collections::HashSet;
use std::time::Duration;

use kith_commands::{CommandAnswer, CommandRequest};
use kith_core::chat::{ChannelId, GuildId, MessageId, TurnId};
use kith_core::partition::Partition;
use kith_core::secret::Secret;
use kith_discord::DiscordEvent;
use kith_discord::commands::{
    CommandHandler, CommandSettings, CommandTimeouts, RegistrationOutcome, definitions,
    register_if_changed,
};
use kith_discord::log_channel::{LogChannels, LogEmbedOptions};
use kith_discord::rest::{RestClient, RestSettings};
use kith_observe::{CardSeverity, LogEmbed};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::commands::fake_discord::{
    ANNA, BOT, BOT_ROLE, FakeDiscord, For, GENERAL, GUILD, Id, LOG, MO, Message, TOKEN, World,
    permissions,
};
use crate::commands::interaction::{button, group, interaction, kith, menu, sub};

/// Only the caller sees it.
const EPHEMERAL: u64 = 1 << 6;

fn offered() -> CommandSettings {
    CommandSettings {
        personas: vec!["Mira".into(), "小满".into()],
        max_talkativeness: 1.0,
    }
}

fn rest(fake: &FakeDiscord) -> RestClient {
    RestClient::new(RestSettings::new(&fake.api(), Secret::new(TOKEN), "")).unwrap()
}

struct ApprovalMessageTest {
    fake: FakeDiscord,
    commands: CommandHandler,
    heard: mpsc::Receiver<DiscordEvent>,
}

impl ApprovalMessageTest {
    /// A Discord that knows the commands, and a command service that is waited for.
    async fn open() -> Self {
        let fake = FakeDiscord::start(World::small());
        let rest = rest(&fake);
        register_if_changed(&rest, BOT, &definitions(&offered()))
            .await
            .unwrap();
        let (out, heard) = mpsc::channel(8);
        let patience = CommandTimeouts {
            defer_after: Duration::from_secs(60),
            ..CommandTimeouts::default()
        };
        Self {
            commands: CommandHandler::new(rest, HashSet::new(), out, patience, Partition::WHOLE),
            fake,
            heard,
        }
    }

    /// Passes on what the fake would send over the gateway.
    fn hear(&self, id: Id, kind: u8, data: Value) {
        let mut raw = interaction(id, kind, data);
        raw["token"] = self.fake.interaction(id).token.into();
        raw["application_id"] = BOT.to_string().into();
        raw["member"]["user"]["id"] = ANNA.to_string().into();
        raw["channel_id"] = GENERAL.to_string().into();
        raw["guild_id"] = GUILD.to_string().into();
        self.commands.handle_interaction(&raw);
    }

    /// The command service answers, and this is what the caller sees, alone.
    async fn answered(&mut self, id: Id, answer: CommandAnswer) -> (CommandRequest, Message) {
        let Some(DiscordEvent::CommandRequested {
            request,
            answer: sender,
            ..
        }) = self.heard.recv().await
        else {
            panic!()
        };
        sender.send(answer).unwrap();
        (request, self.shown(id).await)
    }

    async fn shown(&self, id: Id) -> Message {
        let shown = self.fake.answer(id).await;
        assert_eq!(shown.flags & EPHEMERAL, EPHEMERAL);
        assert_eq!(shown.allowed_mentions, Some(json!({ "parse": [] })));
        shown
    }
}

#[tokio::test]
async fn commands_are_registered_once_and_again_only_when_they_changed() {
    let fake = FakeDiscord::start(World::small());
    let rest = rest(&fake);
    let mut commands = json!(definitions(&offered()));
    let tell = async |commands: &Value| {
        register_if_changed(&rest, BOT, commands.as_array().unwrap()).await
    };
    assert_eq!(tell(&commands).await, Ok(RegistrationOutcome::Changed));
    assert_eq!(tell(&commands).await, Ok(RegistrationOutcome::Unchanged));
    let changes: [(&str, Value); 5] = [
        ("/0/options/0/description", "something else".into()),
        ("/0/options/0/name_localizations/zh-TW", "別的".into()),
        ("/0/options/5/options/0/max_value", 0.5.into()),
        ("/0/options/2/options/0/channel_types", json!([0, 5])),
        ("/1/name", "Why not?".into()),
    ];
    for (place, value) in changes {
        *commands
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{place}")) = value;
        assert_eq!(
            tell(&commands).await,
            Ok(RegistrationOutcome::Changed),
            "{place}"
        );
        assert_eq!(
            tell(&commands).await,
            Ok(RegistrationOutcome::Unchanged),
            "{place}"
        );
    }
    assert_eq!(fake.requests("PUT /applications/*/commands").len(), 6);
}

#[tokio::test]
async fn a_sentence_and_a_card_are_shown_to_the_asker_alone() {
    let mut test = ApprovalMessageTest::open().await;
    let message = test.fake.says(GENERAL, ANNA, "hello");
    let card = LogEmbed {
        severity: CardSeverity::Quiet,
        title: "Why it kept silent".into(),
        text: "nobody spoke to it".into(),
        fields: vec![
            ("Willingness".into(), "3 %".into()),
            (String::new(), String::new()),
        ],
        footer: "turn 3".into(),
        linked_message: Some((ChannelId(GENERAL), MessageId(message))),
        raw: None,
    };
    let id = test.fake.menu(GENERAL, ANNA, "Why?", message);
    let mut data = menu("Why?");
    data["target_id"] = message.to_string().into();
    test.hear(id, 2, data);
    let (request, shown) = test.answered(id, CommandAnswer::Card(card)).await;
    assert_eq!(
        (request, shown.embeds.len()),
        (CommandRequest::Why(Some(MessageId(message))), 1)
    );

    let id = test.fake.slash(GENERAL, ANNA, "kith fresh", json!({}));
    test.hear(id, 2, kith(sub("fresh", &[])));
    assert_eq!(
        test.answered(id, CommandAnswer::Text("done".into()))
            .await
            .1
            .text,
        "done"
    );
}

#[tokio::test]
async fn a_file_is_shown_to_the_asker_alone() {
    let mut test = ApprovalMessageTest::open().await;
    let id = test.fake.slash(GENERAL, ANNA, "kith export me", json!({}));
    test.hear(id, 2, kith(group("export", sub("me", &[]))));
    let file = CommandAnswer::File {
        text: "here".into(),
        name: "me.json".into(),
        bytes: b"{}".to_vec(),
    };
    let (_, shown) = test.answered(id, file).await;
    assert_eq!(shown.text, "here");
    let sent = test.fake.requests("PATCH /webhooks/*/*/messages/@original");
    assert_eq!(
        sent[0].body["attachments"],
        json!([{ "id": "0", "filename": "me.json" }])
    );
}

#[tokio::test]
async fn a_question_is_answered_by_its_button_in_the_same_place() {
    let mut test = ApprovalMessageTest::open().await;
    let id = test
        .fake
        .slash(GENERAL, ANNA, "kith forget me", json!({ "where": "all" }));
    test.hear(
        id,
        2,
        kith(group("forget", sub("me", &[("where", json!("all"))]))),
    );
    let question = test.shown(id).await;
    let sure = format!("kith:forget:{ANNA}");
    let pressed = test.fake.presses(GENERAL, ANNA, question.id, &sure);
    test.hear(pressed, 3, button(&sure));
    let Some(DiscordEvent::CommandRequested { answer, .. }) = test.heard.recv().await else {
        panic!()
    };
    answer
        .send(CommandAnswer::Text("All forgotten.".into()))
        .unwrap();
    let answered = |world: &World| world.interactions[&pressed].answered_at.map(|_| ());
    test.fake.until("the question is answered", answered).await;
    let interactions = test.fake.world(|world| world.interactions.clone());
    let shown = [id, pressed].map(|id| interactions[&id].answer.clone());
    let shown: Vec<Message> = shown
        .into_iter()
        .flatten()
        .filter(|shown| shown.text == "All forgotten.")
        .collect();
    assert!(
        !shown.is_empty() && shown.iter().all(|shown| shown.components.is_empty()),
        "{interactions:?}"
    );
}

fn log(rest: RestClient) -> (LogChannels, mpsc::Receiver<DiscordEvent>) {
    let (out, heard) = mpsc::channel(8);
    (
        LogChannels::new(
            rest,
            LogEmbedOptions {
                interval: Duration::ZERO,
                ..LogEmbedOptions::default()
            },
            out,
        ),
        heard,
    )
}

#[tokio::test]
async fn turns_and_notices_stand_in_the_log_channel_until_they_are_deleted() {
    let fake = FakeDiscord::start(World::small());
    let (log, mut heard) = log(rest(&fake));
    let guild = Some(GuildId(GUILD));
    let about = Some((ChannelId(GENERAL), MessageId(5)));
    for turn in 1..=6 {
        let card = LogEmbed {
            severity: CardSeverity::Spoke,
            title: "Spoke in #general".into(),
            linked_message: about,
            ..LogEmbed::default()
        };
        log.show_turn(
            ChannelId(LOG),
            guild,
            TurnId(turn),
            ChannelId(GENERAL),
            card,
        );
    }
    log.log_notice(
        ChannelId(LOG),
        guild,
        LogEmbed {
            text: "I was away for a minute.".into(),
            ..LogEmbed::default()
        },
    );
    let mut entries = Vec::new();
    for turns in [5, 1] {
        let Some(DiscordEvent::LogPosted {
            log,
            message,
            turns: told,
            ..
        }) = heard.recv().await
        else {
            panic!()
        };
        assert_eq!(told.len(), turns);
        entries.push((log, message));
    }
    assert_eq!(
        fake.posts(LOG)
            .iter()
            .map(|post| post.embeds.len())
            .collect::<Vec<_>>(),
        [5, 2]
    );
    log.delete_entries(entries);
    fake.until("an empty log", |world| {
        world.posts(LOG).is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_log_entry_that_was_accepted_with_an_error_stands_there_once() {
    let fake = FakeDiscord::start(World::small());
    fake.fault(
        "POST /channels/*/messages",
        crate::commands::fake_discord::Fault::DoneBut504,
    );
    let (log, mut heard) = log(rest(&fake));
    log.log_notice(
        ChannelId(LOG),
        None,
        LogEmbed {
            text: "I was away for a minute.".into(),
            ..LogEmbed::default()
        },
    );
    assert!(matches!(
        heard.recv().await,
        Some(DiscordEvent::LogPosted { .. })
    ));
    assert_eq!(fake.posts(LOG).len(), 1);
}

#[tokio::test]
async fn a_log_channel_it_may_not_write_in_or_that_is_not_there_is_one_clear_sentence() {
    for (channel, cure) in [(LOG, "Send Messages"), (5, "correct its id")] {
        let mut world = World::small();
        world.overwrite(
            LOG,
            For::Role(BOT_ROLE),
            permissions::VIEW_CHANNEL,
            permissions::SEND_MESSAGES,
        );
        let fake = FakeDiscord::start(world);
        let (log, mut heard) = log(rest(&fake));
        log.log_notice(
            ChannelId(channel),
            None,
            LogEmbed {
                text: "first".into(),
                ..LogEmbed::default()
            },
        );
        let Some(DiscordEvent::Notice(notice)) = heard.recv().await else {
            panic!()
        };
        assert!(
            notice.contains(cure) && notice.contains(&channel.to_string()),
            "{notice}"
        );
        fake.take_violations();
    }
}

#[tokio::test]
async fn a_moderator_presses_a_button_under_a_log_entry() {
    let mut test = ApprovalMessageTest::open().await;
    let (log, mut heard) = log(rest(&test.fake));
    let card = LogEmbed {
        severity: CardSeverity::Spoke,
        title: "Spoke".into(),
        ..LogEmbed::default()
    };
    log.show_turn(
        ChannelId(LOG),
        Some(GuildId(GUILD)),
        TurnId(3),
        ChannelId(GENERAL),
        card,
    );
    let Some(DiscordEvent::LogPosted { message, .. }) = heard.recv().await else {
        panic!()
    };
    for (id, request) in [
        ("kith:why:3", CommandRequest::WhyTurn(TurnId(3))),
        ("kith:back:3", CommandRequest::TakeBackTurn(TurnId(3))),
    ] {
        let pressed = test.fake.presses(LOG, MO, message.0, id);
        test.hear(pressed, 3, button(id));
        let (asked, shown) = test
            .answered(pressed, CommandAnswer::Text("so it was".into()))
            .await;
        assert_eq!((asked, shown.text.as_str()), (request, "so it was"));
    }
    assert_eq!(test.fake.posts(LOG).len(), 1, "the entry stays as it is");
}
