//! What people ask the companion about itself: why, status, forget, pause and the like; one file a request. Slash
//! commands, the room and the command line ask here; every right is checked here, whoever asks.

mod announce;
mod answered;
mod asked;
mod decide;
mod export_me;
mod forget_me;
mod forget_message;
mod fresh;
mod hand;
mod mode;
mod opt_out;
mod pause;
mod persona;
mod raw;
mod reset;
mod rights;
mod sessions;
mod status;
mod sticker;
mod take_back;
mod talkativeness;
mod why;

use crate::core::chat::{ChannelId, MessageId, TurnId};
use crate::memory::Memory;
use crate::store::{Line, Store, StoreError};

pub use announce::words as announcement;
pub use answered::{Answer, Change};
pub use asked::{Asker, Extent, Facts, Request, Standing};
use rights::{Outcome, Stop, Visit};

/// Answers what people ask. Cheap to clone.
#[derive(Clone)]
pub struct Desk {
    store: Store,
    memory: Memory,
}

impl Desk {
    /// A desk in front of this store and what is remembered in it.
    pub fn new(store: Store, memory: Memory) -> Self {
        Self { store, memory }
    }

    /// The channel a request is about, whose facts are wanted with it: the one it names, the one of the turn it names,
    /// or the one it was made in.
    pub async fn about(&self, asker: &Asker, request: &Request) -> ChannelId {
        match request {
            Request::Mode(_, Some(channel)) | Request::Pause(_, Some(channel)) => *channel,
            Request::Raw(turn) | Request::TakeBackTurn(turn) | Request::WhyTurn(turn) => {
                self.channel_of(*turn).await.ok().flatten().unwrap_or(asker.channel)
            }
            Request::Decide(id, _) => {
                let proposal = self.store.proposal(*id).await.ok().flatten();
                proposal.map_or(asker.channel, |proposal| proposal.wanted.channel())
            }
            _ => asker.channel,
        }
    }

    /// Answers a request, with what must be done besides. `facts` are those of the channel that [`Desk::about`] names.
    pub async fn answer(&self, asker: &Asker, request: Request, facts: Facts) -> (Answer, Vec<Change>) {
        let visit = Visit { desk: self, asker, facts: &facts };
        match visit.answer(request).await {
            Ok(answered) => answered,
            Err(Stop::Refused(sentence)) => (Answer::Refused(sentence), Vec::new()),
            Err(Stop::Store(error)) => {
                tracing::error!(%error, "a request could not be answered");
                let sentence = visit.say(
                    "That did not work, my memory cannot be read or written now: try again in a minute. The host's log \
                     says why.",
                    "没有成功，现在无法读写记忆：请一分钟后再试。原因在部署者的日志里。",
                );
                (Answer::Refused(sentence.into()), Vec::new())
            }
        }
    }

    async fn channel_of(&self, turn: TurnId) -> Result<Option<ChannelId>, StoreError> {
        Ok(self.store.turn(turn).await?.map(|turn| turn.report.channel))
    }

    /// A stored message.
    async fn line(&self, channel: ChannelId, message: MessageId) -> Result<Option<Line>, StoreError> {
        let after = MessageId(message.0.saturating_add(1));
        let newest = self.store.history(channel, Some(after), 1).await?.pop();
        Ok(newest.filter(|line| line.message.id == message))
    }
}

impl Visit<'_> {
    async fn answer(&self, request: Request) -> Outcome {
        match request {
            Request::Status => status::answer(self).await,
            Request::Why(message) => why::answer(self, message).await,
            Request::WhyTurn(turn) => why::turn(self, turn).await,
            Request::Raw(turn) => raw::answer(self, turn).await,
            Request::TakeBack(message) => take_back::answer(self, message).await,
            Request::TakeBackTurn(turn) => take_back::turn(self, turn).await,
            Request::ForgetMessage(message) => forget_message::answer(self, message).await,
            Request::Sticker { message, picture, said } => sticker::answer(self, message, picture, &said).await,
            Request::Mode(mode, named) => mode::answer(self, mode, named).await,
            Request::Talkativeness(wanted, extent) => talkativeness::answer(self, wanted, extent).await,
            Request::Persona(name, extent) => persona::answer(self, &name, extent).await,
            Request::Pause(time, named) => pause::answer(self, time, named).await,
            Request::Fresh => fresh::answer(self).await,
            Request::Reset(extent) => reset::answer(self, extent).await,
            Request::ForgetMe(extent) => forget_me::answer(self, extent).await,
            Request::ExportMe => export_me::answer(self).await,
            Request::Decide(id, approves) => decide::answer(self, id, approves).await,
            Request::Sessions => sessions::list(self).await,
            Request::CloseSession(id) => sessions::close(self, id).await,
            Request::OptOut(wish) => opt_out::answer(self, wish).await,
        }
    }
}
