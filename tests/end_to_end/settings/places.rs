//! What holds in a channel: files, what moderators chose by hand, and the host's limits on that.

use kith::settings::{ChannelFacts, load};
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId};
use kith_core::manual_override::{ManualOverrides, OverrideRecord, OverrideScope, OverrideValue};
use kith_core::persona::Language;
use kith_core::policy::{BotPolicy, ChannelMode, ChannelPolicy};
use kith_core::talkativeness::Talkativeness;
use kith_tools::ToolRegistry;

use crate::settings::{channel, load_text, options};

const GUILD: OverrideScope = OverrideScope::Guild(GuildId(7));
const CHANNEL: OverrideScope = OverrideScope::Channel(ChannelId(8));

fn by_hand(choices: &[(OverrideScope, OverrideValue)]) -> ManualOverrides {
    ManualOverrides::new(choices.iter().map(|(place, choice)| OverrideRecord {
        place: *place,
        choice: choice.clone(),
        by: None,
        at: 0,
    }))
}

/// A channel of a guild on Discord, where nothing is on by itself.
fn discord() -> ChannelFacts {
    ChannelFacts {
        default_mode: ChannelMode::Off,
        ..ChannelFacts::default()
    }
}

/// The thread 80 below channel 8 of guild 7.
fn thread() -> Channel {
    Channel {
        parent: Some(ChannelId(8)),
        kind: ChannelKind::Thread,
        ..channel(80, 7)
    }
}

fn policy(
    toml: &str,
    of: &Channel,
    choices: &[(OverrideScope, OverrideValue)],
    here: &ChannelFacts,
) -> ChannelPolicy {
    load_text(toml, &[])
        .unwrap()
        .resolve_channel_settings(of, &by_hand(choices), here)
}

fn mode(
    toml: &str,
    choices: &[(OverrideScope, OverrideValue)],
    here: &ChannelFacts,
) -> ChannelMode {
    policy(toml, &channel(8, 7), choices, here).mode
}

const ON: OverrideValue = OverrideValue::Mode(ChannelMode::On);
const OBSERVE: OverrideValue = OverrideValue::Mode(ChannelMode::Observe);
const OFF: OverrideValue = OverrideValue::Mode(ChannelMode::Off);

#[test]
fn a_new_guild_is_off_until_somebody_turns_it_on() {
    assert_eq!(mode("", &[], &discord()), ChannelMode::Off);
    assert_eq!(
        mode("[guild.7]\nmode = \"observe\"", &[], &discord()),
        ChannelMode::Observe
    );
    assert_eq!(
        mode(
            "[guild.7]\nmode = \"observe\"\n[channel.8]\nmode = \"on\"",
            &[],
            &discord()
        ),
        ChannelMode::On
    );
    assert_eq!(mode("", &[(CHANNEL, ON)], &discord()), ChannelMode::On);
    assert_eq!(
        mode("", &[(GUILD, OBSERVE), (CHANNEL, ON)], &discord()),
        ChannelMode::On
    );
}

#[test]
fn what_moderators_choose_wins_over_the_files() {
    let file = "[guild.7]\nmode = \"on\"\n[channel.8]\nmode = \"on\"\ntalkativeness = 0.9";
    assert_eq!(mode(file, &[(GUILD, OFF)], &discord()), ChannelMode::Off);
    assert_eq!(
        mode(file, &[(GUILD, OFF), (CHANNEL, OBSERVE)], &discord()),
        ChannelMode::Observe
    );
    let shy = [(
        GUILD,
        OverrideValue::Talkativeness(Talkativeness::Level(0.1)),
    )];
    assert_eq!(
        policy(file, &channel(8, 7), &shy, &discord()).talkativeness,
        Talkativeness::Level(0.1)
    );
}

#[test]
fn a_mode_of_a_whole_guild_reaches_no_hidden_or_age_restricted_channel() {
    let hidden = ChannelFacts {
        hidden: true,
        ..discord()
    };
    let restricted = ChannelFacts {
        nsfw: true,
        ..discord()
    };
    for here in [hidden, restricted] {
        assert_eq!(
            mode("[guild.7]\nmode = \"on\"", &[], &here),
            ChannelMode::Off
        );
        assert_eq!(mode("", &[(GUILD, ON)], &here), ChannelMode::Off);
        assert_eq!(
            mode("[channel.8]\nmode = \"observe\"", &[(GUILD, ON)], &here),
            ChannelMode::Observe,
            "named singly"
        );
        assert_eq!(
            mode("", &[(CHANNEL, ON)], &here),
            ChannelMode::On,
            "named singly"
        );
        assert_eq!(
            mode("", &[(CHANNEL, ON), (GUILD, OFF)], &here),
            ChannelMode::On,
            "the nearer one counts"
        );
        assert_eq!(
            mode("[channel.8]\nmode = \"on\"", &[(GUILD, OFF)], &here),
            ChannelMode::Off,
            "off reaches everywhere"
        );
    }
}

#[test]
fn a_thread_has_what_its_parent_has_unless_it_is_private() {
    let of = |toml: &str, choices: &[(OverrideScope, OverrideValue)], here: &ChannelFacts| {
        policy(toml, &thread(), choices, here)
    };
    let file = "[guild.7]\ntalkativeness = 0.1\n[channel.8]\nmode = \"on\"\ntalkativeness = 0.7\nmodel = \"large\"";
    let here = of(file, &[], &discord());
    assert_eq!(
        (here.mode, here.talkativeness, here.model.as_deref()),
        (ChannelMode::On, Talkativeness::Level(0.7), Some("large"))
    );
    assert_eq!(
        of(
            &format!("{file}\n[channel.80]\nmode = \"off\""),
            &[],
            &discord()
        )
        .mode,
        ChannelMode::Off
    );
    assert_eq!(of("", &[(CHANNEL, ON)], &discord()).mode, ChannelMode::On);
    let private = ChannelFacts {
        private: true,
        hidden: true,
        ..discord()
    };
    assert_eq!(
        of(file, &[(CHANNEL, ON)], &private).mode,
        ChannelMode::Off,
        "not everybody who sees the parent sees it"
    );
    assert_eq!(
        of(
            file,
            &[(OverrideScope::Channel(ChannelId(80)), ON)],
            &private
        )
        .mode,
        ChannelMode::On
    );
}

#[test]
fn what_the_host_locked_moderators_can_only_lower() {
    let locked = "[guild.7]\nmode = \"observe\"\nlocked = true";
    assert_eq!(
        mode(locked, &[(CHANNEL, ON)], &discord()),
        ChannelMode::Observe
    );
    assert_eq!(
        mode(locked, &[(CHANNEL, OFF)], &discord()),
        ChannelMode::Off
    );
    let unlocked = format!("{locked}\n[channel.8]\nlocked = false");
    assert_eq!(
        mode(&unlocked, &[(CHANNEL, ON)], &discord()),
        ChannelMode::On
    );
    assert_eq!(
        mode(
            "[guild.7]\nlocked = true",
            &[(CHANNEL, OBSERVE)],
            &discord()
        ),
        ChannelMode::Off,
        "off is a lock, too"
    );
}

#[test]
fn moderators_can_make_it_as_talkative_as_the_host_allows() {
    let toml = "[discord]\nmax_talkativeness = 0.4\n[channel.9]\ntalkativeness = 0.8";
    let chatty = [(
        GUILD,
        OverrideValue::Talkativeness(Talkativeness::Level(0.9)),
    )];
    assert_eq!(
        policy(toml, &channel(8, 7), &chatty, &discord()).talkativeness,
        Talkativeness::Level(0.4)
    );
    assert_eq!(
        policy(toml, &channel(9, 7), &[], &discord()).talkativeness,
        Talkativeness::Level(0.8),
        "the host is not limited by it"
    );
    let hourly = [(
        GUILD,
        OverrideValue::Talkativeness(Talkativeness::Hourly(4.0)),
    )];
    let of = |choice| policy(toml, &channel(8, 7), choice, &discord()).talkativeness;
    assert_eq!(of(&hourly), Talkativeness::Hourly(4.0));
    let hourly = [(
        GUILD,
        OverrideValue::Talkativeness(Talkativeness::Hourly(5.0)),
    )];
    assert_eq!(
        of(&hourly),
        Talkativeness::Level(0.4),
        "as often as that in a lively channel is more"
    );
}

#[test]
fn moderators_choose_among_the_personas_the_host_offers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("bo.toml"),
        "name = \"Bo\"\ntalkativeness = 0.2",
    )
    .unwrap();
    std::fs::write(folder.path().join("al.toml"), "name = \"Al\"").unwrap();
    let toml = "[personas]\nbo = \"bo.toml\"\n[channel.8]\npersona = \"al.toml\"";
    let settings = load(&options(folder.path(), toml, &[])).unwrap();
    assert_eq!(settings.personas.keys().collect::<Vec<_>>(), ["bo"]);
    let persona = |choices: &[(OverrideScope, OverrideValue)]| {
        settings
            .resolve_channel_settings(&channel(8, 7), &by_hand(choices), &discord())
            .persona
            .name
            .clone()
    };
    assert_eq!(persona(&[]), "Al");
    assert_eq!(
        persona(&[(GUILD, OverrideValue::Persona("bo".into()))]),
        "Bo"
    );
    assert_eq!(
        persona(&[(GUILD, OverrideValue::Persona("gone".into()))]),
        "Al",
        "no longer on offer"
    );
}

#[test]
fn all_its_names_are_one_identity() {
    let here = ChannelFacts {
        names: vec!["Jojo".into(), "JUNO".into(), " ".into(), "kith-bot".into()],
        ..discord()
    };
    let persona = "name = \"Juno\"\naliases = [\"junie\"]";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("juno.toml"), persona).unwrap();
    let settings = load(&options(folder.path(), "persona = \"juno.toml\"", &[])).unwrap();
    let names = settings
        .resolve_channel_settings(&channel(8, 7), &ManualOverrides::default(), &here)
        .names;
    assert_eq!(names, ["Juno", "junie", "Jojo", "kith-bot"]);
}

#[test]
fn the_longest_of_several_pauses_counts_until_one_is_ended_nearer() {
    let paused = |pauses: &[(OverrideScope, i64, i64)]| {
        let set = |(place, until, at): &(OverrideScope, i64, i64)| {
            let choice = OverrideValue::PausedUntil(*until);
            OverrideRecord {
                place: *place,
                choice,
                by: None,
                at: *at,
            }
        };
        let by_hand = ManualOverrides::new(pauses.iter().map(set));
        load_text("", &[])
            .unwrap()
            .resolve_channel_settings(&thread(), &by_hand, &discord())
            .paused_until
    };
    let thread = OverrideScope::Channel(ChannelId(80));
    assert_eq!(paused(&[(GUILD, 900, 10), (CHANNEL, 500, 20)]), Some(900));
    assert_eq!(
        paused(&[(CHANNEL, 500, 10), (thread, 20, 20)]),
        None,
        "/kith pause 0 in the thread"
    );
    assert_eq!(
        paused(&[(thread, 20, 20), (CHANNEL, 500, 30)]),
        Some(500),
        "a new one below which nothing was ended"
    );
    assert_eq!(
        paused(&[(thread, 30, 10), (CHANNEL, 500, 40)]),
        Some(500),
        "one that is over hides no other"
    );
    assert_eq!(
        paused(&[(thread, 500, 10), (CHANNEL, 20, 20)]),
        Some(500),
        "ended above, it stays its own"
    );
}

#[test]
fn what_it_may_begin_by_itself_is_set_for_all_for_a_guild_and_for_a_channel() {
    let toml = "[initiative]\nwakes_a_day = 2\nhours = \"08:00-20:00 Asia/Tokyo\"\n[guild.7]\nopenings_a_day = 2\nwakes_a_day = 0\n\
                [channel.5]\nopenings_a_day = 1\n";
    let limits = |of: &Channel| {
        let initiative = policy(toml, of, &[], &discord()).initiative;
        (
            initiative.wakes_a_day,
            initiative.openings_a_day,
            initiative.hours.to_string(),
        )
    };
    let hours = || "08:00-20:00 Asia/Tokyo".to_owned();
    assert_eq!(limits(&channel(5, 7)), (0, 1, hours()));
    assert_eq!(
        limits(&Channel {
            guild: None,
            ..channel(6, 7)
        }),
        (2, 0, hours())
    );
    let settings = load_text(toml, &[]).unwrap();
    let tools = ToolRegistry::load_builtin();
    let waits = |of: &Channel| {
        settings
            .resolve_tools(of, &tools, Language::EN)
            .iter()
            .any(|tool| tool.name == "wait_for")
    };
    assert!(
        !waits(&channel(5, 7))
            && waits(&Channel {
                guild: None,
                ..channel(6, 7)
            }),
        "who is never woken needs no such tool"
    );
}

#[test]
fn quiet_hours_models_bots_and_rights_are_in_the_policy() {
    let toml = "quiet_hours = \"23:00-08:00\"\n[discord]\nbots = \"limited\"\n[guild.7]\nquiet_hours = \"12:00-13:00 Asia/Tokyo\"\n\
                model = \"small\"";
    let quiet = |of: &Channel| {
        policy(toml, of, &[], &discord())
            .quiet_hours
            .map(|hours| hours.to_string())
    };
    assert_eq!(
        quiet(&channel(8, 7)).as_deref(),
        Some("12:00-13:00 Asia/Tokyo")
    );
    assert_eq!(quiet(&channel(8, 6)).as_deref(), Some("23:00-08:00"));
    let here = policy(
        toml,
        &channel(8, 7),
        &[],
        &ChannelFacts {
            may_send: false,
            ..discord()
        },
    );
    assert_eq!(
        (here.bots, here.may_send, here.model.as_deref()),
        (BotPolicy::Limited, false, Some("small"))
    );
}

#[test]
fn tools_can_be_listed_for_a_guild_or_a_channel() {
    let toml = "[guild.7]\ntools = [\"send_message\", \"stay_silent\"]\n[channel.8]\ntools = [\"react\"]\n\
                [guild.5]\ntools = [\"default\", \"calculate\"]";
    let settings = load_text(toml, &[]).unwrap();
    let registry = ToolRegistry::load_builtin();
    let names = |of: &Channel| {
        let allowed = settings.resolve_tools(of, &registry, Language::EN);
        allowed
            .iter()
            .map(|tool| tool.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&channel(9, 7)), ["send_message", "stay_silent"]);
    assert_eq!(names(&channel(8, 7)), ["react"]);
    assert_eq!(names(&thread()), ["react"]);
    let more = names(&channel(9, 5));
    assert_eq!(
        (more.len(), more.last().map(String::as_str)),
        (names(&channel(9, 6)).len() + 1, Some("calculate"))
    );
    assert_eq!(
        names(&channel(9, 6)).len(),
        registry.select(&["default".to_owned()], Language::EN).len()
    );
}
