//! What holds in a channel: files, what moderators chose by hand, and the host's limits on that.

use kith::settings::{ChannelFacts, load};
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId};
use kith_core::manual_override::{ManualOverrides, OverrideRecord, OverrideScope, OverrideValue};
use kith_core::persona::Language;
use kith_core::policy::{BotPolicy, ChannelMode, ChannelPolicy};
use kith_core::talkativeness::Talkativeness;
use kith_tools::ToolRegistry;

use crate::settings::{channel, load_text, options, put};

const GUILD: OverrideScope = OverrideScope::Guild(GuildId(7));
const CHANNEL: OverrideScope = OverrideScope::Channel(ChannelId(8));
const THREAD: OverrideScope = OverrideScope::Channel(ChannelId(80));

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

fn mode_of(text: &str) -> OverrideValue {
    OverrideValue::Mode(match text {
        "on" => ChannelMode::On,
        "observe" => ChannelMode::Observe,
        _ => ChannelMode::Off,
    })
}

fn talks(as_much_as: Talkativeness) -> [(OverrideScope, OverrideValue); 1] {
    [(GUILD, OverrideValue::Talkativeness(as_much_as))]
}

/// Which mode holds: where, what the file says, what was chosen by hand, and the mode.
const MODES: &str = r#"
a new guild is off until somebody turns it on
    open | | | Off
    open | guild.7.mode = "observe" | | Observe
    open | guild.7.mode = "observe"; channel.8.mode = "on" | | On
    open | | channel on | On
    open | | guild observe, channel on | On
what moderators choose wins over the file
    open | guild.7.mode = "on"; channel.8.mode = "on" | guild off | Off
    open | guild.7.mode = "on"; channel.8.mode = "on" | guild off, channel observe | Observe
a mode of a whole guild reaches no hidden or age-restricted channel: it is named singly, the nearer one counts, and off reaches
    hidden | guild.7.mode = "on" | | Off
    hidden | | guild on | Off
    hidden | channel.8.mode = "observe" | guild on | Observe
    hidden | | channel on | On
    hidden | | channel on, guild off | On
    hidden | channel.8.mode = "on" | guild off | Off
    restricted | guild.7.mode = "on" | | Off
    restricted | | guild on | Off
    restricted | channel.8.mode = "observe" | guild on | Observe
    restricted | | channel on | On
    restricted | | channel on, guild off | On
    restricted | channel.8.mode = "on" | guild off | Off
a thread has the mode of its parent, unless it is private: not everybody who sees the parent sees it
    thread | channel.8.mode = "on" | | On
    thread | channel.8.mode = "on"; channel.80.mode = "off" | | Off
    thread | | channel on | On
    private thread | channel.8.mode = "on" | channel on | Off
    private thread | channel.8.mode = "on" | thread on | On
what the host locked moderators can only lower, and off is a lock, too
    open | guild.7.mode = "observe"; guild.7.locked = true | channel on | Observe
    open | guild.7.mode = "observe"; guild.7.locked = true | channel off | Off
    open | guild.7.mode = "observe"; guild.7.locked = true; channel.8.locked = false | channel on | On
    open | guild.7.locked = true | channel observe | Off
"#;

#[test]
fn the_mode_that_holds_follows_from_the_file_what_was_chosen_and_the_place() {
    let chosen = |choice: &str| match choice.trim().split_once(' ') {
        Some(("guild", mode)) => (GUILD, mode_of(mode)),
        Some(("channel", mode)) => (CHANNEL, mode_of(mode)),
        Some(("thread", mode)) => (THREAD, mode_of(mode)),
        other => panic!("{other:?}"),
    };
    for row in MODES.lines().filter(|line| line.starts_with(' ')) {
        let [place, file, by_hand, wanted] = row.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("{row}")
        };
        let here = ChannelFacts {
            hidden: place == "hidden" || place == "private thread",
            nsfw: place == "restricted",
            private: place == "private thread",
            ..discord()
        };
        let of = if place.ends_with("thread") {
            thread()
        } else {
            channel(8, 7)
        };
        let choices: Vec<_> = by_hand
            .split(',')
            .filter(|choice| !choice.is_empty())
            .map(chosen)
            .collect();
        let holds = policy(&file.replace("; ", "\n"), &of, &choices, &here).mode;
        assert_eq!(format!("{holds:?}"), wanted, "{row}");
    }
}

#[test]
fn a_thread_is_as_talkative_as_its_parent_and_thinks_with_its_model() {
    let file =
        "[guild.7]\ntalkativeness = 0.1\n[channel.8]\ntalkativeness = 0.7\nmodel = \"large\"";
    let here = policy(file, &thread(), &[], &discord());
    let wanted = (Talkativeness::Level(0.7), Some("large"));
    assert_eq!((here.talkativeness, here.model.as_deref()), wanted);
}

#[test]
fn moderators_can_make_it_as_talkative_as_the_host_allows() {
    let toml = "[discord]\nmax_talkativeness = 0.4\n[channel.9]\ntalkativeness = 0.8";
    let of =
        |file, id, choices: &[_]| policy(file, &channel(id, 7), choices, &discord()).talkativeness;
    let level = Talkativeness::Level;
    let file = "[channel.8]\ntalkativeness = 0.9";
    assert_eq!(of(file, 8, &talks(level(0.1))), level(0.1));
    assert_eq!(of(toml, 8, &talks(level(0.9))), level(0.4));
    assert_eq!(
        of(toml, 9, &[]),
        level(0.8),
        "the host is not limited by it"
    );
    let hourly = Talkativeness::Hourly;
    assert_eq!(of(toml, 8, &talks(hourly(4.0))), hourly(4.0));
    let told = "as often as that in a lively channel is more";
    assert_eq!(of(toml, 8, &talks(hourly(5.0))), level(0.4), "{told}");
}

#[test]
fn moderators_choose_among_the_personas_the_host_offers() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "bo.toml", "name = \"Bo\"\ntalkativeness = 0.2");
    put(&folder, "al.toml", "name = \"Al\"");
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
    put(&folder, "juno.toml", persona);
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
    for (pauses, until, why) in [
        (
            [(GUILD, 900, 10), (CHANNEL, 500, 20)],
            Some(900),
            "the longest",
        ),
        (
            [(CHANNEL, 500, 10), (THREAD, 20, 20)],
            None,
            "/kith pause 0 in the thread",
        ),
        (
            [(THREAD, 20, 20), (CHANNEL, 500, 30)],
            Some(500),
            "new, nothing below was ended",
        ),
        (
            [(THREAD, 30, 10), (CHANNEL, 500, 40)],
            Some(500),
            "one that is over hides no other",
        ),
        (
            [(THREAD, 500, 10), (CHANNEL, 20, 20)],
            Some(500),
            "ended above, it stays its own",
        ),
    ] {
        assert_eq!(paused(&pauses), until, "{why}");
    }
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
