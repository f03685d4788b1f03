//! What may be done about members: nowhere by itself, near settings before far ones, and no power that nobody meant.

use kith::settings::ChannelFacts;
use kith_core::chat::{Channel, ChannelKind};
use kith_core::manual_override::ManualOverrides;
use kith_core::moderation::{ModerationKind, ModerationRequesters, ModerationSettings};

use crate::settings::{channel, complains, load_text};

const LOG: &str = "[discord.log]\nchannel = \"9\"\n";

fn moderation(toml: &str, of: &Channel) -> ModerationSettings {
    load_text(toml, &[])
        .unwrap()
        .resolve_channel_settings(of, &ManualOverrides::default(), &ChannelFacts::default())
        .moderation
}

#[test]
fn it_is_off_until_a_guild_or_a_channel_switches_it_on() {
    assert_eq!(moderation("", &channel(8, 7)).actions, []);
    let guild = format!("{LOG}[guild.7.moderation]\nactions = [\"ban_member\"]\n");
    let of_guild = moderation(&guild, &channel(8, 7));
    assert_eq!(
        (of_guild.actions, of_guild.caused_by),
        (
            vec![ModerationKind::BanMember],
            ModerationRequesters::Moderators
        )
    );
    assert!(
        moderation(&guild, &channel(8, 7)).is_approval_needed(ModerationKind::BanMember),
        "a click is what is wanted by default"
    );
    assert_eq!(moderation(&guild, &channel(8, 6)).actions, []);
    let both = format!(
        "{guild}[channel.8.moderation]\nactions = [\"delete_message\"]\ncaused_by = \"host\"\n"
    );
    let of_channel = moderation(&both, &channel(8, 7));
    assert_eq!(
        (of_channel.actions, of_channel.caused_by),
        (
            vec![ModerationKind::DeleteMessage],
            ModerationRequesters::Host
        )
    );
    let direct = Channel {
        kind: ChannelKind::Direct,
        guild: None,
        ..channel(8, 7)
    };
    assert_eq!(moderation(&both, &direct).actions, []);
    let small = format!("{guild}[model]\nprofile = \"small\"\n");
    assert_eq!(
        moderation(&small, &channel(8, 7)).actions,
        [],
        "a small model is not trusted with it"
    );
}

#[test]
fn the_invite_asks_for_what_is_switched_on_anywhere() {
    let actions = |toml: &str| load_text(toml, &[]).unwrap().discord.moderation_actions;
    assert_eq!(actions(""), []);
    let toml = format!(
        "{LOG}[guild.7.moderation]\nactions = [\"ban_member\"]\n[channel.8.moderation]\nactions = [\"kick_member\"]"
    );
    assert_eq!(
        actions(&toml),
        [ModerationKind::KickMember, ModerationKind::BanMember]
    );
}

#[test]
fn what_would_give_a_power_nobody_meant_is_an_error_with_its_line_and_cure() {
    let guild = "[guild.7.moderation]\n";
    complains(
        &format!("{guild}actions = [\"ban_member\"]"),
        &[],
        "kith.toml:2: error: `guild.7.moderation.actions` wait for a moderator's click, and there is no log channel to \
         ask in; set log_channel in the guild's table, or channel in [discord.log]",
    );
    complains(
        &format!(
            "{LOG}{guild}actions = [\"kick_member\"]\ncaused_by = \"anyone\"\nwithout_approval = [\"kick_member\"]"
        ),
        &[],
        "kith.toml:6: error: `guild.7.moderation` would let anybody have others punished by asking for it; write \
         caused_by = \"moderators\" (or \"host\"), or without_approval = []",
    );
    complains(
        &format!("{LOG}{guild}actions = [\"kick_member\"]\nwithout_approval = [\"ban_member\"]"),
        &[],
        "kith.toml:5: error: `guild.7.moderation.without_approval` names \"ban_member\", which is not switched on; name \
         it in `actions`, too, or take it out here",
    );
    complains(
        &format!("{LOG}{guild}approval_minutes = 0"),
        &[],
        "kith.toml:4: error: `guild.7.moderation.approval_minutes` is 0; write 1 to 10080 minutes",
    );
}

#[test]
fn a_tool_that_waits_for_a_click_needs_somewhere_to_ask_in() {
    let tool = "[tool.roll_dice]\napproval = true\n";
    assert!(load_text(tool, &[]).is_ok(), "in the room the page asks");
    assert!(load_text(&format!("{LOG}{tool}[guild.7]\nmode = \"on\"\n"), &[]).is_ok());
    assert!(load_text(&format!("{tool}[guild.7]\nlog_channel = \"9\"\n"), &[]).is_ok());
    complains(
        &format!("{tool}[guild.7]\nmode = \"on\"\n"),
        &[],
        "kith.toml:2: error: calls of `roll_dice` wait for a click, and `guild.7` has no log channel to ask in; set \
         log_channel in that table, or channel in [discord.log]",
    );
}
