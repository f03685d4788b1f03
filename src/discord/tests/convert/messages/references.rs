//! What messages point at and whom they speak for: replies, threads, links, polls that ended, webhooks.

use kith_core::chat::ChannelId;
use kith_discord::webhooks::is_proxied;

use super::super::support::{SECRET, THREAD};
use super::*;

/// What was written before is heard again, with its channel.
fn earlier(value: &Value) -> Option<(ChannelId, String)> {
    hears(Language::EN, "MESSAGE_CREATE", value)
        .into_iter()
        .find_map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Earlier(message),
                ..
            } => Some((message.channel, message.text.to_string())),
            _ => None,
        })
}

#[test]
fn a_reply_brings_what_it_answers_unless_that_was_just_said() {
    let at = |seconds: u64| (175_928_847_299_117_063 - ((seconds * 1_000) << 22)).to_string();
    let reply = |id: &str, channel: ChannelId| {
        let answered = says(
            json!({"id": id, "channel_id": channel.to_string(), "content": "the key is <@1>"}),
        );
        let reference = json!({"channel_id": "10", "message_id": id});
        json!({"type": 19, "message_reference": reference, "referenced_message": answered})
    };
    let old = (GENERAL, "the key is @anna".to_owned());
    assert_eq!(earlier(&says(reply(&at(90), GENERAL))), Some(old));
    assert_eq!(earlier(&says(reply(&at(1), GENERAL))), None);
    assert_eq!(
        earlier(&says(reply(&at(90), SECRET))),
        None,
        "of another channel"
    );
    let gone = json!({"type": 19, "message_reference": {"channel_id": "10", "message_id": "7"}, "referenced_message": null});
    assert_eq!(earlier(&says(gone)), None);
}

#[test]
fn a_thread_brings_the_message_it_was_opened_at_into_its_channel() {
    let opened_at = says(json!({"id": THREAD.to_string(), "content": "a bike in the canal"}));
    let starter = says(json!({
        "type": 21, "channel_id": THREAD.to_string(), "content": "", "referenced_message": opened_at,
        "message_reference": {"channel_id": GENERAL.to_string(), "message_id": THREAD.to_string()},
    }));
    assert_eq!(
        earlier(&starter),
        Some((GENERAL, "a bike in the canal".into()))
    );
    assert_eq!(message(&starter), None);
}

#[test]
fn links_of_discord_are_words_but_those_to_messages_of_the_same_channel() {
    let here = "https://discord.com/channels/100/10/175928847299117063";
    for (text, heard) in [
        (format!("see {here}?"), format!("see {here}?")),
        ("see https://ptb.discord.com/channels/100/12/175928847299117063".into(), "see (message in #plans)".into()),
        ("<https://discordapp.com/channels/100/12>".into(), "<#plans>".into()),
        ("https://discord.com/channels/100/11/175928847299117063!".into(), "(message in #unknown)".into()),
        ("https://cdn.discordapp.com/emojis/175928847299117063.webp?size=48&name=blob".into(), ":blob:".into()),
        ("https://media.discordapp.net/attachments/175928847299117063/175928847299117064/a.png?ex=1".into(), "a.png".into()),
        ("https://discord.com/events/175928847299117063/175928847299117064".into(), "(Discord link)".into()),
        ("https://discord.com/safety and https://example.org/175928847299117063".into(), "https://discord.com/safety and https://example.org/175928847299117063".into()),
    ] {
        check(json!({ "content": text }), &heard);
    }
}

#[test]
fn what_became_of_a_poll_is_told() {
    let result = |fields: &[(&str, &str)]| {
        let fields: Vec<Value> = fields
            .iter()
            .map(|(name, value)| json!({"name": name, "value": value, "inline": false}))
            .collect();
        json!({"type": 46, "content": "", "embeds": [{"type": "poll_result", "fields": fields}]})
    };
    let (question, votes) = (("poll_question_text", "soup or pie?"), ("total_votes", "6"));
    let winner = [("victor_answer_text", "soup"), ("victor_answer_votes", "4")];
    check(
        result(&[question, winner[0], winner[1], votes]),
        "[poll ended: soup or pie? — soup, 4 of 6 votes]",
    );
    check(
        result(&[question, votes]),
        "[poll ended: soup or pie? — a tie, 6 votes]",
    );
}

#[test]
fn who_writes_through_a_webhook_is_a_person_where_the_settings_name_it() {
    let proxied = |name: &str, webhook: &str| {
        says(json!({
            "author": with(user(466, name), json!({"bot": true})), "webhook_id": webhook, "application_id": "500",
            "member": null, "content": "hey",
        }))
    };
    let author = |test: &mut ConverterTest, value: &Value| {
        let heard = test.hear_raw("MESSAGE_CREATE", value);
        heard.into_iter().find_map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Message(message),
                ..
            } => Some(message.author),
            _ => None,
        })
    };
    let mut test = ConverterTest::new();
    let stranger = author(&mut test, &proxied("Mo", "466")).unwrap();
    assert_eq!(
        (stranger.kind, stranger.id),
        (AuthorKind::Webhook, UserId(466))
    );
    let mut test = ConverterTest::new();
    test.converter.set_answered_webhooks(vec![500]);
    let mut next = |name: &str, webhook: &str, id: &str| {
        author(&mut test, &with(proxied(name, webhook), json!({"id": id}))).unwrap()
    };
    let (mo, mo_elsewhere, kit) = (
        next("Mo", "466", "1"),
        next("Mo", "467", "2"),
        next("Kit", "466", "3"),
    );
    assert_eq!((mo.kind, &*mo.name), (AuthorKind::Person, "Mo"));
    assert_eq!(mo.id, mo_elsewhere.id);
    assert!(mo.id != kit.id && is_proxied(mo.id) && is_proxied(kit.id));
}
