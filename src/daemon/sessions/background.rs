//! What a session begins with, as its prompt shows it: lines read in the store each time, of channels that everybody
//! there can view now (Law 11); or a summary of them, made once, and made anew when any of them is gone.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::daemon::loop_message::LoopMessage;
use crate::daemon::state::Daemon;
use crate::daemon::summary_event::{SummaryEvent, SummaryRequest, SummaryResult, SummaryWork};
use crate::settings::fill_template;
use kith_core::chat::{AuthorKind, ChannelId, MessageId, TurnId};
use kith_core::compaction::render_talk;
use kith_core::context::RecalledMessage;
use kith_core::report::ModelFailure;
use kith_core::session::{
    MOST_LINES, PromptPiece, Session, SessionBackground, SessionConfig, SessionSource,
    SessionStart, ShownPromptPiece,
};
use kith_store::{Store, StoreError};
use kith_system::clock;
use kith_tools::run_context_program;
use serde_json::json;

/// How much of a summary is kept, in characters.
const LONGEST: usize = 1_500;
const WAIT: Duration = Duration::from_secs(45);

/// What the session of a channel says and begins with; nothing where there is none.
pub(in crate::daemon) async fn load_session_background(
    store: &Store,
    loop_sender: &mpsc::Sender<LoopMessage>,
    (channel, turn): (ChannelId, TurnId),
    readable: &[ChannelId],
) -> Result<SessionBackground, StoreError> {
    let read_at = clock::now();
    let Some(session) = store.find_session(channel).await? else {
        return Ok(SessionBackground::default());
    };
    let lines = read_session_lines(store, &session, readable).await?;
    // Of what not everybody here can see any more, nothing is shown, however it was summed up.
    let all_seen = session
        .sources
        .iter()
        .all(|source| readable.contains(&source.channel));
    let Session {
        id,
        config: sheet,
        summary,
        ..
    } = session;
    let background = SessionBackground {
        prompt: fill_prompt_pieces(sheet.prompt.clone()),
        ..SessionBackground::default()
    };
    if sheet.start != SessionStart::Summary {
        return Ok(SessionBackground {
            lines,
            ..background
        });
    }
    let summary = match summary {
        Some(summary) => Some(summary).filter(|_| all_seen),
        None if lines.is_empty() || !all_seen => None,
        None => {
            let (to, answer) = oneshot::channel();
            let request = SummaryRequest {
                session: id,
                channel,
                turn,
                config: sheet,
                lines,
                read_at,
                reply_sender: to,
            };
            let asked = loop_sender
                .send(LoopMessage::Summary(Box::new(SummaryEvent::Requested(
                    request,
                ))))
                .await;
            let answer = timeout(WAIT, answer).await;
            asked.ok().and_then(|()| answer.ok()?.ok()?)
        }
    };
    Ok(SessionBackground {
        summary,
        ..background
    })
}

/// The lines a session begins with, as they are now, oldest first.
async fn read_session_lines(
    store: &Store,
    session: &Session,
    readable: &[ChannelId],
) -> Result<Vec<RecalledMessage>, StoreError> {
    let start = session.config.start;
    let most = match start {
        SessionStart::None => return Ok(Vec::new()),
        SessionStart::Last(lines) => lines.min(MOST_LINES),
        SessionStart::Inherit | SessionStart::PeopleOnly | SessionStart::Summary => MOST_LINES,
    } as usize;
    let mut taken = Vec::new();
    for SessionSource {
        channel,
        after,
        upto,
    } in session
        .sources
        .iter()
        .filter(|source| readable.contains(&source.channel))
    {
        let before = MessageId(upto.0.saturating_add(1));
        let lines = store
            .load_history(*channel, Some(before), MOST_LINES as usize)
            .await?;
        let is_meant = |author| start != SessionStart::PeopleOnly || author == AuthorKind::Person;
        let lines = lines
            .into_iter()
            .map(|line| line.message)
            .filter(|line| after.is_none_or(|after| line.id > after));
        let lines = lines.filter(|line| is_meant(line.author.kind));
        taken.extend(lines.map(|line| RecalledMessage {
            at: line.at,
            author: line.author.id,
            name: line.author.name,
            text: line.text,
        }));
    }
    let left_out = taken.len().saturating_sub(most);
    Ok(taken.split_off(left_out))
}

impl Daemon {
    /// A session's prompt wants a summary: one is made where the budget allows it.
    pub(in crate::daemon) fn handle_summary_request(&mut self, request: SummaryRequest) {
        let (now, channel) = (clock::now(), request.channel);
        let language = self.language_in(channel);
        let instruction = match &request.config.summary_prompt {
            Some(own) => own.clone(),
            None => match self.prompts.render_session_summary(language) {
                Ok(usual) => usual,
                Err(_) => return,
            },
        };
        let has_program = !request.config.context_program.is_empty();
        if !self.sessions.may_summarize(request.session, now)
            || !has_program && self.find_summary_models(channel).is_empty()
        {
            return;
        }
        self.sessions.record_summary_attempt(request.session, now);
        if has_program {
            return self.start_context_program(request);
        }
        let channel_state = self.core.channel_state(channel);
        let most = channel_state.map_or(0, |state| state.policy().context.history_tokens);
        let names = channel_state
            .map(|state| state.window.names.clone())
            .unwrap_or_default();
        let (lines, _) = render_talk(request.lines.iter(), most, names, &self.core.estimator);
        let attribution = self.attribute_turn_cost(request.turn, channel);
        self.start_summary(
            SummaryWork::Session(request),
            attribution,
            instruction,
            lines,
        );
    }

    fn start_context_program(&mut self, request: SummaryRequest) {
        let Some(context) = self.tool_context(request.channel) else {
            return;
        };
        let SessionConfig {
            profile,
            context_program,
            ..
        } = request.config.clone();
        let lines = request.lines.iter();
        let lines =
            lines.map(|line| json!({ "at": line.at, "name": line.name, "text": line.text }));
        let lines = lines.collect();
        let loop_sender = self.loop_sender.clone();
        tokio::spawn(async move {
            let profile = profile.unwrap_or_default();
            let made = run_context_program(&profile, context_program, lines, context).await;
            let text = made.map_err(|message| ModelFailure {
                message,
                ..ModelFailure::default()
            });
            let work = SummaryWork::Session(request);
            let finished = SummaryEvent::Finished(SummaryResult { work, text });
            let _ = loop_sender
                .send(LoopMessage::Summary(Box::new(finished)))
                .await;
        });
    }

    /// A summary came: it is kept unless any of what it says was erased meanwhile.
    pub(in crate::daemon) async fn store_session_summary(
        &mut self,
        request: SummaryRequest,
        text: Result<String, ModelFailure>,
    ) {
        let text: String = match text {
            Ok(text) => text.chars().take(LONGEST).collect(),
            Err(failure) => {
                let failure = self.tell_host(failure);
                return self.add_turn_note(request.turn, failure.message);
            }
        };
        match self
            .store
            .save_session_summary(request.session, text.clone(), request.read_at)
            .await
        {
            Ok(true) => {
                self.sessions.clear_summary_attempt(request.session);
                // The turn may be over.
                drop(request.reply_sender.send(Some(text)));
            }
            Ok(false) => {
                self.sessions.clear_summary_attempt(request.session);
            }
            Err(error) => tracing::warn!(%error, "a summary could not be kept"),
        }
    }

    pub(in crate::daemon) fn add_turn_note(&mut self, turn: TurnId, note: String) {
        if let Some(running) = self.turns.get_mut(&turn) {
            // Notes quote servers and tools.
            let note = self.redactor.redact(&note).into_owned();
            running.notes.push(note);
        }
    }
}

fn fill_prompt_pieces(pieces: Vec<PromptPiece>) -> Vec<ShownPromptPiece> {
    let filled_pieces = pieces.into_iter().filter_map(|piece| match piece {
        PromptPiece::Model(text) => Some(ShownPromptPiece::Model(text)),
        PromptPiece::Person(text) => Some(ShownPromptPiece::Person(text)),
        PromptPiece::Host { template, vars } => match fill_template(&template, &vars) {
            Ok(text) => Some(ShownPromptPiece::Host(text)),
            Err(why) => {
                tracing::warn!("a session's system prompt cannot be filled: {why}");
                None
            }
        },
    });
    filled_pieces.collect()
}
