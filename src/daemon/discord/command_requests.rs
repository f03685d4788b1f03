//! Slash commands, menus and buttons: the command service answers them in a task of its own, then what it decided is
//! carried out here, and only then the person is answered.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::task_event::{CommandDecision, DiscordTaskEvent};
use super::{DiscordPlatform, moderation};
use crate::daemon::platform::Platform;
use crate::daemon::state::Daemon;
use kith_commands::{
    Caller, CommandAnswer, CommandRequest, DaemonChange, DaemonFacts, RequestScope, announcement,
};
use kith_core::chat::{
    Channel, ChannelId, ChannelKind, GuildId, MINUTE, MessageId, Millis, UserId,
};
use kith_core::directory::GuildMember;
use kith_core::event::Event;
use kith_core::manual_override::{OverrideRecord, OverrideScope};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::preference::PersonPreference;
use kith_discord::DiscordConnection;
use kith_language::commands;
use kith_observe::embed;
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    pub(super) async fn handle_command_request(
        &mut self,
        caller: Caller,
        request: CommandRequest,
        to: oneshot::Sender<CommandAnswer>,
    ) {
        let command_service = self.platform.command_service.clone();
        let about = command_service.find_channel(&caller, &request).await;
        let Some(mut facts) = self
            .find_requested_channel(&caller, &request, about)
            .filter(|known| self.may_be_switched(known, &request))
            .and_then(|known| self.collect_command_facts(caller.guild, known))
        else {
            let text = commands::channel_not_visible().in_language(caller.language);
            // Whoever asked may be gone.
            let _ = to.send(CommandAnswer::Refused(text));
            return;
        };
        facts.wait_minutes = self.check_request_throttle(&caller, &request, facts.now);
        if let CommandRequest::OptOut(PersonPreference::Ignore) = &request {
            // At once: what is said while what there was is erased is not to be read any more.
            self.platform
                .set_preference(caller.user, PersonPreference::Ignore);
        }
        if let Some(channels) = self.find_channels_to_forget(&caller, &request, &facts) {
            // At once: erasing takes a while, and what runs meanwhile is not to speak of them.
            self.forget_person(caller.user, channels);
        }
        // What was heard before the question is part of the answer.
        self.save_channel_states(facts.now);
        let discord = self.platform.discord.clone();
        let (task_sender, store, by, language) = (
            self.platform.task_sender.clone(),
            self.store.clone(),
            caller.user,
            caller.language,
        );
        tokio::spawn(async move {
            if let CommandRequest::Decide(id, _) = request {
                let rules = &facts.policy.moderation;
                let member = GuildMember {
                    id: caller.user,
                    roles: &caller.roles,
                    timed_out: false,
                };
                facts.denial_status =
                    moderation::find_denial_status(&discord, &store, id, &member, rules).await;
            }
            let (answer, changes) = command_service.answer(&caller, request, facts).await;
            let _ = task_sender
                .send(DiscordTaskEvent::CommandDecided(Box::new(
                    CommandDecision {
                        by,
                        language,
                        answer,
                        changes,
                        reply_sender: to,
                    },
                )))
                .await;
        });
    }

    /// The minutes somebody has to wait who has everything erased, or exported, again and again; none if it is done now.
    fn check_request_throttle(
        &mut self,
        caller: &Caller,
        request: &CommandRequest,
        now: Millis,
    ) -> Option<u64> {
        let platform = &mut self.platform;
        let often = match request {
            CommandRequest::ForgetMe(_) | CommandRequest::OptOut(PersonPreference::Ignore) => {
                &mut platform.erase_throttle
            }
            CommandRequest::ExportMe => &mut platform.export_throttle,
            _ => return None,
        };
        let wait = often.try_request(caller.user, now).err()?;
        Some(wait.max(0) as u64 / MINUTE as u64 + 1)
    }

    /// Where somebody asks to be forgotten, if they do; within, none stands for everywhere.
    fn find_channels_to_forget(
        &self,
        caller: &Caller,
        request: &CommandRequest,
        facts: &DaemonFacts,
    ) -> Option<Option<Vec<ChannelId>>> {
        match (request, caller.guild) {
            _ if facts.wait_minutes.is_some() => None,
            (
                CommandRequest::ForgetMe(RequestScope::All)
                | CommandRequest::OptOut(PersonPreference::Ignore),
                _,
            ) => Some(None),
            (CommandRequest::ForgetMe(RequestScope::Here), None) => {
                Some(Some(vec![caller.channel]))
            }
            (CommandRequest::ForgetMe(RequestScope::Here), guild) => {
                let loaded_channels = self
                    .core
                    .channel_states()
                    .filter(|channel_state| channel_state.channel.guild == guild)
                    .map(|state| state.channel.id);
                let known: BTreeSet<ChannelId> = facts
                    .guild_channels
                    .iter()
                    .copied()
                    .chain(loaded_channels)
                    .collect();
                Some(Some(known.into_iter().collect()))
            }
            _ => None,
        }
    }

    /// The channel a request is about; none where nobody knows it. Discord tells of no direct message before somebody
    /// writes in it, and of no private thread, but people ask there: of such a place no more is known than that.
    fn find_requested_channel(
        &self,
        caller: &Caller,
        request: &CommandRequest,
        id: ChannelId,
    ) -> Option<Channel> {
        if let Some(channel_state) = self.core.channel_state(id) {
            return Some(channel_state.channel.clone());
        }
        if let Some(known) = self.platform.find_channel(id) {
            return Some(known);
        }
        let kind = if caller.guild.is_none() {
            ChannelKind::Direct
        } else {
            ChannelKind::Group
        };
        let is_enough =
            id == caller.channel && (kind == ChannelKind::Direct || request.is_personal());
        let (name, topic) = (Arc::default(), Arc::default());
        is_enough.then_some(Channel {
            id,
            guild: caller.guild,
            name,
            topic,
            kind,
            parent: None,
        })
    }

    /// Whether nothing is switched on where it would hear nothing.
    fn may_be_switched(&self, channel: &Channel, request: &CommandRequest) -> bool {
        let is_switched_on =
            matches!(request, CommandRequest::Mode(mode, _) if *mode != ChannelMode::Off);
        !is_switched_on
            || channel.kind == ChannelKind::Direct
            || self.platform.directory().may_view(channel.id, clock::now())
    }

    fn collect_command_facts(
        &mut self,
        asked_in: Option<GuildId>,
        known: Channel,
    ) -> Option<DaemonFacts> {
        let (now, channel) = (clock::now(), known.id);
        let directory = self.platform.directory();
        let is_direct = known.kind == ChannelKind::Direct;
        let hidden = !is_direct && directory.is_hidden(channel);
        let nsfw = !is_direct && directory.is_nsfw(channel);
        let forum = directory
            .channels
            .get(&channel)
            .is_some_and(|known| !known.has_text);
        let guild_channels = asked_in.map(|guild| {
            directory
                .list_channels(guild)
                .map(|known| known.channel.id)
                .collect()
        });
        let readable_channels = directory.find_readable_channels(channel);
        let guild = known.guild.and_then(|guild| directory.guilds.get(&guild));
        let nick = guild.and_then(|guild| guild.nick.clone());
        let by_hand = self.list_overrides(&known);
        let authors = by_hand.iter().filter_map(|set| set.by);
        let names = authors
            .filter_map(|user| Some((user, directory.find_name(known.guild, user)?.clone())))
            .collect();
        drop(directory);
        let policy = match self.core.channel_state(channel) {
            Some(channel_state) => channel_state.policy().clone(),
            None => self.resolve_policy(&known).into(),
        };
        let snapshot = self
            .core
            .channel_snapshot(now, channel)
            .filter(|_| self.is_read(channel));
        let selection = self.model_calls.selection();
        let model = &selection.model;
        Some(DaemonFacts {
            now,
            hidden,
            nsfw,
            forum,
            nick,
            model: (
                policy.model.clone().unwrap_or_else(|| model.name().into()),
                selection.hostnames(policy.model.as_deref()),
            ),
            is_demo: model.is_demo(),
            partition: self.platform.discord.partition(),
            budget: (
                self.model_calls.spending_today(now).tokens,
                self.model_calls.caps().0,
            ),
            keep_days: self.settings.store.keep_days,
            personas: self.settings.offered_personas(),
            max_mode: self.find_highest_mode(&known),
            max_talkativeness: self.settings.discord.max_talkativeness,
            overrides: by_hand,
            names,
            quiet_until: snapshot.as_ref().and_then(|mood| mood.quiet_until),
            snapshot,
            guild_channels: guild_channels.unwrap_or_default(),
            readable_channels,
            sessions: asked_in
                .map(|guild| self.list_guild_sessions(guild))
                .unwrap_or_default(),
            running_calls: self.list_running_calls(channel),
            denial_status: None,
            wait_minutes: None,
            policy,
            channel: known,
        })
    }

    fn list_overrides(&self, channel: &Channel) -> Vec<OverrideRecord> {
        let places = [
            Some(OverrideScope::Channel(channel.id)),
            channel.parent.map(OverrideScope::Channel),
            channel.guild.map(OverrideScope::Guild),
        ];
        places
            .into_iter()
            .flatten()
            .flat_map(|place| self.manual_overrides.at(place).cloned())
            .collect()
    }

    pub(in crate::daemon) async fn handle_command_decision(&mut self, decided: CommandDecision) {
        let CommandDecision {
            by,
            language,
            answer,
            changes,
            reply_sender: to,
        } = decided;
        let mut taken_back = Vec::new();
        for change in changes {
            match change {
                DaemonChange::TakeBack(channel, messages) => {
                    taken_back.extend(messages.into_iter().map(|message| (channel, message)));
                }
                DaemonChange::KeepSticker(sticker, picture) => {
                    let rest = CommandDecision {
                        by,
                        language,
                        answer,
                        changes: Vec::new(),
                        reply_sender: to,
                    };
                    return self.keep_sticker(*sticker, picture, rest);
                }
                DaemonChange::OpenSession(channel, request) => {
                    return self
                        .answer_session_opening(channel, *request, language, to)
                        .await;
                }
                change => self.apply_daemon_change(by, change).await,
            }
        }
        if taken_back.is_empty() {
            // Whoever asked may be gone.
            let _ = to.send(answer);
            return;
        }
        let discord = self.platform.discord.clone();
        tokio::spawn(async move {
            let failed = delete_own_messages(&discord, taken_back, language).await;
            let _ = to.send(failed.map_or(answer, CommandAnswer::Refused));
        });
    }

    /// A choice for a place changed. The store decides: of two changes at once the later may be told of first.
    async fn reload_overrides(&mut self, place: OverrideScope, changed: Option<OverrideRecord>) {
        let stored = self.store.overrides().await;
        match stored {
            Ok(stored) => {
                self.manual_overrides.reset(place);
                stored
                    .into_iter()
                    .filter(|set| set.place == place)
                    .for_each(|set| self.manual_overrides.record(set));
            }
            Err(error) => {
                tracing::error!(%error, "a choice is taken over as it was told");
                match changed {
                    Some(set) => self.manual_overrides.record(set),
                    None => self.manual_overrides.reset(place),
                }
            }
        }
    }

    async fn apply_daemon_change(&mut self, by: UserId, change: DaemonChange) {
        match change {
            DaemonChange::Set(place, choice) => {
                self.reload_overrides(
                    place,
                    Some(OverrideRecord {
                        place,
                        choice,
                        by: Some(by),
                        at: clock::now(),
                    }),
                )
                .await;
                self.update_scope(place).await;
            }
            DaemonChange::Reset(place) => {
                let before = self.list_channel_modes(place);
                self.reload_overrides(place, None).await;
                self.update_scope(place).await;
                self.announce_widened_modes(before);
            }
            // Carried out before the answer, which says what came of it.
            DaemonChange::TakeBack(..) | DaemonChange::KeepSticker(..) => {}
            DaemonChange::ReportSticker(channel, message, is_kept) => {
                self.notify_log_channels(channel, |context| {
                    embed::render_sticker(message, is_kept, context)
                });
            }
            DaemonChange::ForgetMessages(channel, ids) => self.forget_messages(channel, ids),
            DaemonChange::RewordMessages(messages) => self.apply_rewordings(messages),
            DaemonChange::ForgetPerson(user, channels) => {
                self.forget_person(user, channels);
                self.delete_erased_log_entries();
            }
            DaemonChange::ApplyDecision(proposal) => self.handle_approval_decision(*proposal),
            DaemonChange::ShowDecision(proposal) => self.show_decision(&proposal),
            DaemonChange::OptOut(user, preference) => {
                self.platform.set_preference(user, preference);
                // What the group says is counted anew without them.
                self.memory.drop_group_expressions(None);
            }
            // One that ended meanwhile is over as well.
            DaemonChange::StopCall(turn, call) => _ = self.stop_call(turn, call),
            // Answered when it is done.
            DaemonChange::OpenSession(..) => {}
            DaemonChange::RewordSession(id, rewording) => {
                if let Err(error) = self.reword_session(id, rewording).await {
                    tracing::error!(%error, session = %id, "a session keeps its old words");
                }
            }
            DaemonChange::CloseSession(id, outcome) => {
                if let Err(error) = self.end_session(id, outcome).await {
                    tracing::error!(%error, session = %id, "a session that was closed is open");
                }
            }
            DaemonChange::DropIntentions(channel) => self.drop_all_intentions(channel),
            DaemonChange::ResetContext(channel, after) => {
                self.handle_event(Event::ContextReset { channel, after })
            }
            DaemonChange::DeleteLogEntries(turns) => self.delete_turn_log_entries(turns),
            DaemonChange::Announce(channel, text) => self.post_announcement(channel, text),
        }
    }

    fn post_announcement(&self, channel: ChannelId, text: String) {
        let takes_messages = self
            .platform
            .directory()
            .channels
            .get(&channel)
            .is_none_or(|known| known.has_text);
        if takes_messages {
            let discord = self.platform.discord.clone();
            tokio::spawn(async move { discord.send_system_message(channel, &text, None).await });
        }
    }

    /// The channels of a place, without threads, which are told of in their parents, and how they are read.
    fn list_channel_modes(&self, place: OverrideScope) -> Vec<(Channel, ChannelMode)> {
        let directory = self.platform.directory();
        let channels: Vec<Channel> = match place {
            OverrideScope::Guild(guild) => {
                let channels = directory.list_channels(guild).map(|known| &known.channel);
                channels
                    .filter(|channel| channel.kind == ChannelKind::Group)
                    .cloned()
                    .collect()
            }
            OverrideScope::Channel(channel) => directory
                .channels
                .get(&channel)
                .map(|known| known.channel.clone())
                .into_iter()
                .collect(),
        };
        drop(directory);
        channels
            .into_iter()
            .map(|channel| (channel.clone(), self.resolve_policy(&channel).mode))
            .collect()
    }

    /// Where more is read or shown than before, those who write there are told, whatever made it so.
    fn announce_widened_modes(&mut self, before: Vec<(Channel, ChannelMode)>) {
        for (channel, before) in before {
            let (id, now) = (channel.id, self.resolve_policy(&channel).mode);
            if now <= before {
                continue;
            }
            let words = self
                .collect_command_facts(channel.guild, channel)
                .and_then(|facts| announcement(&facts, before, now));
            if let Some(words) = words {
                self.post_announcement(id, words);
            }
        }
    }

    async fn update_scope(&mut self, place: OverrideScope) {
        match place {
            OverrideScope::Guild(guild) => self.update_guild(guild).await,
            OverrideScope::Channel(channel) => self.update_channel_with_threads(channel).await,
        }
    }

    /// A person is to be erased in the store, or is by now: nothing that is in memory may bring them back.
    pub(super) fn forget_person(&mut self, user: UserId, channels: Option<Vec<ChannelId>>) {
        let platform = &mut self.platform;
        platform.discord.forget_person(user);
        platform.held_events.forget(user, channels.as_deref());
        // What runs right now may know the person: its report is cleaned in the store, and shown nowhere else.
        platform.unlogged_turns.extend(self.turns.keys());
        self.manual_overrides.forget(user);
        self.handle_event(Event::PersonForgotten { user, channels });
        self.save_channel_states(clock::now());
    }
}

/// Deletes own messages, and answers with a sentence if some could not be deleted; Discord tells when they are gone.
async fn delete_own_messages(
    discord: &DiscordConnection,
    messages: Vec<(ChannelId, MessageId)>,
    language: Language,
) -> Option<String> {
    let all = messages.len();
    let mut failures = Vec::new();
    for (channel, message) in messages {
        failures.extend(discord.delete_message(channel, message).await.err());
    }
    let (count, why) = (failures.len(), failures.first()?.describe(language));
    Some(commands::messages_not_taken_back(all, count, why).in_language(language))
}
