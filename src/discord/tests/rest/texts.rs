//! What the companion wrote on its way to Discord: cut into messages, names made mentions. Nothing is lost, nothing is
//! too long, and nobody is pinged who was not named.

use std::sync::Arc;

use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, UserId};
use kith_core::directory::{
    Directory, Guild, GuildEmoji, GuildRole, GuildSticker, KnownChannel, PermissionSet,
    ThreadSupport,
};
use kith_core::message_split::split_message;
use kith_discord::send::{compute_nonce, render_mentions};
use proptest::prelude::*;

const GUILD: GuildId = GuildId(900);
pub const HERE: ChannelId = ChannelId(1);

/// A channel everybody in a guild sees.
pub fn text_channel(guild: GuildId, id: u64, name: &str) -> KnownChannel {
    let (id, guild, kind) = (ChannelId(id), Some(guild), ChannelKind::Group);
    KnownChannel {
        channel: Channel {
            id,
            guild,
            name: name.into(),
            topic: "".into(),
            kind,
            parent: None,
        },
        overwrites: Box::default(),
        nsfw: false,
        private: false,
        voice: false,
        has_text: true,
        archived: false,
        locked: false,
        threads: ThreadSupport::Public,
        created_at: 0,
        newest: Default::default(),
    }
}

/// A guild with people, emoji, stickers and channels; and one direct message, channel 50.
pub fn directory() -> Directory {
    let mut directory = Directory {
        me: UserId(99),
        ..Directory::default()
    };
    let emoji = |id, name, animated| GuildEmoji {
        id,
        name: Arc::from(name),
        animated,
    };
    let everyone = GuildRole {
        name: "@everyone".into(),
        permissions: PermissionSet(!0),
        position: 0,
        bot: None,
    };
    let guild = Guild {
        name: "Friends".into(),
        emoji: [emoji(71, "smile", false), emoji(72, "dance", true)].into(),
        stickers: [GuildSticker {
            id: 81,
            name: "Wave".into(),
        }]
        .into(),
        roles: [(GUILD.0, everyone)].into(),
        ..Guild::default()
    };
    let channels = [
        (1, "general"),
        (2, "games"),
        (3, "games-old"),
        (4, "twice"),
        (5, "twice"),
    ];
    directory.put_guild(
        GUILD,
        guild,
        channels
            .map(|(id, name)| text_channel(GUILD, id, name))
            .into(),
    );
    for (id, name) in [
        (11, "Anna"),
        (12, "Anna Maria"),
        (13, "小明"),
        (14, "Sam"),
        (15, "sam"),
        (16, "everyone"),
        (99, "Kith"),
    ] {
        directory.names.put(Some(GUILD), UserId(id), name.into());
    }
    directory.names.put(None, UserId(17), "Ben".into());
    directory
}

#[test]
fn names_become_what_discord_understands() {
    let directory = directory();
    for (written, sent, users) in [
        (
            "hi @Anna Maria and @anna!",
            "hi <@12> and <@11>!",
            &[12, 11][..],
        ),
        ("@小明你好，@Anna你好", "<@13>你好，<@11>你好", &[13, 11]),
        (
            "@Annabel, me@anna.org, https://x.org/@Anna, \\@Anna",
            "@Annabel, me@anna.org, https://x.org/@Anna, \\@Anna",
            &[],
        ),
        (
            "@Sam is two people, @Kith is me, @Ben is elsewhere",
            "@Sam is two people, @Kith is me, @Ben is elsewhere",
            &[],
        ),
        (
            "@everyone @here <@&5> <@11>",
            "@everyone @here <@&5> <@11>",
            &[],
        ),
        (
            ":smile: :dance: :nope: <:smile:71> 12:30:45",
            "<:smile:71> <a:dance:72> :nope: <:smile:71> 12:30:45",
            &[],
        ),
        (
            "#games, #games-old #twice #nope #1",
            "<#2>, <#3> #twice #nope #1",
            &[],
        ),
        (
            "`@Anna` ```\n@Anna :smile:\n``` @Anna ` @Anna",
            "`@Anna` ```\n@Anna :smile:\n``` <@11> ` <@11>",
            &[11],
        ),
        ("a < b @Anna > c", "a < b <@11> > c", &[11]),
    ] {
        let worded = render_mentions(&directory, HERE, written);
        assert_eq!(worded.content, sent);
        assert_eq!(
            worded.users,
            users.iter().map(|id| UserId(*id)).collect::<Vec<_>>(),
            "{written}"
        );
    }
}

#[test]
fn a_sticker_is_sent_as_it_is_read() {
    let directory = directory();
    let worded = render_mentions(
        &directory,
        HERE,
        "bye [sticker: wave] [贴纸: Wave] [sticker: nope]",
    );
    assert_eq!(
        (worded.content.as_str(), worded.stickers),
        ("bye  [贴纸: Wave] [sticker: nope]", vec![81])
    );
    let worded = render_mentions(&directory, HERE, "(贴纸: wave) (sticker: nope)");
    assert_eq!(
        (worded.content.as_str(), worded.stickers),
        ("(sticker: nope)", vec![81]),
        "as prompts show it"
    );
    assert_eq!(
        render_mentions(&directory, HERE, "[贴纸: Wave]").stickers,
        [81]
    );
}

#[test]
fn in_a_direct_message_nobody_else_is_named() {
    let worded = render_mentions(&directory(), ChannelId(50), " @Ben @Anna :smile: ");
    assert_eq!(
        (worded.content.as_str(), worded.users.len()),
        ("@Ben @Anna :smile:", 0)
    );
}

#[test]
fn each_part_has_a_nonce_of_its_own_that_discord_takes() {
    assert_eq!(
        (
            compute_nonce("1234567890123456789.12", 0).as_str(),
            compute_nonce("7.1", 2).as_str()
        ),
        ("1234567890123456789.12", "7.1+2")
    );
    let long = |part| compute_nonce("18446744073709551615.4294967295", part);
    assert_eq!(long(0), long(0));
    assert_ne!(long(0), long(1));
    assert!(long(0).len() <= 25 && long(10).len() <= 25);
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-z]{1,12} ",
        4 => "[a-z]{1,12}[.!?,] ",
        2 => "[\u{4e00}-\u{4e40}]{1,30}[，。！？]",
        1 => Just("\n\n".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just("<:smile:123456789012345678>".to_owned()),
        1 => Just("👩\u{200d}👩\u{200d}👧🏽".to_owned()),
        1 => "[x]{500,2500}",
        1 => Just("`".to_owned()),
        1 => Just("```".to_owned()),
        2 => "\n```[a-z]{0,5}\n([ ]{0,4}[a-z(){};]{0,40}\n){1,60}```\n",
    ];
    prop::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

/// What must not be lost: everything but white space and fences with their languages.
fn essence(text: &str) -> String {
    let mut essence = String::new();
    for (index, piece) in text.split("```").enumerate() {
        let is_code = index % 2 == 1;
        let is_language = |line: &&str| {
            line.len() <= 30
                && piece.len() > line.len()
                && line.chars().all(|c| c.is_ascii_graphic())
        };
        let language = piece
            .split('\n')
            .next()
            .filter(|_| is_code)
            .filter(is_language);
        essence.extend(
            piece[language.map_or(0, str::len)..]
                .chars()
                .filter(|c| !c.is_whitespace()),
        );
    }
    essence
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn parts_lose_nothing_fit_and_have_their_fences_balanced(text in text()) {
        let parts = split_message(&text);
        for part in &parts {
            let length = part.chars().count();
            prop_assert!((1..=2_000).contains(&length) && !part.trim().is_empty(), "{}", length);
        }
        let is_balanced = |text: &str| text.matches("```").count().is_multiple_of(2);
        if is_balanced(&text) {
            prop_assert!(parts.iter().all(|part| is_balanced(part)), "{:?}", parts);
            let kept: String = parts.iter().map(|part| essence(part)).collect();
            prop_assert_eq!(kept, essence(&text));
        }
    }

    #[test]
    fn any_text_is_cut_and_worded_without_a_fault(text in any::<String>(), times in 1usize..80) {
        let text = text.repeat(times);
        prop_assert!(split_message(&text).iter().all(|part| (1..=2_000).contains(&part.chars().count())));
        render_mentions(&directory(), HERE, &text);
    }

    #[test]
    fn what_names_nobody_pings_nobody(text in "[a-zA-Z@#:<>&`! 0-9\\\\\\[\\]]{0,80}") {
        let worded = render_mentions(&directory(), HERE, &text);
        for user in &worded.users {
            let token = format!("<@{user}>");
            prop_assert!(worded.content.contains(&token), "{:?}", worded);
        }
    }
}
