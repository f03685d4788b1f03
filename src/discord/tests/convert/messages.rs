//! What becomes of messages, edits, reactions and typing.

mod irregular;
mod references;

use kith_core::chat::{AuthorKind, ChannelKind, MessageId, UserId};
use kith_core::event::ChatEvent;
use kith_core::persona::Language;
use kith_discord::DiscordEvent;
use kith_discord::convert::sort_messages;
use serde_json::{Value, json};

use super::support::{
    ConverterTest, GENERAL, ME, MY_ROLE, anna, guild, hears, member, message, ready, says, user,
    with,
};

/// The text a message with these fields is heard with; none if it is no chat.
fn text(language: Language, more: Value) -> Option<String> {
    hears(language, "MESSAGE_CREATE", &says(more))
        .into_iter()
        .find_map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Message(message),
                ..
            } => Some(message.text.to_string()),
            _ => None,
        })
}

fn check(more: Value, expected: &str) {
    assert_eq!(
        text(Language::EN, more.clone()).as_deref(),
        Some(expected),
        "{more}"
    );
}

fn file(name: &str, kind: &str, size: u64) -> Value {
    json!({"id": "1", "filename": name, "content_type": kind, "size": size, "url": "https://cdn.invalid/1",
        "proxy_url": "https://cdn.invalid/1"})
}

fn sticker() -> Value {
    json!({"id": "5", "name": "Wave", "format_type": 1})
}

#[test]
fn markup_is_read_as_names() {
    let ben = with(
        user(2, "ben77"),
        json!({"global_name": "Ben", "member": member(Some("Benny"))}),
    );
    let check = |content: &str, expected: &str| {
        check(
            json!({"content": content, "mentions": [ben.clone()]}),
            expected,
        );
    };
    check("<@2> and <@!2>, look", "@Benny and @Benny, look");
    check("<@3> who?", "@someone who?");
    check("<@99999999999999999999999999> who?", "@someone who?");
    check("see <#10>", "see #general");
    check("see <#11>", "see #unknown");
    check("see <#4711>", "see #unknown");
    check("ask <@&201> or <@&999>", "ask @Mods or @role");
    check("<@&100> up", "@everyone up");
    check("<:smile:301><a:dance:302>", ":smile::dance:");
    check(
        "at <t:1700000000:R> or <t:1700000000>",
        "at 2023-11-14 22:13 UTC or 2023-11-14 22:13 UTC",
    );
    check("try </kith why:77>", "try /kith why");
    check("1 < 2 <b> <3 <@x> <#> <::1>", "1 < 2 <b> <3 <@x> <#> <::1>");
    check("<<@2>5>", "‹@Benny5>");
    check("@everyone 你好", "@everyone 你好");
}

#[test]
fn what_is_sent_along_becomes_a_short_text() {
    check(
        json!({"content": "", "attachments": [file("cat.png", "image/png", 9)]}),
        "[image: cat.png]",
    );
    let shown = with(
        file("cat.png", "image/png", 9),
        json!({"description": "a cat on\n a [red] sofa"}),
    );
    check(
        json!({"content": "look", "attachments": [shown]}),
        "look [image: cat.png, “a cat on a (red) sofa”]",
    );
    let two = [
        file("x.pdf", "application/pdf", 2_100_000),
        file("a]b.zip", "", 900),
    ];
    check(
        json!({"content": "", "attachments": two}),
        "[file: x.pdf, 2 MB] [file: a)b.zip, 900 B]",
    );
    check(
        json!({"content": "", "attachments": [file("v.mp4", "video/mp4", 1_500)]}),
        "[video: v.mp4, 2 KB]",
    );
    let spoken = with(
        file("voice-message.ogg", "audio/ogg", 9),
        json!({"duration_secs": 12.4, "waveform": "AAAA"}),
    );
    check(
        json!({"content": "", "flags": 1 << 13, "attachments": [spoken]}),
        "[voice message: 12 s]",
    );
    check(
        json!({"content": "", "sticker_items": [sticker()]}),
        "[sticker: Wave]",
    );
    let poll = json!({
        "question": {"text": "pizza?"}, "expiry": null, "allow_multiselect": false, "layout_type": 1,
        "answers": [{"answer_id": 1, "poll_media": {"text": "yes"}}, {"answer_id": 2, "poll_media": {"text": "no"}}],
    });
    check(
        json!({"content": "", "poll": poll}),
        "[poll: pizza? — yes / no]",
    );
    let embed = json!({"type": "rich", "title": "Build 7", "description": "passed\nfor <@2>"});
    check(
        json!({"content": "", "embeds": [embed.clone()]}),
        "[embed: Build 7 — passed for @someone]",
    );
    check(
        json!({"content": "https://example.org", "embeds": [embed]}),
        "https://example.org",
    );
    let chinese = text(
        Language::ZH,
        json!({"content": "看", "attachments": [file("a.png", "image/png", 1)]}),
    );
    assert_eq!(chinese.as_deref(), Some("看 [图片: a.png]"));
}

#[test]
fn a_forward_says_what_it_forwards_and_is_no_reply() {
    let snapshot = json!({"message": {
        "type": 0, "content": "party on <@2>?", "embeds": [], "attachments": [file("map.png", "image/png", 1)],
        "timestamp": "2024-01-01T00:00:00Z", "edited_timestamp": null, "flags": 0, "mentions": [],
        "mention_roles": [], "components": [],
    }});
    let forward = says(json!({
        "content": "", "message_reference": {"type": 1, "channel_id": "11", "message_id": "5"},
        "message_snapshots": [snapshot],
    }));
    let message = message(&forward).unwrap();
    assert_eq!(
        &*message.text,
        "[forwarded] party on @someone? [image: map.png]"
    );
    assert_eq!(message.reply_to, None);
}

#[test]
fn a_reply_is_one_only_where_it_was_typed_as_one() {
    let reference = json!({"channel_id": "10", "message_id": "7", "guild_id": "100"});
    let reply_to = |kind: u8| {
        message(&says(json!({"type": kind, "message_reference": reference})))
            .unwrap()
            .reply_to
    };
    assert_eq!(reply_to(19), Some(MessageId(7)));
    assert_eq!(reply_to(0), None);
}

#[test]
fn a_reply_to_its_own_line_is_meant_for_it_though_the_ping_was_switched_off() {
    let reference = json!({"channel_id": "10", "message_id": "7", "guild_id": "100"});
    let mentions = |kind: u8, author: u64| {
        let answered = says(json!({"id": "7", "author": user(author, "x")}));
        let reply =
            json!({"type": kind, "message_reference": reference, "referenced_message": answered});
        message(&says(reply)).unwrap().mentions
    };
    assert_eq!(mentions(19, ME), [UserId(ME)]);
    assert_eq!(mentions(19, 77), []);
    assert_eq!(mentions(0, ME), [], "only where it was typed as one");
}

#[test]
fn notices_of_discord_are_no_chat() {
    for kind in [1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 18, 21, 22, 24, 25, 31] {
        assert_eq!(
            text(Language::EN, json!({"type": kind})),
            None,
            "type {kind}"
        );
    }
}

#[test]
fn the_author_is_told_by_kind_and_by_the_name_members_see() {
    let check = |more: Value, kind: AuthorKind, name: &str| {
        let author = message(&says(more.clone())).unwrap().author;
        assert_eq!((author.kind, &*author.name), (kind, name), "{more}");
    };
    let anna = with(user(1, "anna_01"), json!({"global_name": "Anna"}));
    check(
        json!({"author": anna, "member": member(Some("Änni"))}),
        AuthorKind::Person,
        "Änni",
    );
    check(json!({"author": anna}), AuthorKind::Person, "Anna");
    check(
        json!({"author": user(1, "anna_01")}),
        AuthorKind::Person,
        "anna_01",
    );
    check(
        json!({"author": user(1, "anna"), "member": member(Some("<@5>\n"))}),
        AuthorKind::Person,
        "‹@5>",
    );
    let bot = with(user(3, "beep"), json!({"bot": true}));
    check(json!({"author": bot}), AuthorKind::Bot, "beep");
    check(
        json!({"author": user(4, "hook"), "webhook_id": "4"}),
        AuthorKind::Webhook,
        "hook",
    );
    let answer = json!({"author": bot, "type": 20, "webhook_id": "3", "application_id": "3"});
    check(answer, AuthorKind::Bot, "beep");
    let me = with(user(ME, "kith-bot"), json!({"bot": true}));
    check(
        json!({"author": me, "member": member(Some("Kith"))}),
        AuthorKind::Companion,
        "Kith",
    );
}

#[test]
fn what_the_daemon_answers_to_commands_is_no_chat() {
    let me = with(user(ME, "kith-bot"), json!({"bot": true}));
    let metadata = json!({"id": "1", "type": 2, "user": user(1, "anna"), "authorizing_integration_owners": {}});
    assert_eq!(text(Language::EN, json!({"author": me, "type": 20})), None);
    assert_eq!(
        text(
            Language::EN,
            json!({"author": me, "type": 0, "interaction_metadata": metadata})
        ),
        None
    );
    assert_eq!(
        text(Language::EN, json!({"author": me, "type": 0, "flags": 64})),
        None
    );
}

#[test]
fn a_mention_of_its_managed_role_is_a_mention_of_the_companion() {
    let mentions = |more| message(&says(more)).unwrap().mentions;
    assert_eq!(mentions(json!({"mentions": [user(2, "ben")]})), [UserId(2)]);
    let mine =
        json!({"content": format!("<@&{MY_ROLE}> hi"), "mention_roles": [MY_ROLE.to_string()]});
    assert_eq!(mentions(mine.clone()), [UserId(ME)]);
    assert_eq!(&*message(&says(mine)).unwrap().text, "@Kith hi");
    assert_eq!(mentions(json!({"mention_roles": ["201"]})), []);
}

#[test]
fn the_time_is_the_snowflakes_and_the_nonce_is_only_its_own() {
    let heard = hears(
        Language::EN,
        "MESSAGE_CREATE",
        &says(json!({"nonce": "n-1"})),
    );
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Message(message), nonce: None, .. }] if message.at == 1_462_015_105_796)
    );
    let me = with(user(ME, "kith-bot"), json!({"bot": true}));
    for nonce in [json!("17"), json!(17)] {
        let heard = hears(
            Language::EN,
            "MESSAGE_CREATE",
            &says(json!({"nonce": nonce, "author": me})),
        );
        assert!(
            matches!(&heard[..], [DiscordEvent::Chat { nonce: Some(nonce), .. }] if nonce == "17")
        );
    }
}

#[test]
fn a_duplicate_is_heard_once() {
    let mut test = ConverterTest::new();
    assert_eq!(test.hear("MESSAGE_CREATE", says(json!({}))).len(), 1);
    assert_eq!(test.hear("MESSAGE_CREATE", says(json!({}))).len(), 0);
    assert_eq!(test.hear_raw("MESSAGE_CREATE", &says(json!({}))).len(), 0);
}

#[test]
fn the_first_direct_message_makes_its_channel_known() {
    let mut test = ConverterTest::new();
    let mut direct = says(json!({"channel_id": "77", "content": "psst"}));
    direct.as_object_mut().unwrap().remove("guild_id");
    direct.as_object_mut().unwrap().remove("member");
    let heard = test.hear("MESSAGE_CREATE", direct);
    assert!(
        matches!(&heard[..], [DiscordEvent::Channel(channel), DiscordEvent::Chat { event: ChatEvent::Message(_), .. }] if channel.0 == 77)
    );
    let directory = test.directory();
    let known = &directory
        .channels
        .values()
        .find(|known| known.channel.kind == ChannelKind::Direct)
        .unwrap();
    assert_eq!(
        (&*known.channel.name, known.channel.guild),
        ("", None),
        "nobody's name is kept with it"
    );
}

#[test]
fn an_edit_is_heard_when_the_words_changed() {
    let mut test = ConverterTest::new();
    test.hear("MESSAGE_CREATE", says(json!({"content": "hello <@2>"})));
    let edit = |content: &str| {
        says(json!({"content": content, "edited_timestamp": "2016-04-30T11:19:00Z"}))
    };
    let unfolded =
        says(json!({"content": "hello <@2>", "embeds": [{"type": "link", "title": "a page"}]}));
    assert!(test.hear("MESSAGE_UPDATE", unfolded).is_empty());
    let heard = test.hear("MESSAGE_UPDATE", edit("hello <@3>, <:smile:1>"));
    let [
        DiscordEvent::Chat {
            event:
                ChatEvent::Edit {
                    channel,
                    id,
                    author,
                    text,
                    at,
                },
            ..
        },
    ] = &heard[..]
    else {
        panic!("{heard:?}")
    };
    assert_eq!(
        (*channel, id.0, *author),
        (GENERAL, 175_928_847_299_117_063, AuthorKind::Person)
    );
    assert_eq!(
        (&**text, *at),
        ("hello @someone, :smile:", 1_462_015_140_000)
    );
    assert!(
        test.hear("MESSAGE_UPDATE", edit("hello <@3>, <:smile:1>"))
            .is_empty()
    );
    // Only links that were unfolded: no content at all.
    let embeds =
        json!({"id": "175928847299117063", "channel_id": "10", "guild_id": "100", "embeds": []});
    assert!(test.hear("MESSAGE_UPDATE", embeds).is_empty());
}

#[test]
fn an_edit_of_a_message_not_remembered_counts_if_discord_calls_it_one() {
    let heard = hears(
        Language::EN,
        "MESSAGE_UPDATE",
        &says(json!({"edited_timestamp": "2016-04-30T11:19:00Z"})),
    );
    assert!(matches!(
        &heard[..],
        [DiscordEvent::Chat {
            event: ChatEvent::Edit { .. },
            ..
        }]
    ));
    assert!(hears(Language::EN, "MESSAGE_UPDATE", &says(json!({}))).is_empty());
}

#[test]
fn deletions_reactions_and_typing_are_heard() {
    let one = json!({"id": "5", "channel_id": "10", "guild_id": "100"});
    let heard = hears(Language::EN, "MESSAGE_DELETE", &one);
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Delete { ids, .. }, .. }] if ids[..] == [MessageId(5)])
    );
    let many = json!({"ids": ["5", "6"], "channel_id": "10", "guild_id": "100"});
    let heard = hears(Language::EN, "MESSAGE_DELETE_BULK", &many);
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Delete { ids, .. }, .. }] if ids[..] == [MessageId(5), MessageId(6)])
    );
    let put = |name: Value, id: Value| {
        let who = with(member(Some("Anna")), json!({"user": user(1, "anna_01")}));
        json!({"channel_id": "10", "message_id": "5", "guild_id": "100", "user_id": "1", "member": who, "type": 0,
            "emoji": {"id": id, "name": name}, "burst": false})
    };
    let heard = hears(
        Language::EN,
        "MESSAGE_REACTION_ADD",
        &put(json!("👀"), json!(null)),
    );
    let [
        DiscordEvent::Chat {
            event:
                ChatEvent::Reaction {
                    author,
                    emoji,
                    added: true,
                    ..
                },
            ..
        },
    ] = &heard[..]
    else {
        panic!("{heard:?}")
    };
    assert_eq!(
        (author.id, &*author.name, author.kind, &**emoji),
        (anna(), "Anna", AuthorKind::Person, "👀")
    );
    let heard = hears(
        Language::EN,
        "MESSAGE_REACTION_REMOVE",
        &put(json!("smile"), json!("301")),
    );
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Reaction { emoji, added: false, .. }, .. }] if &**emoji == ":smile:")
    );
    let all = json!({"channel_id": "10", "message_id": "5", "guild_id": "100"});
    let heard = hears(Language::EN, "MESSAGE_REACTION_REMOVE_ALL", &all);
    assert!(matches!(
        &heard[..],
        [DiscordEvent::ReactionsCleared { emoji: None, .. }]
    ));
    let heard = hears(
        Language::EN,
        "MESSAGE_REACTION_REMOVE_EMOJI",
        &put(json!("👀"), json!(null)),
    );
    assert!(
        matches!(&heard[..], [DiscordEvent::ReactionsCleared { emoji: Some(emoji), .. }] if &**emoji == "👀")
    );
    let typing = |id: u64| json!({"channel_id": "10", "guild_id": "100", "user_id": id.to_string(), "timestamp": 1});
    let heard = hears(Language::EN, "TYPING_START", &typing(1));
    assert!(matches!(
        &heard[..],
        [DiscordEvent::Typing {
            user: UserId(1),
            ..
        }]
    ));
    assert!(hears(Language::EN, "TYPING_START", &typing(ME)).is_empty());
}

#[test]
fn in_a_history_people_bear_the_nick_they_were_seen_with() {
    let mut test = ConverterTest::new();
    test.hear(
        "MESSAGE_CREATE",
        says(json!({"id": "5", "member": member(Some("Änni"))})),
    );
    let mut old =
        says(json!({"id": "4", "author": with(user(1, "anna"), json!({"global_name": "Anna"}))}));
    old.as_object_mut().unwrap().remove("member");
    old.as_object_mut().unwrap().remove("guild_id");
    let heard = test.converter.convert_history(GENERAL, &[old]);
    assert_eq!(heard.len(), 1);
    assert_eq!(&*heard[0].message.author.name, "Änni");
}
