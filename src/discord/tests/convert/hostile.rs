//! Text from people is data: whatever they write or call themselves, nothing panics, and no id is left in a text.

use kith_core::chat::ChannelId;
use kith_core::event::ChatEvent;
use kith_discord::DiscordEvent;
use proptest::prelude::*;
use regex::Regex;
use serde_json::{Value, json};

use super::support::{ConverterTest, GENERAL, says, user, with};

/// Any markup with an id in it.
fn markup() -> Regex {
    Regex::new(r"<(@[!&]?\d+|#\d+|a?:\w+:\d+)>").unwrap()
}

/// Pieces that markup is made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<"),
        Just(">"),
        Just("@"),
        Just("!"),
        Just("&"),
        Just("#"),
        Just(":"),
        Just("a"),
        Just("/"),
        Just("t:"),
        Just("2"),
        Just("10"),
        Just("<@2>"),
        Just("<@"),
        Just("<:x:5>"),
        Just("<a"),
        Just("<#10>"),
        Just("<t:0>"),
        Just("99999999999999999999"),
        Just("小"),
        Just(" "),
        Just("\n"),
        Just("<@&201>"),
        Just("</"),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        pieces().prop_map(Value::from),
    ];
    let keys = "id|type|name|content|author|user|member|nick|emoji|message|roles|channels|threads|channel_id|guild_id|\
                embeds|title|fields|value|footer|components|label|accessory|attachments|filename|size|ids|question|answers|poll_media|text|allow|deny|tags";
    leaf.prop_recursive(3, 24, 6, move |inner| {
        let key = prop::sample::select(
            keys.split('|')
                .map(str::trim)
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        );
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn texts(heard: &[DiscordEvent]) -> Vec<String> {
    heard
        .iter()
        .filter_map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Message(message),
                ..
            } => Some(format!("{}: {}", message.author.name, message.text)),
            DiscordEvent::Chat {
                event: ChatEvent::Edit { text, .. },
                ..
            } => Some(text.to_string()),
            _ => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_id_is_left_in_a_text(content in pieces(), name in pieces(), nick in pieces(), file in pieces()) {
        let member = json!({"nick": nick, "roles": []});
        let mentions = json!([with(user(2, &name), json!({"member": member}))]);
        let attachment = json!({"id": "1", "filename": file, "description": content, "size": 1});
        let said = says(json!({
            "content": content, "author": user(3, &name), "mentions": mentions, "attachments": [attachment],
            "embeds": [{"title": name, "description": content, "fields": [{"name": nick, "value": content}]}],
            "components": [{"type": 10, "content": content}, {"type": 2, "label": nick}], "poll": {"question": {"text": content}},
            "message_snapshots": [{"message": {"content": content, "sticker_items": [{"name": nick}]}}],
        }));
        let mut test = ConverterTest::new();
        let heard = test.hear_raw("MESSAGE_CREATE", &said);
        prop_assert_eq!(heard.len(), 1);
        for text in texts(&heard) {
            prop_assert!(!markup().is_match(&text), "{}", text);
        }
    }

    #[test]
    fn no_json_is_too_strange(value in anything(), fields in prop::collection::vec((any::<prop::sample::Index>(), anything()), 0..4)) {
        let mut test = ConverterTest::new();
        let mut message = says(json!({}));
        for (place, strange) in fields {
            let names: Vec<String> = message.as_object().unwrap().keys().cloned().collect();
            message[place.get(&names).as_str()] = strange;
        }
        for kind in [
            "READY", "GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE", "GUILD_ROLE_CREATE", "GUILD_EMOJIS_UPDATE",
            "GUILD_MEMBER_UPDATE", "CHANNEL_CREATE", "CHANNEL_DELETE", "THREAD_LIST_SYNC", "THREAD_MEMBERS_UPDATE",
            "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "MESSAGE_REACTION_ADD",
            "MESSAGE_REACTION_REMOVE_EMOJI", "TYPING_START", "USER_UPDATE",
        ] {
            test.hear_raw(kind, &value);
            test.hear_raw(kind, &message);
        }
        test.converter.convert_history(GENERAL, &[value, message]);
        test.directory().find_readable_channels(ChannelId(10));
    }
}
