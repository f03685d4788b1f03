//! What the companion must be allowed to do where it is invited, each with its reason, and the link that asks for that
//! and nothing else. Nothing that is off by default is asked for.

use super::settings::DiscordSettings;
use kith_core::directory::PermissionSet;
use kith_core::moderation::ModerationKind;

/// A permission that is asked for. Texts are English and Chinese, names as Discord's settings write them.
#[derive(Clone, Copy, Debug)]
pub struct InvitePermission {
    /// Discord's bit.
    pub permission: PermissionSet,
    /// What it is called.
    pub name: (&'static str, &'static str),
    /// What it is for.
    pub reason: (&'static str, &'static str),
}

#[rustfmt::skip]
const ALWAYS: [InvitePermission; 7] = [
    InvitePermission { permission: PermissionSet::VIEW_CHANNEL, name: ("View Channels", "查看频道"), reason: ("to read along", "才能读到聊天") },
    InvitePermission { permission: PermissionSet::SEND_MESSAGES, name: ("Send Messages", "发送消息"), reason: ("to speak, and to show that it types", "才能说话、显示正在输入") },
    InvitePermission { permission: PermissionSet::SEND_MESSAGES_IN_THREADS, name: ("Send Messages in Threads", "在子区内发送消息"), reason: ("to speak in threads and forum posts", "才能在子区和论坛帖子里说话") },
    InvitePermission { permission: PermissionSet::READ_MESSAGE_HISTORY, name: ("Read Message History", "阅读消息历史记录"), reason: ("to reply and react, and to read what was said while it was away", "才能回复、添加反应、补读离线时的消息") },
    InvitePermission { permission: PermissionSet::ADD_REACTIONS, name: ("Add Reactions", "添加反应"), reason: ("to react, and for the small 💤 where it cannot answer", "才能添加反应，以及无法回答时的 💤") },
    InvitePermission { permission: PermissionSet::EMBED_LINKS, name: ("Embed Links", "嵌入链接"), reason: ("for the log channel's entries", "用于日志频道的记录") },
    InvitePermission { permission: PermissionSet::ATTACH_FILES, name: ("Attach Files", "附加文件"), reason: ("for the files that /kith export me and Prompt and answer are handed over in", "用于 /kith 导出 我 和“提示词和回答”的文件") },
];

const TO_FOLLOW: InvitePermission = InvitePermission {
    permission: PermissionSet::CHANGE_NICKNAME,
    name: ("Change Nickname", "更改昵称"),
    reason: (
        "because discord.nick_follows_persona is on",
        "因为打开了 discord.nick_follows_persona",
    ),
};

/// What tools take that are nowhere on by themselves, where one of them is named.
#[rustfmt::skip]
const FOR_TOOLS: [(&str, InvitePermission); 2] = [
    ("create_thread", InvitePermission { permission: PermissionSet::CREATE_PUBLIC_THREADS, name: ("Create Public Threads", "创建公开子区"), reason: ("because the tool create_thread is switched on", "因为开启了工具 create_thread") }),
    ("create_poll", InvitePermission { permission: PermissionSet::SEND_POLLS, name: ("Create Polls", "创建投票"), reason: ("because the tool create_poll is switched on", "因为开启了工具 create_poll") }),
];

/// What is asked for under these settings.
pub fn list_wanted_permissions(settings: &DiscordSettings) -> Vec<InvitePermission> {
    let to_follow = settings.nick_follows_persona.then_some(TO_FOLLOW);
    let to_moderate = settings.deeds.iter().map(|action| InvitePermission {
        permission: action.permission(),
        name: action.permission_name(),
        reason: match action {
            ModerationKind::TimeoutMember => (
                "because timeout_member is switched on",
                "因为开启了 timeout_member",
            ),
            ModerationKind::KickMember => (
                "because kick_member is switched on",
                "因为开启了 kick_member",
            ),
            ModerationKind::BanMember => {
                ("because ban_member is switched on", "因为开启了 ban_member")
            }
            ModerationKind::DeleteMessage => (
                "because delete_message is switched on",
                "因为开启了 delete_message",
            ),
        },
    });
    let for_tools = FOR_TOOLS
        .into_iter()
        .filter(|(tool, _)| settings.named_tools.contains(*tool));
    let for_tools = for_tools.map(|(_, wanted)| wanted);
    ALWAYS
        .into_iter()
        .chain(to_follow)
        .chain(to_moderate)
        .chain(for_tools)
        .collect()
}

/// The address at which somebody with Manage Server invites an application.
pub fn build_invite_url(application: u64, settings: &DiscordSettings) -> String {
    let all = list_wanted_permissions(settings)
        .iter()
        .fold(PermissionSet::NONE, |all, wanted| all | wanted.permission);
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&permissions={}&scope=bot%20applications.commands",
        all.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_asks_for_what_has_a_reason_and_for_a_nick_only_where_it_follows() {
        let settings = DiscordSettings::default();
        let link = "https://discord.com/oauth2/authorize?client_id=42&permissions=274878024768\
                    &scope=bot%20applications.commands";
        assert_eq!(build_invite_url(42, &settings), link);
        let moderates = DiscordSettings {
            deeds: vec![ModerationKind::BanMember, ModerationKind::DeleteMessage],
            ..settings.clone()
        };
        let more = 274_878_024_768_u64 + (1 << 2) + (1 << 13);
        assert!(build_invite_url(42, &moderates).contains(&format!("permissions={more}&")));
        let named_tools = ["create_poll".to_owned(), "create_thread".to_owned()].into();
        let uses_tools = DiscordSettings {
            named_tools,
            ..settings.clone()
        };
        let more = 274_878_024_768_u64 + (1 << 35) + (1 << 49);
        assert!(build_invite_url(42, &uses_tools).contains(&format!("permissions={more}&")));
        let follows = DiscordSettings {
            nick_follows_persona: true,
            ..settings
        };
        assert!(
            build_invite_url(42, &follows)
                .contains(&format!("permissions={}", 274_878_024_768_u64 + (1 << 26)))
        );
    }
}
