//! A session that somebody opens by command: they are answered when its thread is there, or could not be opened.

use tokio::sync::oneshot;

use super::DiscordPlatform;
use crate::daemon::state::Daemon;
use kith_commands::CommandAnswer;
use kith_core::chat::ChannelId;
use kith_core::persona::Language;
use kith_core::session::SessionRequest;
use kith_language::{commands, daemon};

impl Daemon<DiscordPlatform> {
    pub(super) async fn answer_session_opening(
        &mut self,
        channel: ChannelId,
        request: SessionRequest,
        language: Language,
        reply_sender: oneshot::Sender<CommandAnswer>,
    ) {
        let (to, opened) = oneshot::channel();
        self.open_session_for_person(channel, request, to).await;
        tokio::spawn(async move {
            let opened = opened
                .await
                .unwrap_or_else(|_| Err(daemon::session_stopping()));
            let answer = match opened {
                Ok(session) => {
                    let (channel, id) = (session.channel.to_string(), session.id.to_string());
                    CommandAnswer::Text(commands::session_open(channel, id).in_language(language))
                }
                Err(why) => {
                    let why = commands::session_not_opened(why.in_language(language));
                    CommandAnswer::Refused(why.in_language(language))
                }
            };
            // Whoever asked may be gone.
            let _ = reply_sender.send(answer);
        });
    }
}
