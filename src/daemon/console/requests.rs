//! Which view answers which request.

use super::overview::OverviewQuery;
use super::step::ConsoleStep;
use super::{faults, personas, spend, turns};
use crate::daemon::reply::{reply, reply_later};
use crate::daemon::state::Daemon;
use kith_room::{ConsoleRequest, PendingRequest};

impl Daemon {
    pub(in crate::daemon) fn answer_console_request(
        &self,
        PendingRequest { request, answer }: PendingRequest<ConsoleRequest>,
    ) {
        let store = self.store.clone();
        match request {
            ConsoleRequest::Overview {
                text,
                guild,
                mode,
                order,
                page,
            } => {
                let query = OverviewQuery {
                    text: text.to_lowercase(),
                    guild,
                    mode,
                    order,
                    page: page as usize,
                };
                self.begin_overview(query, answer);
            }
            ConsoleRequest::Day {
                channel,
                from,
                until,
            } => self.answer_channel_day(channel, (from, until), answer),
            ConsoleRequest::Turns { channel, before } => {
                reply_later(answer, turns::list_turns(store, channel, before));
            }
            ConsoleRequest::Turn { id } => {
                let running = self.build_running_turn(id);
                reply_later(answer, turns::inspect_turn(store, id, running));
            }
            ConsoleRequest::Spend { days } => reply_later(answer, spend::load_spend(store, days)),
            ConsoleRequest::Faults {} => reply_later(answer, faults::load_faults(store)),
            ConsoleRequest::Settings {} => reply(answer, Ok(self.show_settings())),
            ConsoleRequest::Approvals {} => self.begin_approvals(answer),
            ConsoleRequest::Decide { id, approve } => {
                self.begin_decision(id, approve, answer);
            }
            ConsoleRequest::Personas {} => {
                reply(answer, Ok(personas::list_personas(&self.settings)));
            }
            ConsoleRequest::Persona { file } => {
                let known = self.require_persona_file(&file);
                reply_later(answer, async move { personas::read_persona(&known?) });
            }
            ConsoleRequest::CheckPersona { file, text } => {
                let known = self.require_persona_file(&file);
                reply_later(answer, async move {
                    Ok(personas::check_persona(&known?, &text))
                });
            }
            ConsoleRequest::SavePersona { file, text } => {
                let known = self.require_persona_file(&file);
                reply_later(
                    answer,
                    async move { personas::save_persona(&known?, &text) },
                );
            }
        }
    }

    pub(in crate::daemon) fn continue_console_answer(&self, step: ConsoleStep) {
        match step {
            ConsoleStep::Overview(page, answer) => {
                reply(answer, Ok(self.complete_overview(page)));
            }
            ConsoleStep::Approvals(waiting, answer) => {
                reply(answer, Ok(self.complete_approvals(waiting)));
            }
            ConsoleStep::Decision(proposal, approves, answer) => {
                self.complete_decision(&proposal, approves, answer);
            }
        }
    }
}
