//! `/kith why` and the menu Why?: why it spoke or kept silent, in one readable card; of a message nothing is known of,
//! why that may be.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use super::{CommandAnswer, status};
use kith_core::chat::{MessageId, TurnId};
use kith_core::policy::ChannelMode;
use kith_core::report::{DecisionOutcome, DecisionReport, MessageDecision, TurnOutcome};
use kith_core::willingness::{describe_threshold, explain_decision};
use kith_language::why;
use kith_observe::embed::{
    self, CardSeverity, EmbedAudience, LogEmbed, QuotePolicy, RenderContext, formats,
};
use kith_store::{DecisionReason, StoredTurn};

const TERMS: usize = 6;

pub(super) async fn answer(
    context: &CommandContext<'_>,
    message: Option<MessageId>,
) -> CommandOutcome {
    let (store, channel) = (&context.command_service.store, context.facts.channel.id);
    let message = match message {
        Some(message) => message,
        None => match store.find_latest_decision(channel).await? {
            Some(decision) => decision.message,
            None => return answer_with_text(explain_no_decision(context), Vec::new()),
        },
    };
    if let Some(said_by) = store.find_message_turn(channel, message).await? {
        return answer_turn(context, said_by).await;
    }
    let why = store.find_decision_reason(channel, message).await?;
    let Some(decision) = &why.decision else {
        let stored = context
            .command_service
            .find_message(channel, message)
            .await?
            .is_some();
        return answer_with_text(
            if stored {
                explain_not_scored(context)
            } else {
                explain_not_stored(context)
            },
            Vec::new(),
        );
    };
    let turn = match why.turn {
        Some(turn) => store.turn(turn).await?,
        None => None,
    };
    Ok((
        CommandAnswer::Card(render_message(context, decision, &why, turn.as_ref())),
        Vec::new(),
    ))
}

pub(super) async fn answer_turn(context: &CommandContext<'_>, turn: TurnId) -> CommandOutcome {
    let stored = context.find_turn(turn).await?;
    let report = &stored.report;
    let decision = match report.wake.message {
        Some(message) => {
            context
                .command_service
                .store
                .find_decision(report.channel, message)
                .await?
        }
        None => None,
    };
    let mut embed = embed::render_turn(
        report,
        decision.as_ref(),
        model_name(&stored),
        &context.render_context(),
    );
    if let Some(decision) = &decision {
        embed.add_field(
            &context.say(why::energy()),
            formats::format_percent(decision.energy, context.language()),
        );
    }
    embed.add_field(
        &context.say(why::budget_today()),
        status::describe_budget(context),
    );
    embed.raw = context.find_readable_turn(turn);
    Ok((CommandAnswer::Card(embed), Vec::new()))
}

fn render_message(
    context: &CommandContext<'_>,
    decision: &MessageDecision,
    why: &DecisionReason,
    turn: Option<&StoredTurn>,
) -> LogEmbed {
    let language = context.language();
    let outcome = turn.map(|turn| &turn.report.outcome);
    let (severity, title) = match outcome {
        Some(TurnOutcome::Acted) => (CardSeverity::Spoke, context.say(why::why_it_spoke())),
        Some(TurnOutcome::Failed(_)) => (CardSeverity::Failed, context.say(why::why_it_failed())),
        Some(TurnOutcome::Silent(_)) | None => {
            (CardSeverity::Quiet, context.say(why::why_it_kept_silent()))
        }
    };
    let mut embed = LogEmbed {
        severity,
        title: title.to_owned(),
        ..LogEmbed::default()
    };
    embed.text = formats::capitalize(&explain_decision(decision, language));
    embed.linked_message = Some((decision.channel, decision.message));
    if decision.is_weighed() {
        embed.add_field(
            &context.say(why::willingness()),
            describe_threshold(decision.score, decision.threshold, decision.shift, language),
        );
        embed.add_field(
            &context.say(why::strongest_reasons()),
            formats::format_strongest_reasons(decision, TERMS, language),
        );
    }
    embed.add_field(
        &context.say(why::energy()),
        formats::format_percent(decision.energy, language),
    );
    embed.add_field(
        &context.say(why::when_it_looked()),
        describe_decision(context, why.report.as_ref(), decision),
    );
    if let Some(turn) = turn {
        let render_context = context.render_context();
        if let Some(end) = embed::describe_end(&turn.report, &render_context) {
            embed.text = format!("{end}\n{}", embed.text);
        }
        let turn_embed = embed::render_turn(
            &turn.report,
            Some(decision),
            model_name(turn),
            &render_context,
        );
        embed.add_field(
            &context.say(why::turn()),
            turn_embed.title + &context.say(why::sentence_end()) + &turn_embed.text,
        );
        embed.fields.extend(embed::render_turn_fields(
            &turn.report,
            Some(decision),
            &render_context,
        ));
        embed.footer = turn_embed.footer;
        embed.raw = context.find_readable_turn(turn.report.turn);
    }
    embed.add_field(
        &context.say(why::budget_today()),
        status::describe_budget(context),
    );
    embed
}

fn describe_decision(
    context: &CommandContext<'_>,
    report: Option<&DecisionReport>,
    decision: &MessageDecision,
) -> String {
    let language = context.language();
    let Some(report) = report else {
        return context.say(why::not_looked_at());
    };
    let after = formats::format_duration(report.at - decision.at, language);
    let against = describe_threshold(report.score, report.threshold, report.shift, language);
    let outcome = match report.outcome {
        DecisionOutcome::Addressed => context.say(why::spoken_to()),
        DecisionOutcome::Own => context.say(why::own_reason()),
        DecisionOutcome::Willing => context.say(why::wanted_to_speak()),
        DecisionOutcome::Doubtful => context.say(why::in_doubt()),
        DecisionOutcome::Unwilling => context.say(why::not_enough()),
        DecisionOutcome::Refused(refusal) => formats::describe_refusal(refusal, language),
        DecisionOutcome::Queued => context.say(why::waited_for_place()),
    };
    context.say(why::looked(after, against, outcome))
}

fn model_name(turn: &StoredTurn) -> &str {
    turn.prompts
        .last()
        .map_or("", |prompt| prompt.model.as_str())
}

fn explain_no_decision(context: &CommandContext<'_>) -> String {
    let place = context.place();
    match context.facts.policy.mode {
        ChannelMode::Off => context.say(why::channel_off(place)),
        ChannelMode::Observe | ChannelMode::On => context.say(why::nothing_thought_about(place)),
    }
}

fn explain_not_scored(context: &CommandContext<'_>) -> String {
    let name = context.name();
    context.say(why::not_scored(name))
}

fn explain_not_stored(context: &CommandContext<'_>) -> String {
    if context.facts.policy.mode == ChannelMode::Off {
        return explain_no_decision(context);
    }
    let (name, days) = (context.name(), context.facts.keep_days);
    context.say(why::not_stored(days, name))
}

impl CommandContext<'_> {
    /// A turn that has ended, of the channel the request is about.
    pub async fn find_turn(&self, turn: TurnId) -> Result<StoredTurn, CommandRefusal> {
        let stored = self.command_service.store.turn(turn).await?;
        match stored.filter(|stored| stored.report.channel == self.facts.channel.id) {
            Some(stored) => Ok(stored),
            None => self.refuse(why::unknown_turn()),
        }
    }

    /// A turn whose prompt and answer may be asked for by who asks.
    fn find_readable_turn(&self, turn: TurnId) -> Option<TurnId> {
        (self.can_steer() && self.can_read()).then_some(turn)
    }

    /// How a turn is told to who asks: its text to those who look after the channel and may read it.
    fn render_context(&self) -> RenderContext<'_> {
        let readers = match (self.is_direct() && self.can_read(), self.caller.is_operator) {
            (true, _) => EmbedAudience::Channel,
            (false, true) => EmbedAudience::Operator,
            (false, false) => EmbedAudience::Guild,
        };
        let quote = if self.can_steer() && self.can_read() {
            QuotePolicy::Shown
        } else {
            QuotePolicy::Hidden
        };
        RenderContext {
            channel: &self.facts.channel,
            guild: None,
            readers,
            quote,
            language: self.language(),
        }
    }
}
