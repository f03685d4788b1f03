//! What the directory learns about guilds, channels, threads, roles and members.

use kith_core::chat::{ChannelId, ChannelKind, GuildId, UserId};
use kith_core::directory::ThreadSupport;
use kith_core::persona::Language;
use kith_discord::DiscordEvent;
use serde_json::{Value, json};

use super::support::{
    ConverterTest, GENERAL, GUILD, ME, MY_ROLE, SECRET, THREAD, anna, channel, guild, member,
    ready, role, says, thread, user, with,
};

/// What is heard of an event, as text: `Guild(GuildId(100))`.
fn check(test: &mut ConverterTest, kind: &str, value: Value, expected: &[&str]) {
    let heard: Vec<_> = test
        .hear(kind, value)
        .iter()
        .map(|heard| format!("{heard:?}"))
        .collect();
    assert_eq!(heard, expected, "{kind}");
}

#[test]
fn a_guild_is_known_with_all_that_is_in_it() {
    for test in [raw(), ConverterTest::new()] {
        let directory = test.directory();
        let known = &directory.guilds[&GUILD];
        assert_eq!(
            (&*known.name, known.owner, known.nick.as_deref()),
            ("The Pub", anna(), Some("Kith"))
        );
        assert_eq!(known.companion_roles[..], [MY_ROLE]);
        assert_eq!(
            directory
                .find_emoji(GUILD, "smile")
                .map(|emoji| (emoji.id, emoji.animated)),
            Some((301, true))
        );
        assert_eq!(
            directory
                .find_sticker(GUILD, "wave")
                .map(|sticker| sticker.id),
            Some(401)
        );
        let channels: Vec<_> = directory
            .list_channels(GUILD)
            .map(|known| known.channel.id)
            .collect();
        assert_eq!(channels, [GENERAL, SECRET, THREAD]);
        let thread = &directory.channels[&THREAD].channel;
        assert_eq!(
            (thread.kind, thread.parent, &*thread.name),
            (ChannelKind::Thread, Some(GENERAL), "plans")
        );
        let names: Vec<_> = directory
            .collect_own_names(Some(GUILD))
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["Kith", "kith-bot"]);
        assert!(
            directory.is_companion_role(GUILD, MY_ROLE) && !directory.is_companion_role(GUILD, 201)
        );
    }
}

/// The same guild, but with elements that cannot be read; they are left out.
fn raw() -> ConverterTest {
    let mut test = ConverterTest::nowhere(Language::EN);
    test.hear_raw("READY", &ready(&[GUILD.0]));
    let mut strange = guild();
    strange["roles"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "no id"}));
    strange["channels"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": {}, "type": "?"}));
    strange["emojis"].as_array_mut().unwrap().push(json!(7));
    for field in ["verification_level", "premium_tier", "stage_instances"] {
        strange.as_object_mut().unwrap().remove(field);
    }
    test.hear_raw("GUILD_CREATE", &strange);
    assert_eq!(test.converter.failures().lost, 1);
    test
}

#[test]
fn changes_reach_the_directory_and_are_heard() {
    let mut test = ConverterTest::new();
    let guild_changed = ["Guild(GuildId(100))"];
    let forum = ChannelId(20);
    let post = ChannelId(21);
    check(
        &mut test,
        "CHANNEL_CREATE",
        channel(forum, 15, "help", json!([])),
        &["Channel(ChannelId(20))"],
    );
    check(
        &mut test,
        "THREAD_CREATE",
        thread(post, 11, "how?", forum),
        &["Channel(ChannelId(21))"],
    );
    check(
        &mut test,
        "CHANNEL_UPDATE",
        channel(GENERAL, 0, "lobby", json!([])),
        &["Channel(ChannelId(10))"],
    );
    let created = json!({"guild_id": "100", "role": role(203, "New", 8)});
    check(&mut test, "GUILD_ROLE_CREATE", created, &guild_changed);
    check(
        &mut test,
        "GUILD_ROLE_DELETE",
        json!({"guild_id": "100", "role_id": "201"}),
        &guild_changed,
    );
    check(
        &mut test,
        "GUILD_EMOJIS_UPDATE",
        json!({"guild_id": "100", "emojis": []}),
        &guild_changed,
    );
    check(
        &mut test,
        "GUILD_STICKERS_UPDATE",
        json!({"guild_id": "100", "stickers": []}),
        &guild_changed,
    );
    let directory = test.directory();
    assert_eq!(&*directory.channels[&GENERAL].channel.name, "lobby");
    assert!(!directory.channels[&forum].has_text && directory.channels[&post].has_text);
    let known = &directory.guilds[&GUILD];
    assert_eq!(
        (
            known.roles.contains_key(&203),
            known.roles.contains_key(&201)
        ),
        (true, false)
    );
    assert_eq!((known.emoji.len(), known.stickers.len()), (0, 0));
    assert_eq!(known.nick.as_deref(), Some("Kith"));
    drop(directory);
    let gone = [
        "ChannelDeleted(ChannelId(20))",
        "ChannelDeleted(ChannelId(21))",
    ];
    check(
        &mut test,
        "CHANNEL_DELETE",
        channel(forum, 15, "help", json!([])),
        &gone,
    );
    assert!(!test.directory().channels.contains_key(&post));
}

#[test]
fn which_threads_a_channel_takes_is_known_and_what_a_forum_asks_of_a_post() {
    let mut test = ConverterTest::new();
    let tag = |id: &str, name: &str, moderated: bool| json!({"id": id, "name": name, "moderated": moderated, "emoji_id": null, "emoji_name": "🏷"});
    let forum = with(
        channel(ChannelId(20), 15, "help", json!([])),
        json!({"flags": 16, "available_tags": [tag("31", "Official", true), tag("32", "Question", false)]}),
    );
    test.hear("CHANNEL_CREATE", forum);
    test.hear(
        "CHANNEL_CREATE",
        channel(ChannelId(21), 5, "news", json!([])),
    );
    test.hear(
        "CHANNEL_CREATE",
        channel(ChannelId(22), 2, "voices", json!([])),
    );
    let directory = test.directory();
    let threads = |id: u64| directory.channels[&ChannelId(id)].threads.clone();
    assert_eq!(
        [threads(GENERAL.0), threads(21)],
        [ThreadSupport::Public, ThreadSupport::Announcement]
    );
    assert_eq!(
        [threads(22), threads(THREAD.0)],
        [ThreadSupport::Unsupported, ThreadSupport::Unsupported]
    );
    let ThreadSupport::Posts(rules) = threads(20) else {
        panic!("{:?}", threads(20))
    };
    assert_eq!((rules.requires_tag, rules.tags.len()), (true, 2));
    assert_eq!(
        (
            rules.choose_tag("how?", false),
            rules.choose_tag("how?", true)
        ),
        (Some(32), Some(31))
    );
    assert_eq!(
        rules.choose_tag("a question", true),
        Some(32),
        "the one it names"
    );
}

#[test]
fn a_thread_that_is_locked_is_known_as_such() {
    let mut test = ConverterTest::new();
    let mut locked = thread(THREAD, 11, "plans", GENERAL);
    locked["thread_metadata"]["locked"] = true.into();
    check(
        &mut test,
        "THREAD_UPDATE",
        locked,
        &["Channel(ChannelId(12))"],
    );
    assert!(
        test.directory().channels[&THREAD].locked && !test.directory().channels[&GENERAL].locked
    );
}

#[test]
fn an_id_no_database_can_keep_is_none() {
    let mut test = ConverterTest::new();
    // The host is told of the first thing that cannot be read.
    let is_left_out = |heard: &[DiscordEvent]| {
        heard
            .iter()
            .all(|heard| matches!(heard, DiscordEvent::Notice(_)))
    };
    for id in [u64::MAX, 1 << 63] {
        let strange = with(says(json!({})), json!({"id": id.to_string()}));
        assert!(is_left_out(&test.hear_raw("MESSAGE_CREATE", &strange)));
        let elsewhere = with(says(json!({})), json!({"channel_id": id.to_string()}));
        assert!(is_left_out(&test.hear_raw("MESSAGE_CREATE", &elsewhere)));
        let gone = json!({"channel_id": GENERAL.to_string(), "guild_id": "100", "ids": ["5", id.to_string()]});
        let heard = format!("{:?}", test.hear_raw("MESSAGE_DELETE_BULK", &gone));
        assert!(
            heard.contains("MessageId(5)") && !heard.contains(&id.to_string()),
            "{heard}"
        );
    }
}

#[test]
fn the_companion_learns_its_own_nick_roles_and_time_out() {
    let mut test = ConverterTest::new();
    let until = "2030-01-01T00:00:00Z";
    let own = with(
        member(Some("Mira")),
        json!({"guild_id": "100", "user": user(ME, "kith-bot"), "roles": ["201"],
            "communication_disabled_until": until}),
    );
    check(
        &mut test,
        "GUILD_MEMBER_UPDATE",
        own,
        &["Guild(GuildId(100))"],
    );
    let directory = test.directory();
    let known = &directory.guilds[&GUILD];
    assert_eq!(
        (known.nick.as_deref(), known.companion_roles[..].to_vec()),
        (Some("Mira"), vec![201])
    );
    assert_eq!(known.timed_out_until, Some(1_893_456_000_000));
}

#[test]
fn a_member_who_was_seen_is_known_by_the_new_name() {
    let mut test = ConverterTest::new();
    let renamed = |id: u64, nick: &str| {
        with(
            member(Some(nick)),
            json!({"guild_id": "100", "user": user(id, "x")}),
        )
    };
    test.hear("MESSAGE_CREATE", says(json!({})));
    check(&mut test, "GUILD_MEMBER_UPDATE", renamed(1, "Änni"), &[]);
    check(
        &mut test,
        "GUILD_MEMBER_UPDATE",
        renamed(2, "Never seen"),
        &[],
    );
    let directory = test.directory();
    assert_eq!(
        directory.find_name(Some(GUILD), anna()).map(|name| &**name),
        Some("Änni")
    );
    assert_eq!(directory.find_name(Some(GUILD), UserId(2)), None);
    assert_eq!(
        directory.find_named_user(Some(GUILD), "änni!"),
        Some((anna(), "änni".len()))
    );
}

#[test]
fn an_outage_is_not_a_farewell() {
    let mut test = ConverterTest::new();
    let away = ["GuildUnavailable(GuildId(100))"];
    check(
        &mut test,
        "GUILD_DELETE",
        json!({"id": "100", "unavailable": true}),
        &away,
    );
    assert!(test.directory().channels.contains_key(&GENERAL));
    check(
        &mut test,
        "GUILD_DELETE",
        json!({"id": "100"}),
        &["GuildRemoved(GuildId(100))"],
    );
    assert!(test.directory().channels.is_empty() && test.directory().guilds.is_empty());
}

#[test]
fn what_went_while_the_link_was_down_is_gone_after_it() {
    let mut test = ConverterTest::new();
    let mut smaller = guild();
    smaller["channels"].as_array_mut().unwrap().pop();
    smaller["threads"] = json!([]);
    let heard = ["Guild(GuildId(100))", "ChannelHidden(ChannelId(11))"];
    check(&mut test, "GUILD_CREATE", smaller, &heard);
    assert!(
        test.directory().channels[&THREAD].archived,
        "it is not gone"
    );
    check(
        &mut test,
        "THREAD_UPDATE",
        thread(THREAD, 11, "plans", GENERAL),
        &["Channel(ChannelId(12))"],
    );
    assert!(!test.directory().channels[&THREAD].archived);
    let mut resting = thread(THREAD, 11, "plans", GENERAL);
    resting["thread_metadata"]["archived"] = true.into();
    check(
        &mut test,
        "THREAD_UPDATE",
        resting,
        &["Channel(ChannelId(12))"],
    );
    assert!(test.directory().channels[&THREAD].archived);
    check(
        &mut test,
        "READY",
        ready(&[]),
        &[
            "SessionStarted(SessionGuilds { guilds: [], shard: (0, 1) })",
            "GuildsComplete",
        ],
    );
}

#[test]
fn a_guild_that_had_an_outage_comes_back_and_only_then_are_all_there() {
    let mut test = ConverterTest::new();
    check(
        &mut test,
        "READY",
        ready(&[GUILD.0]),
        &["SessionStarted(SessionGuilds { guilds: [GuildId(100)], shard: (0, 1) })"],
    );
    let away = json!({"id": "100", "unavailable": true});
    check(
        &mut test,
        "GUILD_DELETE",
        away,
        &["GuildUnavailable(GuildId(100))"],
    );
    check(
        &mut test,
        "GUILD_CREATE",
        guild(),
        &["Guild(GuildId(100))", "GuildsComplete"],
    );
}

#[test]
fn ready_of_one_shard_says_nothing_about_the_guilds_of_another() {
    let mut test = ConverterTest::new();
    let other = with(ready(&[]), json!({"shard": [1, 2]}));
    check(
        &mut test,
        "READY",
        other,
        &[
            "SessionStarted(SessionGuilds { guilds: [], shard: (1, 2) })",
            "GuildsComplete",
        ],
    );
    assert!(test.directory().guilds.contains_key(&GuildId(100)));
}

#[test]
fn threads_it_may_see_now_are_known_and_those_it_was_taken_out_of_are_not() {
    let mut test = ConverterTest::new();
    let private = ChannelId(30);
    let sync = json!({"guild_id": "100", "threads": [thread(private, 12, "hush", GENERAL)], "members": []});
    check(
        &mut test,
        "THREAD_LIST_SYNC",
        sync,
        &["Channel(ChannelId(30))"],
    );
    assert!(test.directory().channels[&private].private);
    let out = json!({"id": "30", "guild_id": "100", "member_count": 1, "removed_member_ids": [ME.to_string()]});
    check(
        &mut test,
        "THREAD_MEMBERS_UPDATE",
        out,
        &["ChannelHidden(ChannelId(30))"],
    );
    let archived = json!({"id": "12", "guild_id": "100", "parent_id": "10", "type": 11});
    check(
        &mut test,
        "THREAD_DELETE",
        archived,
        &["ChannelDeleted(ChannelId(12))"],
    );
    // One nobody told of, as an archived thread, may be on record.
    let untold = json!({"id": "77", "guild_id": "100", "parent_id": "10", "type": 11});
    check(
        &mut test,
        "THREAD_DELETE",
        untold,
        &["ChannelDeleted(ChannelId(77))"],
    );
}

#[test]
fn a_channel_with_a_rule_nobody_can_read_counts_as_private() {
    let mut test = ConverterTest::new();
    let strange = channel(
        SECRET,
        0,
        "secret",
        json!([{"id": "100", "type": 0, "allow": "0", "deny": {"bits": []}}]),
    );
    let below = ChannelId(50);
    test.hear_raw("CHANNEL_UPDATE", &strange);
    test.hear_raw("THREAD_CREATE", &thread(below, 11, "below", SECRET));
    let directory = test.directory();
    assert!(directory.is_hidden(SECRET) && directory.is_hidden(below));
    assert_eq!(directory.find_readable_channels(GENERAL), [GENERAL, THREAD]);
    assert_eq!(directory.find_readable_channels(SECRET), [SECRET]);
    assert_eq!(directory.find_readable_channels(below), [below]);
}
