//! What tools have done in the room, because it changes what the loop keeps.

use tokio::sync::oneshot;

use super::input::RoomCommand;
use super::platform::RoomPlatform;
use crate::daemon::loop_message::LoopCommandResult;
use crate::daemon::state::Daemon;
use kith_core::chat::{AuthorKind, ChannelId};
use kith_core::event::ChatEvent;
use kith_language::LocalizedMessage;
use kith_system::clock;
use kith_tools::ThreadRequest;

impl Daemon<RoomPlatform> {
    pub(super) async fn handle_room_command(
        &mut self,
        channel: ChannelId,
        command: RoomCommand,
        answer: oneshot::Sender<LoopCommandResult>,
    ) {
        let at = clock::now();
        let result = match command {
            RoomCommand::Edit(id, text) => {
                self.change_own_message(ChatEvent::Edit {
                    channel,
                    id,
                    author: AuthorKind::Companion,
                    text: text.into(),
                    at,
                })
                .await
            }
            RoomCommand::TakeBack(id) => {
                self.change_own_message(ChatEvent::Delete {
                    channel,
                    ids: vec![id],
                    at,
                })
                .await
            }
            RoomCommand::OpenThread(thread) => match self.create_room_thread(thread).await {
                Ok(None) => Ok(()),
                Ok(Some((thread, text))) => return self.post_thread_opening(thread, text, answer),
                Err(why) => Err(why),
            },
        };
        // Who asked may have been cut off.
        let _ = answer.send(result);
    }

    /// Stores what it changed of its own in the room, and lets everybody know.
    async fn change_own_message(&mut self, incoming: ChatEvent) -> LoopCommandResult {
        let stored = self.store.append(vec![incoming.clone()]).await?;
        if stored.first().is_some_and(|stored| stored.new) {
            self.publish_stored_event(incoming, None);
        }
        stored
            .into_iter()
            .for_each(|stored| self.apply_append(stored));
        Ok(())
    }

    /// A channel of the room in the place of a thread, and what is to be said in it first.
    async fn create_room_thread(
        &mut self,
        thread: ThreadRequest,
    ) -> Result<Option<(ChannelId, String)>, LocalizedMessage> {
        let made = self
            .create_channel(&thread.name, "")
            .await
            .map_err(|refused| refused.message)?;
        Ok((!thread.text.is_empty()).then_some((made.id, thread.text)))
    }
}
