//! Law 11: no text is shown where somebody could read it who cannot read its source. Held against brute force over all
//! sets of roles and all members that rules name.

use kith_core::chat::{ChannelId, ChannelKind, UserId};
use kith_core::directory::{
    Directory, GuildMember, KnownChannel, PermissionOverwrite, PermissionSet,
};
use proptest::prelude::*;

use super::permissions::{GUILD, ME, OWNER, for_member, for_role, guild, known};

const VIEW: PermissionSet = PermissionSet::VIEW_CHANNEL;
const HISTORY: PermissionSet = PermissionSet::READ_MESSAGE_HISTORY;
const CONNECT: PermissionSet = PermissionSet::CONNECT;
const NONE: PermissionSet = PermissionSet::NONE;
const MINE: u64 = 6;

/// Whether everybody who can view `here` can read `source`, by asking for every member there could be.
fn by_force(directory: &Directory, source: ChannelId, here: ChannelId) -> bool {
    let voice = if directory.channels[&source].voice {
        CONNECT
    } else {
        NONE
    };
    let needed = VIEW | HISTORY | voice;
    let roles: Vec<u64> = directory.guilds[&GUILD]
        .roles
        .keys()
        .copied()
        .filter(|id| ![1, MINE].contains(id))
        .collect();
    let members = [OWNER, UserId(50), UserId(51), UserId(52)];
    members.iter().all(|id| {
        (0..1_u32 << roles.len()).all(|set| {
            let held: Vec<u64> = roles
                .iter()
                .enumerate()
                .filter(|(place, _)| set >> place & 1 == 1)
                .map(|(_, role)| *role)
                .collect();
            let member = GuildMember {
                id: *id,
                roles: &held,
                timed_out: false,
            };
            !directory.compute_permissions(here, &member).has(VIEW)
                || directory.compute_permissions(source, &member).has(needed)
        })
    })
}

fn some_permissions() -> impl Strategy<Value = PermissionSet> {
    prop_oneof![4 => Just(NONE), 4 => Just(VIEW), 2 => Just(HISTORY), 1 => Just(CONNECT), 2 => Just(VIEW | HISTORY)]
}

fn some_overwrite() -> impl Strategy<Value = PermissionOverwrite> {
    let who = prop_oneof![
        (1_u64..=MINE).prop_map(|role| (false, role)),
        prop_oneof![Just(50), Just(51), Just(ME.0), Just(OWNER.0)].prop_map(|user| (true, user)),
    ];
    (who, some_permissions(), some_permissions()).prop_map(|((member, id), allow, deny)| {
        PermissionOverwrite {
            id,
            member,
            allow,
            deny,
        }
    })
}

fn some_channel(id: u64) -> impl Strategy<Value = KnownChannel> {
    (
        prop::collection::vec(some_overwrite(), 0..4),
        prop::bool::weighted(0.2),
    )
        .prop_map(move |(overwrites, voice)| {
            // Of one role or member there is one overwrite.
            let mut seen = Vec::new();
            let fresh = |one: &PermissionOverwrite| {
                let is_new = !seen.contains(&(one.member, one.id));
                seen.push((one.member, one.id));
                is_new
            };
            let overwrites: Vec<_> = overwrites.into_iter().filter(fresh).collect();
            KnownChannel {
                voice,
                ..known(id, ChannelKind::Group, None, &overwrites)
            }
        })
}

fn some_guild() -> impl Strategy<Value = Directory> {
    let role = prop_oneof![9 => some_permissions(), 1 => Just(PermissionSet::ADMINISTRATOR)];
    // Who may not write only looks, and then nothing can be said about joining.
    let everybody = prop_oneof![some_permissions(), Just(VIEW | HISTORY | CONNECT)]
        .prop_map(|permissions| permissions | PermissionSet::SEND_MESSAGES);
    let channels = (some_channel(10), some_channel(11), some_channel(12));
    (everybody, prop::collection::vec(role, 5), channels).prop_map(
        |(everybody, roles, (one, two, three))| {
            let roles: Vec<_> = [everybody]
                .into_iter()
                .chain(roles)
                .zip(1..)
                .map(|(role, id)| (id, role))
                .collect();
            let mut directory = guild(&roles);
            directory
                .guilds
                .get_mut(&GUILD)
                .unwrap()
                .roles
                .get_mut(&MINE)
                .unwrap()
                .bot = Some(ME);
            [one, two, three]
                .into_iter()
                .for_each(|known| directory.put_channel(known));
            directory
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_is_readable_that_brute_force_finds_a_leak_in(directory in some_guild()) {
        let channels = [ChannelId(10), ChannelId(11), ChannelId(12)];
        for here in channels {
            let readable = directory.find_readable_channels(here);
            prop_assert!(readable.contains(&here));
            for source in channels.into_iter().filter(|source| *source != here) {
                prop_assert!(
                    !readable.contains(&source) || by_force(&directory, source, here),
                    "text of {source} leaks into {here}"
                );
            }
        }
    }

    #[test]
    fn where_no_rule_names_a_member_all_that_is_safe_is_readable(mut directory in some_guild()) {
        let channels = [ChannelId(10), ChannelId(11), ChannelId(12)];
        for known in directory.channels.values_mut() {
            known.overwrites = known.overwrites.iter().copied().filter(|one| !one.member).collect();
        }
        for (here, source) in channels.into_iter().flat_map(|here| channels.map(|source| (here, source))) {
            if here != source {
                prop_assert_eq!(directory.is_readable_in(source, here), by_force(&directory, source, here));
            }
        }
    }

    #[test]
    fn a_channel_is_hidden_unless_everybody_sees_it(directory in some_guild()) {
        for channel in [ChannelId(10), ChannelId(11), ChannelId(12)] {
            let mut open = directory.clone();
            let everybody = PermissionSet::VIEW_CHANNEL | HISTORY;
            open.guilds.get_mut(&GUILD).unwrap().roles.get_mut(&1).unwrap().permissions = everybody;
            open.put_channel(known(13, ChannelKind::Group, None, &[]));
            if !open.is_hidden(channel) {
                let all_see = |id, held: &[u64]| {
                    open.compute_permissions(channel, &GuildMember { id, roles: held, timed_out: false }).has(VIEW)
                };
                prop_assert!((1..=5).all(|role| all_see(UserId(50), &[role]) && all_see(UserId(52), &[role])));
            }
        }
    }
}

/// A guild whose everybody may read all, with these channels.
fn with_channels(channels: Vec<KnownChannel>) -> Directory {
    let mut directory = guild(&[(1, VIEW | HISTORY | CONNECT), (2, NONE), (3, NONE)]);
    channels
        .into_iter()
        .for_each(|known| directory.put_channel(known));
    directory
}

fn check(directory: &Directory, here: u64, expected: &[u64]) {
    let mut readable: Vec<_> = directory
        .find_readable_channels(ChannelId(here))
        .iter()
        .map(|channel| channel.0)
        .collect();
    readable.sort_unstable();
    assert_eq!(readable, expected, "in {here}");
}

#[test]
fn public_text_is_readable_everywhere_and_private_text_where_only_its_readers_are() {
    let private = |id, role| {
        known(
            id,
            ChannelKind::Group,
            None,
            &[for_role(1, NONE, VIEW), for_role(role, VIEW, NONE)],
        )
    };
    let only_anna = known(
        15,
        ChannelKind::Group,
        None,
        &[for_role(1, NONE, VIEW), for_member(50, VIEW, NONE)],
    );
    let open = |id| known(id, ChannelKind::Group, None, &[]);
    let directory = with_channels(vec![
        open(10),
        open(11),
        private(12, 2),
        private(13, 2),
        private(14, 3),
        only_anna,
    ]);
    check(&directory, 10, &[10, 11]);
    check(&directory, 12, &[10, 11, 12, 13]);
    check(&directory, 14, &[10, 11, 14]);
    check(&directory, 15, &[10, 11, 15]);
    assert!(directory.is_hidden(ChannelId(12)) && !directory.is_hidden(ChannelId(10)));
    assert!(directory.is_hidden(ChannelId(4711)));
    assert!(
        directory.is_open(ChannelId(10))
            && ![12, 4711]
                .iter()
                .any(|id| directory.is_open(ChannelId(*id)))
    );
}

#[test]
fn threads_are_read_like_their_parent_and_closed_ones_only_in_themselves() {
    let closed = KnownChannel {
        private: true,
        ..known(13, ChannelKind::Thread, Some(10), &[])
    };
    let directory = with_channels(vec![
        known(10, ChannelKind::Group, None, &[]),
        known(11, ChannelKind::Group, None, &[for_role(1, NONE, VIEW)]),
        known(12, ChannelKind::Thread, Some(10), &[]),
        closed,
        known(14, ChannelKind::Thread, Some(11), &[]),
        known(20, ChannelKind::Direct, None, &[]),
        known(21, ChannelKind::Direct, None, &[]),
    ]);
    check(&directory, 10, &[10, 12]);
    check(&directory, 12, &[10, 12]);
    check(&directory, 13, &[10, 12, 13]);
    check(&directory, 14, &[10, 11, 12, 14]);
    check(&directory, 20, &[20]);
    assert!(directory.is_hidden(ChannelId(13)) && directory.is_hidden(ChannelId(14)));
    assert!(!directory.is_hidden(ChannelId(20)));
}

#[test]
fn age_restricted_text_stays_where_everybody_may_see_such() {
    let nsfw = |id| KnownChannel {
        nsfw: true,
        ..known(id, ChannelKind::Group, None, &[])
    };
    let thread = known(13, ChannelKind::Thread, Some(11), &[]);
    let directory = with_channels(vec![
        known(10, ChannelKind::Group, None, &[]),
        nsfw(11),
        nsfw(12),
        thread,
    ]);
    check(&directory, 10, &[10]);
    check(&directory, 12, &[10, 11, 12, 13]);
    assert!(directory.is_nsfw(ChannelId(13)) && !directory.is_nsfw(ChannelId(10)));
    let open = [10, 11, 13].map(|id| directory.is_open(ChannelId(id)));
    assert_eq!(
        open,
        [true, false, false],
        "what is remembered there shows up nowhere else"
    );
}

#[test]
fn text_of_a_voice_channel_is_only_for_those_who_may_join_it() {
    let voice = KnownChannel {
        voice: true,
        ..known(11, ChannelKind::Group, None, &[for_role(1, NONE, CONNECT)])
    };
    let directory = with_channels(vec![known(10, ChannelKind::Group, None, &[]), voice]);
    check(&directory, 10, &[10]);
    check(&directory, 11, &[10, 11]);
    assert!(!directory.is_open(ChannelId(11)));
}

#[test]
fn another_guilds_text_is_nobodys_here() {
    let mut directory = with_channels(vec![known(10, ChannelKind::Group, None, &[])]);
    let mut other = known(11, ChannelKind::Group, None, &[]);
    other.channel.guild = Some(kith_core::chat::GuildId(2));
    directory.put_channel(other);
    check(&directory, 10, &[10]);
    assert!(!directory.is_readable_in(ChannelId(11), ChannelId(10)));
}

/// A thousand guilds of 50 channels and 40 roles: the plain data, counted by hand.
#[test]
fn a_thousand_large_guilds_fit_in_sixty_megabytes() {
    use kith_core::directory::{Guild, GuildRole};
    use std::mem::size_of;
    // A map has room for the next power of two past 8/7 of what it holds, and one byte beside each.
    let map = |items: usize, pair: usize| (items * 8 / 7).next_power_of_two() * (pair + 1);
    let (guilds, channels, roles, overwrites, text) = (1_000, 50, 40, 6, 16 + 24);
    let one = map(roles, 8 + size_of::<GuildRole>())
        + roles * text
        + channels * (8 + overwrites * size_of::<PermissionOverwrite>() + 2 * text)
        + size_of::<Guild>();
    let all = guilds * one + map(guilds * channels, 8 + size_of::<KnownChannel>());
    assert!(all < 45_000_000, "{all} bytes");
}
