//! Whether a session may be opened, and what it is.

use super::event::RequestedSession;
use crate::daemon::state::Daemon;
use crate::settings::fill_template;
use kith_core::channel::ChannelState;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, SessionId};
use kith_core::session::{
    Session, SessionConfig, SessionProfile, SessionRequest, SessionSource, SessionStart,
};
use kith_language::{LocalizedMessage, daemon};
use kith_store::StoreError;
use kith_system::clock;

impl Daemon {
    /// Looks whether a session may be opened, settles what it is, and keeps it.
    pub(super) async fn prepare_session(
        &self,
        RequestedSession {
            channel,
            turn,
            request,
            ..
        }: &RequestedSession,
    ) -> Result<Session, LocalizedMessage> {
        let channel_state = self
            .core
            .channel_state(*channel)
            .ok_or_else(daemon::session_channel_gone)?;
        let (guild, below) = self.find_session_place(&channel_state.channel)?;
        let parent = self.sessions.find_by_channel(*channel);
        // Those that are being opened are on record only.
        let known = self.store.sessions().await.map_err(explain_store_failure)?;
        self.check_session_limits(&known, guild, parent)?;
        let profile = self.find_requested_profile(request)?;
        if known
            .iter()
            .any(|other| other.parent_channel == below && other.label == request.label)
        {
            return Err(daemon::session_exists(request.label.as_str()));
        }
        let above = known
            .into_iter()
            .find(|session| session.channel == Some(*channel));
        let config =
            SessionConfig::resolve(profile, request, above.as_ref().map(|above| &above.config));
        let sources = match config.start {
            SessionStart::None => Vec::new(),
            _ => collect_sources(channel_state, above),
        };
        let cursor = channel_state
            .turn
            .as_ref()
            .filter(|running| running.id() == *turn)
            .map_or(0, |running| running.cursor());
        let session = Session {
            id: SessionId::default(),
            guild,
            channel: None,
            from: *channel,
            parent_channel: below,
            parent: parent.map(|parent| parent.id),
            turn: *turn,
            cursor,
            made: clock::now(),
            label: request.label.clone(),
            opening: request.opening.clone(),
            config,
            sources,
            summary: None,
        };
        let kept = self.store.put_session(session).await;
        kept.map_err(explain_store_failure)?
            .ok_or_else(daemon::session_person_forgotten)
    }

    /// The guild of a session that is opened here, and the channel its thread will be below.
    fn find_session_place(&self, here: &Channel) -> Result<(GuildId, ChannelId), LocalizedMessage> {
        let guild = here.guild.filter(|_| here.kind != ChannelKind::Direct);
        let guild = guild.ok_or_else(daemon::session_in_direct_message)?;
        let below = match here.kind {
            ChannelKind::Thread => here.parent.unwrap_or(here.id),
            ChannelKind::Group | ChannelKind::Direct => here.id,
        };
        let is_seen_below = below == here.id
            || self
                .tool_host
                .find_readable_channels(below)
                .contains(&here.id);
        if !is_seen_below {
            return Err(daemon::session_thread_more_open());
        }
        if !self.platform.can_open_threads(below) {
            return Err(daemon::session_without_threads());
        }
        Ok((guild, below))
    }

    fn check_session_limits(
        &self,
        known: &[Session],
        guild: GuildId,
        parent: Option<&Session>,
    ) -> Result<(), LocalizedMessage> {
        let limits = &self.settings.sessions;
        let open = known
            .iter()
            .filter(|session| session.guild == guild && self.is_awake(session))
            .count();
        if open >= limits.most as usize {
            return Err(daemon::sessions_full(limits.most));
        }
        if self.sessions.compute_depth(parent.map(|parent| parent.id)) > limits.depth {
            return Err(daemon::sessions_too_deep(limits.depth));
        }
        Ok(())
    }

    /// The profile that is asked for, where its template can be filled.
    fn find_requested_profile(
        &self,
        request: &SessionRequest,
    ) -> Result<Option<&SessionProfile>, LocalizedMessage> {
        let Some(name) = &request.profile else {
            return Ok(None);
        };
        let profile = self.settings.find_profile(name);
        let profile = profile.ok_or_else(|| daemon::unknown_session_profile(name.as_str()))?;
        if let Some(template) = &profile.system_prompt {
            fill_template(template, &request.vars)
                .map_err(|missing| daemon::session_vars_missing(missing, name.as_str()))?;
        }
        Ok(Some(profile))
    }
}

/// What a session that is opened in a channel may begin with: all that the session above may, and what was said here.
fn collect_sources(channel_state: &ChannelState, above: Option<Session>) -> Vec<SessionSource> {
    let mut sources = above.map(|above| above.sources).unwrap_or_default();
    let newest = channel_state.timeline().messages().next_back();
    sources.extend(newest.map(|said| SessionSource {
        channel: channel_state.channel.id,
        after: channel_state.state().begins_after,
        upto: said.message.id,
    }));
    sources
}

fn explain_store_failure(error: StoreError) -> LocalizedMessage {
    daemon::sessions_not_kept(error.to_string())
}
