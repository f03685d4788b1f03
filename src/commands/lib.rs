//! What people ask the companion about itself: why, status, forget, pause and the like; one file a request. Slash
//! commands, the room and the command line ask here; every right is checked here, whoever asks.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod announce;
mod answer;
mod approval_decision;
mod approval_reply;
mod export_me;
mod forget_me;
mod forget_message;
mod fresh_context;
mod manual_overrides;
mod memory_me;
mod mode;
mod opt_out;
mod pause;
mod persona;
mod raw_turn;
mod request;
mod reset;
mod rights;
mod service;
mod sessions;
mod status;
mod sticker;
mod stop_call;
mod take_back;
mod talkativeness;
mod why;

use kith_core::chat::ChannelId;
use kith_language::commands;

pub use announce::render_announcement as announcement;
pub use answer::{CommandAnswer, DaemonChange};
pub use approval_decision::{ApprovalRefusal, ApprovalVerdict, Decider, decide};
pub use memory_me::{OwnMemoryRequest, can_correct_memory, can_delete_memory};
pub use request::{Caller, CommandRequest, DaemonFacts, DenialStatus, RequestScope};
use rights::{CommandContext, CommandOutcome, CommandRefusal};
pub use service::CommandService;

impl CommandService {
    /// The channel a request is about: the one it names, the one of the turn it names, or the one it was made in.
    pub async fn find_channel(&self, caller: &Caller, request: &CommandRequest) -> ChannelId {
        match request {
            CommandRequest::Mode(_, Some(channel))
            | CommandRequest::Pause(_, Some(channel))
            | CommandRequest::StopCall { channel, .. } => *channel,
            CommandRequest::Raw(turn)
            | CommandRequest::TakeBackTurn(turn)
            | CommandRequest::WhyTurn(turn) => self
                .find_turn_channel(*turn)
                .await
                .ok()
                .flatten()
                .unwrap_or(caller.channel),
            CommandRequest::Decide(id, _) => {
                let proposal = self.store.find_proposal(*id).await.ok().flatten();
                proposal.map_or(caller.channel, |proposal| proposal.wanted.channel())
            }
            _ => caller.channel,
        }
    }

    /// Answers a request, with what must be done besides. `facts` are those of the channel that [`CommandService::find_channel`] names.
    pub async fn answer(
        &self,
        caller: &Caller,
        request: CommandRequest,
        facts: DaemonFacts,
    ) -> (CommandAnswer, Vec<DaemonChange>) {
        let context = CommandContext {
            command_service: self,
            caller,
            facts: &facts,
        };
        let answered = match context.check_right(&request) {
            Ok(()) => context.answer(request).await,
            Err(refusal) => Err(refusal),
        };
        match answered {
            Ok(answered) => answered,
            Err(CommandRefusal::Refused(sentence)) => {
                (CommandAnswer::Refused(sentence), Vec::new())
            }
            Err(CommandRefusal::Store(error)) => {
                tracing::error!(%error, "a request could not be answered");
                let sentence = context.say(commands::memory_failed());
                (CommandAnswer::Refused(sentence), Vec::new())
            }
        }
    }
}

impl CommandContext<'_> {
    async fn answer(&self, request: CommandRequest) -> CommandOutcome {
        match request {
            CommandRequest::Status => status::answer(self).await,
            CommandRequest::Why(message) => why::answer(self, message).await,
            CommandRequest::WhyTurn(turn) => why::answer_turn(self, turn).await,
            CommandRequest::Raw(turn) => raw_turn::answer(self, turn).await,
            CommandRequest::TakeBack(message) => take_back::answer(self, message).await,
            CommandRequest::TakeBackTurn(turn) => take_back::answer_turn(self, turn).await,
            CommandRequest::ForgetMessage(message) => forget_message::answer(self, message).await,
            CommandRequest::Sticker {
                message,
                picture,
                said,
            } => sticker::answer(self, message, picture, &said).await,
            CommandRequest::Mode(mode, named) => mode::answer(self, mode, named).await,
            CommandRequest::Talkativeness(wanted, extent) => {
                talkativeness::answer(self, wanted, extent).await
            }
            CommandRequest::Persona(name, extent) => persona::answer(self, &name, extent).await,
            CommandRequest::Pause(time, _) => pause::answer(self, time).await,
            CommandRequest::StopCall { turn, call, .. } => {
                stop_call::answer(self, (turn, call)).await
            }
            CommandRequest::Fresh => fresh_context::answer(self).await,
            CommandRequest::Reset(extent) => reset::answer(self, extent).await,
            CommandRequest::ForgetMe(extent) => forget_me::answer(self, extent).await,
            CommandRequest::ExportMe => export_me::answer(self).await,
            CommandRequest::Memory(request) => memory_me::answer(self, request).await,
            CommandRequest::Decide(id, approves) => {
                approval_reply::answer(self, id, approves).await
            }
            CommandRequest::Sessions => sessions::list_sessions(self).await,
            CommandRequest::OpenSession(request) => sessions::open_session(self, request).await,
            CommandRequest::RewordSession(id, rewording) => {
                sessions::reword_session(self, id, rewording).await
            }
            CommandRequest::CloseSession(id, outcome) => {
                sessions::close_session(self, id, outcome).await
            }
            CommandRequest::OptOut(preference) => opt_out::answer(self, preference).await,
        }
    }
}
