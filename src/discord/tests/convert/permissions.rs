//! Who may do what where, by the rules Discord documents.

use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, MessageId, UserId};
use kith_core::directory::{
    Directory, Guild, GuildMember, GuildRole, KnownChannel, PermissionOverwrite, PermissionSet,
    ThreadSupport,
};
use kith_core::moderation::{DenialReason, ModerationAction, ModerationKind};

pub const GUILD: GuildId = GuildId(1);
pub const ME: UserId = UserId(9);
pub const OWNER: UserId = UserId(8);
const VIEW: PermissionSet = PermissionSet::VIEW_CHANNEL;
const SEND: PermissionSet = PermissionSet::SEND_MESSAGES;
const THREADS: PermissionSet = PermissionSet::SEND_MESSAGES_IN_THREADS;
const HISTORY: PermissionSet = PermissionSet::READ_MESSAGE_HISTORY;
const REACT: PermissionSet = PermissionSet::ADD_REACTIONS;
const ADMIN: PermissionSet = PermissionSet::ADMINISTRATOR;
const NONE: PermissionSet = PermissionSet::NONE;

/// A guild of mine with these roles; number 1 is everybody's.
pub fn guild(roles: &[(u64, PermissionSet)]) -> Directory {
    let role = |(id, permissions): &(u64, PermissionSet)| {
        let role = GuildRole {
            name: "role".into(),
            permissions: *permissions,
            position: *id as u16,
            bot: None,
        };
        (*id, role)
    };
    let guild = Guild {
        owner: OWNER,
        roles: roles.iter().map(role).collect(),
        ..Guild::default()
    };
    let mut directory = Directory {
        me: ME,
        ..Directory::default()
    };
    directory.put_guild(GUILD, guild, Vec::new());
    directory
}

pub fn known(
    id: u64,
    kind: ChannelKind,
    parent: Option<u64>,
    overwrites: &[PermissionOverwrite],
) -> KnownChannel {
    let guild = (kind != ChannelKind::Direct).then_some(GUILD);
    let parent = parent.map(ChannelId);
    let (name, topic) = ("channel".into(), "".into());
    KnownChannel {
        channel: Channel {
            id: ChannelId(id),
            guild,
            name,
            topic,
            kind,
            parent,
        },
        overwrites: overwrites.into(),
        nsfw: false,
        private: kind == ChannelKind::Direct,
        voice: false,
        has_text: true,
        archived: false,
        locked: false,
        threads: ThreadSupport::Public,
        created_at: 0,
        newest: Default::default(),
    }
}

pub fn for_role(id: u64, allow: PermissionSet, deny: PermissionSet) -> PermissionOverwrite {
    PermissionOverwrite {
        id,
        member: false,
        allow,
        deny,
    }
}

pub fn for_member(id: u64, allow: PermissionSet, deny: PermissionSet) -> PermissionOverwrite {
    PermissionOverwrite {
        id,
        member: true,
        allow,
        deny,
    }
}

/// What member 5 with these roles may do in a channel with these overwrites.
fn allowed(
    everybody: PermissionSet,
    roles: &[(u64, PermissionSet)],
    overwrites: &[PermissionOverwrite],
) -> PermissionSet {
    let all: Vec<_> = [(1, everybody)].iter().chain(roles).copied().collect();
    let mut directory = guild(&all);
    directory.put_channel(known(10, ChannelKind::Group, None, overwrites));
    let roles: Vec<_> = roles.iter().map(|(id, _)| *id).collect();
    directory.compute_permissions(
        ChannelId(10),
        &GuildMember {
            id: UserId(5),
            roles: &roles,
            timed_out: false,
        },
    )
}

#[test]
fn overwrites_count_for_everybody_then_for_roles_then_for_the_member() {
    let check = |everybody, roles: &[_], overwrites: &[_], expected: PermissionSet| {
        assert_eq!(
            allowed(everybody, roles, overwrites),
            expected,
            "{everybody:?} {roles:?} {overwrites:?}"
        );
    };
    let both = VIEW | SEND;
    check(both, &[], &[], both);
    check(VIEW, &[(2, SEND)], &[], both);
    check(both, &[], &[for_role(1, NONE, SEND)], VIEW);
    check(VIEW, &[], &[for_role(1, SEND, NONE)], both);
    // A role beats everybody, allowing beats denying among roles, and the member beats all.
    check(
        both,
        &[(2, NONE)],
        &[for_role(1, NONE, SEND), for_role(2, SEND, NONE)],
        both,
    );
    check(
        both,
        &[(2, NONE), (3, NONE)],
        &[for_role(2, NONE, SEND), for_role(3, SEND, NONE)],
        both,
    );
    check(
        both,
        &[(2, NONE)],
        &[for_role(2, SEND, NONE), for_member(5, NONE, SEND)],
        VIEW,
    );
    check(
        both,
        &[],
        &[for_role(1, NONE, SEND), for_member(5, SEND, NONE)],
        both,
    );
    // Overwrites of others do not count, and a member is no role.
    check(
        both,
        &[],
        &[
            for_role(2, NONE, SEND),
            for_member(6, NONE, VIEW),
            for_role(5, NONE, SEND),
        ],
        both,
    );
    // Without seeing nothing counts; without writing all but what belongs to messages of one's own.
    check(
        both | REACT | HISTORY,
        &[],
        &[for_role(1, NONE, VIEW)],
        NONE,
    );
    let of_messages = THREADS | PermissionSet::ATTACH_FILES | PermissionSet::SEND_POLLS;
    check(
        VIEW | REACT | HISTORY | of_messages,
        &[],
        &[],
        VIEW | HISTORY | REACT,
    );
    check(
        both | REACT | of_messages,
        &[],
        &[for_role(1, NONE, SEND)],
        VIEW | REACT,
    );
    // Administrators may everything, whatever a channel says.
    check(
        both,
        &[(2, ADMIN)],
        &[for_role(1, NONE, VIEW), for_member(5, NONE, both)],
        PermissionSet::ALL,
    );
}

#[test]
fn the_owner_may_everything() {
    let mut directory = guild(&[(1, NONE)]);
    directory.put_channel(known(
        10,
        ChannelKind::Group,
        None,
        &[for_role(1, NONE, VIEW)],
    ));
    let owner = GuildMember {
        id: OWNER,
        roles: &[],
        timed_out: false,
    };
    assert_eq!(
        directory.compute_permissions(ChannelId(10), &owner),
        PermissionSet::ALL
    );
}

#[test]
fn a_member_who_is_timed_out_only_looks() {
    let mut directory = guild(&[(1, VIEW | SEND | HISTORY | REACT), (2, ADMIN)]);
    directory.put_channel(known(10, ChannelKind::Group, None, &[]));
    let of = |roles| {
        directory.compute_permissions(
            ChannelId(10),
            &GuildMember {
                id: UserId(5),
                roles,
                timed_out: true,
            },
        )
    };
    assert_eq!(of(&[]), VIEW | HISTORY);
    assert_eq!(of(&[2]), PermissionSet::ALL);
}

#[test]
fn in_threads_the_parents_rules_hold_and_writing_is_a_right_of_its_own() {
    let everybody = VIEW | HISTORY | SEND;
    for (thread_right, overwrites, may_send) in [
        (NONE, vec![], false),
        (THREADS, vec![], true),
        (THREADS, vec![for_role(1, NONE, SEND)], true),
        (THREADS, vec![for_role(1, NONE, THREADS)], false),
        (THREADS, vec![for_role(1, NONE, VIEW)], false),
    ] {
        let mut directory = guild(&[(1, everybody | thread_right)]);
        directory.put_channel(known(10, ChannelKind::Group, None, &overwrites));
        directory.put_channel(known(11, ChannelKind::Thread, Some(10), &[]));
        assert_eq!(
            directory.may_send(ChannelId(11), 0),
            may_send,
            "{overwrites:?}"
        );
    }
    let mut orphan = guild(&[(1, PermissionSet::ALL)]);
    orphan.put_channel(known(11, ChannelKind::Thread, Some(10), &[]));
    assert!(
        !orphan.may_view(ChannelId(11), 0),
        "what its parent says is not known"
    );
}

#[test]
fn a_locked_thread_lets_only_those_write_and_react_who_manage_threads() {
    for (manages, may) in [(NONE, false), (PermissionSet::MANAGE_THREADS, true)] {
        let mut directory = guild(&[(1, VIEW | HISTORY | THREADS | REACT | manages)]);
        directory.put_channel(known(10, ChannelKind::Group, None, &[]));
        directory.put_channel(KnownChannel {
            locked: true,
            ..known(11, ChannelKind::Thread, Some(10), &[])
        });
        let thread = ChannelId(11);
        assert_eq!(
            (
                directory.may_send(thread, 0),
                directory.may_react(thread, true, 0)
            ),
            (may, may)
        );
        assert!(directory.may_read_history(thread, 0));
    }
}

#[test]
fn reacting_takes_the_history_and_a_permission_for_new_emoji_and_none_to_write() {
    let here = ChannelId(11);
    let may = |permissions: PermissionSet, change: fn(&mut Directory)| {
        let mut directory = guild(&[(1, permissions)]);
        directory.put_channel(known(10, ChannelKind::Group, None, &[]));
        directory.put_channel(known(11, ChannelKind::Thread, Some(10), &[]));
        change(&mut directory);
        (
            directory.may_react(here, false, 5),
            directory.may_react(here, true, 5),
        )
    };
    let unchanged = |_: &mut Directory| {};
    assert_eq!(may(VIEW | HISTORY | REACT, unchanged), (true, true));
    assert_eq!(may(VIEW | HISTORY, unchanged), (false, true));
    assert_eq!(may(VIEW | REACT, unchanged), (false, false));
    assert_eq!(may(HISTORY | REACT, unchanged), (false, false));
    let all = VIEW | HISTORY | REACT | SEND | THREADS;
    let timed_out = |directory: &mut Directory| {
        directory.guilds.get_mut(&GUILD).unwrap().timed_out_until = Some(6);
    };
    assert_eq!(may(all, timed_out), (false, false));
    assert_eq!(
        may(ADMIN, timed_out),
        (true, true),
        "nobody times an administrator out"
    );
    let archived = |directory: &mut Directory| {
        directory.channels.get_mut(&ChannelId(11)).unwrap().archived = true;
    };
    assert_eq!(may(all, archived), (false, false));
}

#[test]
fn the_companion_is_asked_about_with_its_own_roles_and_its_time_out_ends() {
    let mut directory = guild(&[(1, VIEW | HISTORY), (2, SEND | REACT)]);
    directory.put_channel(known(10, ChannelKind::Group, None, &[]));
    directory.put_channel(known(12, ChannelKind::Direct, None, &[]));
    assert!(directory.may_view(ChannelId(10), 0) && !directory.may_send(ChannelId(10), 0));
    directory.guilds.get_mut(&GUILD).unwrap().companion_roles = [2].into();
    assert!(directory.may_send(ChannelId(10), 0));
    directory.guilds.get_mut(&GUILD).unwrap().timed_out_until = Some(1_000);
    assert!(
        !directory.may_send(ChannelId(10), 999) && directory.may_read_history(ChannelId(10), 999)
    );
    assert!(directory.may_send(ChannelId(10), 1_000));
    assert!(
        directory.may_send(ChannelId(12), 0),
        "nobody forbids direct messages"
    );
    assert!(
        !directory.may_view(ChannelId(4711), 0),
        "what is unknown is not allowed"
    );
}

#[test]
fn nothing_is_written_where_there_are_no_messages() {
    let mut directory = guild(&[(1, VIEW | SEND)]);
    directory.put_channel(KnownChannel {
        has_text: false,
        ..known(10, ChannelKind::Group, None, &[])
    });
    assert!(!directory.may_send(ChannelId(10), 0));
}

fn member(id: u64, roles: &[u64]) -> GuildMember<'_> {
    GuildMember {
        id: UserId(id),
        roles,
        timed_out: false,
    }
}

/// A guild with roles for whoever bans (2), administers (4) and deletes messages (5).
fn moderated_guild() -> Directory {
    let mut directory = guild(&[
        (1, NONE),
        (2, PermissionSet::BAN_MEMBERS),
        (3, NONE),
        (4, ADMIN),
        (5, VIEW | SEND | PermissionSet::MANAGE_MESSAGES),
    ]);
    directory.put_channel(known(10, ChannelKind::Group, None, &[]));
    directory
}

fn moderation_action(deed: ModerationKind, user: u64) -> ModerationAction {
    ModerationAction {
        deed,
        guild: GUILD,
        channel: ChannelId(10),
        user: UserId(user),
        name: "Ben".into(),
        message: MessageId(1),
        minutes: None,
        reason: "spam".into(),
    }
}

#[test]
fn what_can_be_done_about_a_member_takes_the_permission_and_a_higher_role() {
    let directory = moderated_guild();
    let ban = |hand: &[u64], user, target: Option<&[u64]>| {
        let target = target.map(|roles| member(user, roles));
        directory.find_denial_reason(
            &moderation_action(ModerationKind::BanMember, user),
            &member(50, hand),
            target.as_ref(),
        )
    };
    assert_eq!(ban(&[2], 60, Some(&[1])), None);
    assert_eq!(
        ban(&[4], 60, Some(&[3])),
        None,
        "an administrator may all of it"
    );
    assert_eq!(
        ban(&[3], 60, Some(&[])),
        Some(DenialReason::NoPermission(ModerationKind::BanMember))
    );
    assert_eq!(ban(&[2], 60, Some(&[2])), Some(DenialReason::NotAbove));
    assert_eq!(ban(&[2], 60, Some(&[4])), Some(DenialReason::Administrator));
    assert_eq!(ban(&[2], OWNER.0, Some(&[])), Some(DenialReason::Owner));
    assert_eq!(ban(&[2], 50, Some(&[2])), Some(DenialReason::Oneself));
    assert_eq!(ban(&[2], 60, None), Some(DenialReason::NoMember));
    let asleep = GuildMember {
        timed_out: true,
        ..member(50, &[2])
    };
    let hindered = directory.find_denial_reason(
        &moderation_action(ModerationKind::BanMember, 60),
        &asleep,
        Some(&member(60, &[])),
    );
    assert_eq!(
        hindered,
        Some(DenialReason::NoPermission(ModerationKind::BanMember))
    );
}

#[test]
fn messages_are_deleted_by_who_may_manage_them_and_nothing_is_done_elsewhere() {
    let directory = moderated_guild();
    let delete = |hand: &[u64], target: Option<&[u64]>| {
        let target = target.map(|roles| member(60, roles));
        directory.find_denial_reason(
            &moderation_action(ModerationKind::DeleteMessage, 60),
            &member(50, hand),
            target.as_ref(),
        )
    };
    assert_eq!(
        (delete(&[5], None), delete(&[5], Some(&[5]))),
        (None, None),
        "who is gone left messages behind"
    );
    assert_eq!(
        delete(&[2], None),
        Some(DenialReason::NoPermission(ModerationKind::DeleteMessage))
    );
    let elsewhere = ModerationAction {
        channel: ChannelId(4711),
        ..moderation_action(ModerationKind::BanMember, 60)
    };
    assert_eq!(
        directory.find_denial_reason(&elsewhere, &member(50, &[2]), Some(&member(60, &[]))),
        Some(DenialReason::NoGuild)
    );
}
