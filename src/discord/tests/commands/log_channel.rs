//! What stands in a log channel, how fast it comes, and what happens where it cannot be posted or must go again.

mod deletions;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::Method;
use kith_core::chat::{ChannelId, GuildId, MessageId, TurnId};
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_core::secret::Secret;
use kith_discord::DiscordEvent;
use kith_discord::log_channel::{LogChannels, LogEmbedOptions};
use kith_discord::rest::RestClient;
use kith_observe::{CardSeverity, LogEmbed};
use kith_system::clock;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::commands::recorder::{Recorder, refusal};

const LOG: ChannelId = ChannelId(600);
const GUILD: Option<GuildId> = Some(GuildId(5));

fn log(rest: &RestClient) -> (LogChannels, mpsc::Receiver<DiscordEvent>) {
    log_with(
        rest,
        LogEmbedOptions {
            interval: Duration::ZERO,
            ..LogEmbedOptions::default()
        },
    )
}

fn log_with(
    rest: &RestClient,
    options: LogEmbedOptions,
) -> (LogChannels, mpsc::Receiver<DiscordEvent>) {
    let (out, heard) = mpsc::channel(64);
    (LogChannels::new(rest.clone(), options, out), heard)
}

fn card(title: &str) -> LogEmbed {
    LogEmbed {
        severity: CardSeverity::Spoke,
        title: title.into(),
        linked_message: Some((ChannelId(6), MessageId(88))),
        ..LogEmbed::default()
    }
}

fn titles(message: &Value) -> Vec<&str> {
    message["embeds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|embed| embed["title"].as_str().unwrap())
        .collect()
}

fn buttons(row: &Value) -> Vec<&str> {
    row["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|button| button["custom_id"].as_str().unwrap())
        .collect()
}

/// The id of a message written so many milliseconds ago.
fn written_ago(milliseconds: i64, number: u64) -> MessageId {
    let since = clock::now() - milliseconds - 1_420_070_400_000;
    MessageId((u64::try_from(since).unwrap() << 22) + number)
}

#[tokio::test]
async fn a_turn_is_one_silent_message_with_buttons_and_a_link() {
    let mut discord = Recorder::kind().await;
    let (log, mut heard) = log(&discord.rest);
    log.show_turn(
        LOG,
        GUILD,
        TurnId(3),
        ChannelId(6),
        card("Spoke in #lounge"),
    );
    let recorded = discord.next().await;
    assert_eq!(recorded.what(), "POST /channels/600/messages");
    let message = recorded.json();
    assert_eq!(titles(&message), ["Spoke in #lounge"]);
    assert!(
        message["embeds"][0]["description"]
            .as_str()
            .unwrap()
            .contains("https://discord.com/channels/5/6/88")
    );
    assert_eq!(
        buttons(&message["components"][0]),
        ["kith:why:3", "kith:raw:3", "kith:pause:6:3", "kith:back:3"]
    );
    assert_eq!(
        (&message["flags"], &message["allowed_mentions"]),
        (&json!(4096), &json!({ "parse": [] }))
    );
    let logged = heard.recv().await;
    let Some(DiscordEvent::LogPosted {
        log,
        message,
        turns,
        earlier: false,
    }) = logged
    else {
        panic!("{logged:?}")
    };
    assert_eq!(
        (log, message, turns),
        (LOG, MessageId(1001), vec![TurnId(3)])
    );
}

#[tokio::test]
async fn what_said_nothing_has_nothing_to_take_back_and_a_notice_has_no_buttons() {
    let mut discord = Recorder::kind().await;
    let (log, _heard) = log(&discord.rest);
    log.show_turn(
        LOG,
        GUILD,
        TurnId(3),
        ChannelId(6),
        LogEmbed {
            severity: CardSeverity::Quiet,
            ..card("Silent")
        },
    );
    log.log_notice(LOG, GUILD, card("Reconnected"));
    let message = discord.next().await.json();
    assert_eq!(titles(&message), ["Silent", "Reconnected"]);
    let rows = message["components"].as_array().unwrap();
    assert_eq!(
        rows.iter().map(buttons).collect::<Vec<_>>(),
        [["kith:why:3", "kith:raw:3", "kith:pause:6:3"]]
    );
}

#[tokio::test]
async fn several_turns_share_a_message_and_are_told_apart_by_numbers() {
    let mut discord = Recorder::kind().await;
    let options = LogEmbedOptions {
        interval: Duration::ZERO,
        language: Language::ZH,
        ..LogEmbedOptions::default()
    };
    let (log, mut heard) = log_with(&discord.rest, options);
    for turn in 1..=7 {
        log.show_turn(
            LOG,
            GUILD,
            TurnId(turn),
            ChannelId(6),
            card(&format!("turn {turn}")),
        );
    }
    let message = discord.next().await.json();
    assert_eq!(
        titles(&message),
        ["① turn 1", "② turn 2", "③ turn 3", "④ turn 4", "⑤ turn 5"]
    );
    assert_eq!(message["components"].as_array().unwrap().len(), 5);
    assert_eq!(
        message["components"][4]["components"][0]["label"],
        "⑤ 为什么？"
    );
    assert_eq!(
        titles(&discord.next().await.json()),
        ["① turn 6", "② turn 7"]
    );
    let Some(DiscordEvent::LogPosted { turns, .. }) = heard.recv().await else {
        panic!()
    };
    assert_eq!(turns, [1, 2, 3, 4, 5].map(TurnId));
}

#[tokio::test]
async fn when_more_comes_than_can_be_shown_the_oldest_are_left_out_and_counted() {
    let mut discord = Recorder::kind().await;
    let (log, _heard) = log(&discord.rest);
    for number in 0..230 {
        log.log_notice(LOG, GUILD, card(&format!("notice {number}")));
    }
    let message = discord.next().await.json();
    assert!(
        message["content"]
            .as_str()
            .unwrap()
            .starts_with("30 older entries"),
        "{message}"
    );
    assert_eq!(
        (titles(&message)[0], titles(&message).len()),
        ("notice 30", 10)
    );
    assert_eq!(
        discord.next().await.json().get("content"),
        None,
        "it is said once"
    );
}

#[tokio::test]
async fn one_message_a_while_and_each_log_channel_for_itself() {
    let mut discord = Recorder::kind().await;
    let (log, mut heard) = log_with(
        &discord.rest,
        LogEmbedOptions {
            interval: Duration::from_secs(3600),
            ..LogEmbedOptions::default()
        },
    );
    log.log_notice(LOG, GUILD, card("first"));
    assert!(matches!(
        heard.recv().await,
        Some(DiscordEvent::LogPosted { .. })
    ));
    log.log_notice(LOG, GUILD, card("second"));
    log.log_notice(ChannelId(601), None, card("elsewhere"));
    assert!(matches!(
        heard.recv().await,
        Some(DiscordEvent::LogPosted {
            log: ChannelId(601),
            ..
        })
    ));
    assert_eq!(
        discord.others(),
        ["POST /channels/600/messages", "POST /channels/601/messages"]
    );
}

#[tokio::test]
async fn no_secret_is_shown_whatever_is_quoted() {
    let mut discord = Recorder::kind().await;
    let secrets = vec![
        Secret::new("sk_very_secret"),
        Secret::new("Bearer top-secret"),
    ];
    let (log, _heard) = log_with(
        &discord.rest,
        LogEmbedOptions {
            redactor: Redactor::new(&secrets),
            ..LogEmbedOptions::default()
        },
    );
    let said = "the key is sk_very_secret or top-secret".to_owned();
    let card = LogEmbed {
        title: said.clone(),
        text: said.clone(),
        fields: vec![(said.clone(), said.clone())],
        footer: said,
        ..LogEmbed::default()
    };
    log.log_notice(LOG, GUILD, card);
    let message = discord.next().await.json().to_string();
    assert!(
        !message.contains("very") && !message.contains("top-secret"),
        "{message}"
    );
    assert_eq!(message.matches("redacted").count(), 10, "{message}");
}

#[tokio::test]
async fn a_secret_that_the_settings_name_later_is_hidden_with_the_one_of_before() {
    let mut discord = Recorder::kind().await;
    let secrets = vec![Secret::new("sk_first_secret")];
    let (log, _heard) = log_with(
        &discord.rest,
        LogEmbedOptions {
            redactor: Redactor::new(&secrets),
            ..LogEmbedOptions::default()
        },
    );
    log.set_redactor(Redactor::new(&secrets).with_secrets(&[Secret::new("sk_second_secret")]));
    log.log_notice(
        LOG,
        GUILD,
        card("wrong key sk_second_secret; it was sk_first_secret"),
    );
    let message = discord.next().await.json().to_string();
    assert!(!message.contains("_secret"), "{message}");
}

#[tokio::test]
async fn where_it_may_not_write_the_host_is_told_once_and_how_to_mend_it() {
    for (status, code, cure) in [
        (403, 50013, "Embed Links"),
        (403, 50001, "View Channel"),
        (404, 10003, "Copy Channel ID"),
    ] {
        let mut discord = Recorder::open(move |_| refusal(status, code)).await;
        let (log, mut heard) = log(&discord.rest);
        log.log_notice(LOG, GUILD, card("first"));
        let Some(DiscordEvent::Notice(notice)) = heard.recv().await else {
            panic!()
        };
        assert!(notice.contains("600") && notice.contains(cure), "{notice}");
        log.log_notice(LOG, GUILD, card("second"));
        tokio::task::yield_now().await;
        assert_eq!(discord.others().len(), 1, "no storm of refusals");
        assert!(heard.try_recv().is_err());
    }
}

#[tokio::test]
async fn what_a_log_channel_did_not_take_is_really_asked_again_after_a_rest() {
    let mut refused = 0;
    let mut discord = Recorder::open(move |_| {
        refused += 1;
        if refused > 2 {
            (200, json!({ "id": "1001" }))
        } else {
            refusal(403, 50013)
        }
    })
    .await;
    let again = Duration::from_millis(20);
    let (log, mut heard) = log_with(
        &discord.rest,
        LogEmbedOptions {
            retry_wait: again,
            ..LogEmbedOptions::default()
        },
    );
    log.log_notice(LOG, GUILD, card("first"));
    let Some(DiscordEvent::Notice(_)) = heard.recv().await else {
        panic!()
    };
    let Some(DiscordEvent::LogPosted { .. }) = heard.recv().await else {
        panic!()
    };
    for _ in 0..3 {
        assert_eq!(titles(&discord.next().await.json()), ["first"]);
    }
}

#[tokio::test]
async fn what_discord_cannot_read_is_left_and_the_next_goes_on() {
    let discord = Recorder::open(|request| {
        let is_bad = request.json().to_string().contains("bad");
        if is_bad {
            refusal(400, 50035)
        } else {
            (200, json!({ "id": "9" }))
        }
    })
    .await;
    let (log, mut heard) = log(&discord.rest);
    log.show_turn(
        LOG,
        GUILD,
        TurnId(1),
        ChannelId(6),
        card(&"bad ".repeat(70)),
    );
    for turn in 2..=6 {
        log.show_turn(LOG, GUILD, TurnId(turn), ChannelId(6), card("good"));
    }
    let Some(DiscordEvent::LogPosted { turns, .. }) = heard.recv().await else {
        panic!()
    };
    assert_eq!(
        turns,
        [TurnId(6)],
        "what came in one message with it is lost with it"
    );
}

#[tokio::test]
async fn a_message_nobody_knows_of_comes_again_as_it_was_under_its_own_nonce() {
    let mut tries = 0;
    let mut discord = Recorder::open(move |_| {
        tries += 1;
        if tries == 1 {
            (500, Value::Null)
        } else {
            (200, json!({ "id": (1000 + tries).to_string() }))
        }
    })
    .await;
    let again = Duration::from_millis(300);
    let (log, mut heard) = log_with(
        &discord.rest,
        LogEmbedOptions {
            retry_wait: again,
            interval: Duration::ZERO,
            ..LogEmbedOptions::default()
        },
    );
    log.show_turn(LOG, GUILD, TurnId(1), ChannelId(6), card("first"));
    let first = discord.next().await.json();
    log.show_turn(LOG, GUILD, TurnId(2), ChannelId(6), card("second"));
    assert_eq!(
        discord.next().await.json(),
        first,
        "else it stands there twice, and one is never deleted"
    );
    let second = discord.next().await.json();
    assert_eq!(titles(&second), ["second"]);
    assert_ne!(second["nonce"], first["nonce"]);
    for turn in [1, 2] {
        let Some(DiscordEvent::LogPosted { turns, .. }) = heard.recv().await else {
            panic!()
        };
        assert_eq!(turns, [TurnId(turn)]);
    }
}
