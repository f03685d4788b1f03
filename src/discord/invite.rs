//! What the companion must be allowed to do where it is invited, each with its reason, and the link that asks for that
//! and nothing else. Nothing that is off by default is asked for.

use super::settings::DiscordSettings;
use kith_core::directory::PermissionSet;
use kith_language::{LocalizedMessage, invite};

/// A permission that is asked for. Names are as Discord's settings write them.
#[derive(Clone, Debug)]
pub struct InvitePermission {
    pub permission: PermissionSet,
    pub name: LocalizedMessage,
    pub reason: LocalizedMessage,
}

impl InvitePermission {
    fn new(permission: PermissionSet, name: LocalizedMessage, reason: LocalizedMessage) -> Self {
        Self {
            permission,
            name,
            reason,
        }
    }
}

fn list_permissions_always_needed() -> Vec<InvitePermission> {
    vec![
        InvitePermission::new(
            PermissionSet::VIEW_CHANNEL,
            invite::permission_view_channel(),
            invite::reason_view_channel(),
        ),
        InvitePermission::new(
            PermissionSet::SEND_MESSAGES,
            invite::permission_send_messages(),
            invite::reason_send_messages(),
        ),
        InvitePermission::new(
            PermissionSet::SEND_MESSAGES_IN_THREADS,
            invite::permission_send_messages_in_threads(),
            invite::reason_send_messages_in_threads(),
        ),
        InvitePermission::new(
            PermissionSet::READ_MESSAGE_HISTORY,
            invite::permission_read_message_history(),
            invite::reason_read_message_history(),
        ),
        InvitePermission::new(
            PermissionSet::ADD_REACTIONS,
            invite::permission_add_reactions(),
            invite::reason_add_reactions(),
        ),
        InvitePermission::new(
            PermissionSet::EMBED_LINKS,
            invite::permission_embed_links(),
            invite::reason_embed_links(),
        ),
        InvitePermission::new(
            PermissionSet::ATTACH_FILES,
            invite::permission_attach_files(),
            invite::reason_attach_files(),
        ),
    ]
}

/// What tools take that are nowhere on by themselves, where one of them is named.
fn list_permissions_for_tools() -> [(&'static str, InvitePermission); 2] {
    [
        (
            "create_thread",
            InvitePermission::new(
                PermissionSet::CREATE_PUBLIC_THREADS,
                invite::permission_create_public_threads(),
                invite::reason_create_public_threads(),
            ),
        ),
        (
            "create_poll",
            InvitePermission::new(
                PermissionSet::SEND_POLLS,
                invite::permission_send_polls(),
                invite::reason_send_polls(),
            ),
        ),
    ]
}

pub fn list_wanted_permissions(settings: &DiscordSettings) -> Vec<InvitePermission> {
    let to_follow = settings.nick_follows_persona.then(|| {
        InvitePermission::new(
            PermissionSet::CHANGE_NICKNAME,
            invite::permission_change_nickname(),
            invite::reason_change_nickname(),
        )
    });
    let to_moderate = settings
        .moderation_actions
        .iter()
        .map(|action| InvitePermission {
            permission: action.permission(),
            name: action.permission_name(),
            reason: invite::reason_tool_on(action.name()),
        });
    let for_tools = list_permissions_for_tools()
        .into_iter()
        .filter(|(tool, _)| settings.named_tools.contains(*tool));
    let for_tools = for_tools.map(|(_, wanted)| wanted);
    list_permissions_always_needed()
        .into_iter()
        .chain(to_follow)
        .chain(to_moderate)
        .chain(for_tools)
        .collect()
}

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
    use kith_core::moderation::ModerationKind;

    #[test]
    fn the_link_asks_for_what_has_a_reason_and_for_a_nick_only_where_it_follows() {
        let settings = DiscordSettings::default();
        let link = "https://discord.com/oauth2/authorize?client_id=42&permissions=274878024768\
                    &scope=bot%20applications.commands";
        assert_eq!(build_invite_url(42, &settings), link);
        let moderates = DiscordSettings {
            moderation_actions: vec![ModerationKind::BanMember, ModerationKind::DeleteMessage],
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
