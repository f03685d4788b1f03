//! Which request is which.

use super::errors;
use super::http::{Answer, Call};
use crate::fake_discord::Id;
use crate::fake_discord::shared_state::State;

/// What a route gives: an answer, or a refusal.
pub type Result<T = Answer> = std::result::Result<T, Answer>;

impl State {
    pub(super) fn route(&mut self, call: &Call) -> Result {
        let segments: Vec<&str> = call.path.split('/').skip(1).collect();
        match (call.method.as_str(), segments.as_slice()) {
            ("GET", ["gateway"]) => self.gateway(),
            ("GET", ["gateway", "bot"]) => self.gateway_bot(),
            ("GET", ["applications", "@me"] | ["oauth2", "applications", "@me"]) => {
                self.application()
            }
            ("GET", ["applications", app, "commands"]) => self.commands(id(app)?, call),
            ("PUT", ["applications", app, "commands"]) => self.put_commands(id(app)?, call),
            ("GET", ["users", "@me"]) => self.me(),
            ("PATCH", ["users", "@me"]) => self.patch_me(call),
            ("POST", ["users", "@me", "channels"]) => self.open_dm(call),
            ("GET", ["users", user]) => self.user(id(user)?),
            ("GET", ["guilds", guild]) => self.guild(id(guild)?),
            ("GET", ["guilds", guild, "channels"]) => self.guild_channels(id(guild)?),
            ("GET", ["guilds", guild, "roles"]) => self.guild_roles(id(guild)?),
            ("GET", ["guilds", guild, "emojis"]) => self.guild_emojis(id(guild)?),
            ("GET", ["guilds", guild, "stickers"]) => self.guild_stickers(id(guild)?),
            ("GET", ["guilds", guild, "threads", "active"]) => self.active_threads(id(guild)?),
            ("PATCH", ["guilds", guild, "members", "@me"]) => {
                self.patch_own_member(id(guild)?, call)
            }
            ("GET", ["guilds", guild, "members", user]) => self.member(id(guild)?, id(user)?),
            ("PATCH", ["guilds", guild, "members", user]) => {
                self.patch_member(id(guild)?, id(user)?, call)
            }
            ("DELETE", ["guilds", guild, "members", user]) => self.kick(id(guild)?, id(user)?),
            ("GET", ["guilds", guild, "bans", user]) => self.ban(id(guild)?, id(user)?),
            ("PUT", ["guilds", guild, "bans", user]) => self.put_ban(id(guild)?, id(user)?, call),
            ("DELETE", ["guilds", guild, "bans", user]) => self.delete_ban(id(guild)?, id(user)?),
            (_, ["channels", channel, rest @ ..]) => self.route_channel(id(channel)?, rest, call),
            ("POST", ["interactions", asked, token, "callback"]) => {
                self.callback(id(asked)?, token, call)
            }
            ("POST", ["webhooks", app, token]) => self.follow_up(id(app)?, token, call),
            (method, ["webhooks", app, token, "messages", message]) => {
                self.answered(method, id(app)?, token, message, call)
            }
            _ => self.refuse_route(call),
        }
    }

    fn route_channel(&mut self, channel: Id, segments: &[&str], call: &Call) -> Result {
        match (call.method.as_str(), segments) {
            ("GET", []) => self.get_channel(channel),
            ("PATCH", []) => self.patch_channel(channel, call),
            ("POST", ["typing"]) => self.post_typing(channel),
            ("POST", ["threads"]) => self.post_thread(channel, None, call),
            ("PUT", ["thread-members", "@me"]) => self.join_thread(channel),
            ("GET", ["messages"]) => self.get_messages(channel, call),
            ("POST", ["messages"]) => self.post_message(channel, call),
            ("POST", ["messages", "bulk-delete"]) => self.bulk_delete(channel, call),
            ("GET", ["messages", message]) => self.get_message(channel, id(message)?),
            ("PATCH", ["messages", message]) => self.patch_message(channel, id(message)?, call),
            ("DELETE", ["messages", message]) => self.delete_message(channel, id(message)?),
            ("POST", ["messages", message, "threads"]) => {
                self.post_thread(channel, Some(id(message)?), call)
            }
            ("PUT", ["messages", message, "reactions", emoji, "@me"]) => {
                self.put_reaction(channel, id(message)?, emoji)
            }
            ("DELETE", ["messages", message, "reactions", emoji, "@me"]) => {
                self.delete_reaction(channel, id(message)?, emoji)
            }
            _ => self.refuse_route(call),
        }
    }

    fn refuse_route(&mut self, call: &Call) -> Result {
        self.violations.push(format!(
            "{} {} is not a route the fake knows",
            call.method, call.path
        ));
        Err(errors::not_found())
    }
}

fn id(segment: &str) -> Result<Id> {
    segment.parse().map_err(|_| errors::not_found())
}
