//! Whether a session may be opened, and what it is.

use super::event::RequestedSession;
use crate::daemon::state::Daemon;
use crate::settings::fill_template;
use kith_core::bilingual::{Bilingual, bilingual};
use kith_core::channel::ChannelState;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, SessionId};
use kith_core::session::{
    Session, SessionConfig, SessionProfile, SessionRequest, SessionSource, SessionStart,
};
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
    ) -> Result<Session, Bilingual> {
        let channel_state = self
            .core
            .channel_state(*channel)
            .ok_or_else(|| bilingual!("the channel is gone", "频道已经不在了"))?;
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
            let english = format!("there is a session \"{}\" already", request.label);
            return Err(Bilingual::new(english, "已经有同名的会话了"));
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
        kept.map_err(explain_store_failure)?.ok_or_else(|| {
            bilingual!(
                "somebody here wanted to be forgotten; not now",
                "这里有人要求被遗忘，现在不行"
            )
        })
    }

    /// The guild of a session that is opened here, and the channel its thread will be below.
    fn find_session_place(&self, here: &Channel) -> Result<(GuildId, ChannelId), Bilingual> {
        let guild = here.guild.filter(|_| here.kind != ChannelKind::Direct);
        let guild =
            guild.ok_or_else(|| bilingual!("a direct message has no threads", "私信里没有子区"))?;
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
            return Err(bilingual!(
                "not everybody who would see the new thread can see this one",
                "能看到新子区的人并不都能看到这里"
            ));
        }
        if !self.platform.can_open_threads(below) {
            return Err(bilingual!(
                "this kind of channel has no threads; go on here",
                "这种频道没有子区，请就在这里说"
            ));
        }
        Ok((guild, below))
    }

    fn check_session_limits(
        &self,
        known: &[Session],
        guild: GuildId,
        parent: Option<&Session>,
    ) -> Result<(), Bilingual> {
        let limits = &self.settings.sessions;
        let open = known
            .iter()
            .filter(|session| session.guild == guild && self.is_awake(session))
            .count();
        if open >= limits.most as usize {
            let english = format!(
                "there are {} sessions open, and no more may be; go on here",
                limits.most
            );
            return Err(Bilingual::new(english, "已开的会话到上限了，请就在这里说"));
        }
        if self.sessions.compute_depth(parent.map(|parent| parent.id)) > limits.depth {
            let english = format!(
                "sessions are opened {} deep at the most; go on here",
                limits.depth
            );
            return Err(Bilingual::new(english, "会话的层数到上限了，请就在这里说"));
        }
        Ok(())
    }

    /// The profile that is asked for, where its template can be filled.
    fn find_requested_profile(
        &self,
        request: &SessionRequest,
    ) -> Result<Option<&SessionProfile>, Bilingual> {
        let Some(name) = &request.profile else {
            return Ok(None);
        };
        let profile = self.settings.find_profile(name);
        let profile = profile
            .ok_or_else(|| bilingual!("there is no profile \"{name}\"", "没有类型“{name}”"))?;
        if let Some(template) = &profile.system_prompt {
            fill_template(template, &request.vars).map_err(|missing| {
                bilingual!(
                    "parameter `vars` must give what profile {name} needs: {missing}",
                    "参数 `vars` 要给出类型 {name} 需要的：{missing}"
                )
            })?;
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

fn explain_store_failure(error: StoreError) -> Bilingual {
    bilingual!("sessions cannot be kept now: {error}", "现在存不了会话")
}
