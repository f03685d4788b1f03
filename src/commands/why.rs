//! `/kith why` and the menu Why?: why it spoke or kept silent, in one readable card; of a message nothing is known of,
//! why that may be.

use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use super::{CommandAnswer, status};
use kith_core::chat::{MessageId, TurnId};
use kith_core::policy::ChannelMode;
use kith_core::report::{DecisionOutcome, DecisionReport, MessageDecision, TurnOutcome};
use kith_core::willingness::{describe_threshold, explain_decision};
use kith_observe::embed::{self, CardSeverity, EmbedAudience, LogEmbed, QuotePolicy, RenderContext, words};
use kith_store::{DecisionReason, StoredTurn};

/// How many terms are listed.
const TERMS: usize = 6;

pub(super) async fn answer(visit: &CommandContext<'_>, message: Option<MessageId>) -> CommandOutcome {
    visit.check_can_ask()?;
    let (store, channel) = (&visit.command_service.store, visit.facts.channel.id);
    let message = match message {
        Some(message) => message,
        None => match store.find_latest_decision(channel).await? {
            Some(decision) => decision.message,
            None => return answer_with_text(explain_no_decision(visit), Vec::new()),
        },
    };
    if let Some(said_by) = store.find_message_turn(channel, message).await? {
        return answer_turn(visit, said_by).await;
    }
    let why = store.why(channel, message).await?;
    let Some(decision) = &why.decision else {
        let stored = visit.command_service.find_message(channel, message).await?.is_some();
        return answer_with_text(
            if stored { explain_not_scored(visit) } else { explain_not_stored(visit) },
            Vec::new(),
        );
    };
    let turn = match why.turn {
        Some(turn) => store.turn(turn).await?,
        None => None,
    };
    Ok((CommandAnswer::Card(render_message(visit, decision, &why, turn.as_ref())), Vec::new()))
}

/// Why a turn woke, and what it did.
pub(super) async fn answer_turn(visit: &CommandContext<'_>, turn: TurnId) -> CommandOutcome {
    visit.check_can_ask()?;
    let stored = visit.find_turn(turn).await?;
    let report = &stored.report;
    let decision = match report.wake.message {
        Some(message) => visit.command_service.store.find_decision(report.channel, message).await?,
        None => None,
    };
    let mut card = embed::render_turn(report, decision.as_ref(), model_name(&stored), &visit.render_context());
    if let Some(decision) = &decision {
        card.add_field(visit.say("Energy", "精力"), words::format_percent(decision.energy, visit.language()));
    }
    card.add_field(visit.say("Budget today", "今日预算"), status::describe_budget(visit));
    card.raw = visit.find_readable_turn(turn);
    Ok((CommandAnswer::Card(card), Vec::new()))
}

fn render_message(
    visit: &CommandContext<'_>,
    decision: &MessageDecision,
    why: &DecisionReason,
    turn: Option<&StoredTurn>,
) -> LogEmbed {
    let language = visit.language();
    let outcome = turn.map(|turn| &turn.report.outcome);
    let (tone, title) = match outcome {
        Some(TurnOutcome::Acted) => (CardSeverity::Spoke, visit.say("Why it spoke", "它为什么说话")),
        Some(TurnOutcome::Failed(_)) => (CardSeverity::Failed, visit.say("Why it failed", "它为什么没能回应")),
        Some(TurnOutcome::Silent(_)) | None => {
            (CardSeverity::Quiet, visit.say("Why it kept silent", "它为什么没有说话"))
        }
    };
    let mut card = LogEmbed { tone, title: title.to_owned(), ..LogEmbed::default() };
    card.text = words::capitalize(&explain_decision(decision, language));
    card.about = Some((decision.channel, decision.message));
    card.add_field(
        visit.say("Willingness", "意愿"),
        describe_threshold(decision.score, decision.bar, decision.moved, language),
    );
    card.add_field(
        visit.say("Strongest reasons", "主要原因"),
        words::format_strongest_reasons(decision, TERMS, language),
    );
    card.add_field(visit.say("Energy", "精力"), words::format_percent(decision.energy, language));
    card.add_field(visit.say("When it looked", "查看时"), describe_decision(visit, why.beat.as_ref(), decision));
    if let Some(turn) = turn {
        let telling = visit.render_context();
        let told = embed::render_turn(&turn.report, Some(decision), model_name(turn), &telling);
        card.add_field(visit.say("Turn", "回合"), told.title + visit.say(". ", "。") + &told.text);
        card.fields.extend(embed::render_turn_fields(&turn.report, Some(decision), &telling));
        card.footer = told.footer;
        card.raw = visit.find_readable_turn(turn.report.turn);
    }
    card.add_field(visit.say("Budget today", "今日预算"), status::describe_budget(visit));
    card
}

/// What the beat found that decided on the message.
fn describe_decision(visit: &CommandContext<'_>, beat: Option<&DecisionReport>, decision: &MessageDecision) -> String {
    let language = visit.language();
    let Some(beat) = beat else {
        return visit
            .say(
                "not by itself: a message beside it in the same burst counted, or it has not looked yet",
                "没有单独查看：以同一阵里的另一条消息为准，或者还没有查看",
            )
            .to_owned();
    };
    let after = words::format_duration(beat.at - decision.at, language);
    let against = describe_threshold(beat.score, beat.bar, beat.moved, language);
    let came = match beat.outcome {
        DecisionOutcome::Addressed => visit.say("it was spoken to", "有人在对它说话"),
        DecisionOutcome::Own => visit.say("it had a reason of its own", "它自己有理由醒来"),
        DecisionOutcome::Willing => visit.say("it wanted to speak", "它想说话"),
        DecisionOutcome::Doubtful => {
            visit.say("in doubt, so it asked a model whether to speak", "拿不准，先问了另一个模型该不该说话")
        }
        DecisionOutcome::BelowBar => visit.say("not enough to speak", "不足以开口"),
        DecisionOutcome::Refused(refusal) => words::describe_refusal(refusal, language),
        DecisionOutcome::Queued => visit.say("it waited for a free place to think", "在等空闲的位置"),
    };
    visit.say(format!("{came} ({after} later, {against})"), format!("{came}：{after}后，{against}"))
}

fn model_name(turn: &StoredTurn) -> &str {
    turn.prompts.last().map_or("", |prompt| prompt.model.as_str())
}

fn explain_no_decision(visit: &CommandContext<'_>) -> String {
    let place = visit.place();
    match visit.facts.policy.mode {
        ChannelMode::Off => {
            visit.say(format!("{place} is off: nothing is read here."), format!("{place} 已关闭：这里不读取任何内容。"))
        }
        ChannelMode::Observe | ChannelMode::On => visit
            .say(format!("Nothing was thought about in {place} yet."), format!("在 {place} 还没有考虑过任何消息。")),
    }
}

fn explain_not_scored(visit: &CommandContext<'_>) -> String {
    let name = visit.name();
    visit.say(
        format!("{name} has read that, but not thought about whether to answer: it was fetched later, or is its own."),
        format!("{name} 读过这条消息，但没有考虑过要不要回应：它是后来补读的，或者是它自己说的。"),
    )
}

fn explain_not_stored(visit: &CommandContext<'_>) -> String {
    if visit.facts.policy.mode == ChannelMode::Off {
        return explain_no_decision(visit);
    }
    let (name, days) = (visit.name(), visit.facts.keep_days);
    visit.say(
        format!(
            "{name} knows nothing of that message: it was written while the channel was off, is older than {days} days, \
             was deleted or forgotten, or its author does not want to be read."
        ),
        format!("{name} 不知道这条消息：它写于频道关闭期间，或已超过 {days} 天，或已被删除或忘掉，或者作者不希望被读取。"),
    )
}

impl CommandContext<'_> {
    /// A turn that has ended, of the channel the request is about.
    pub async fn find_turn(&self, turn: TurnId) -> Result<StoredTurn, CommandRefusal> {
        let stored = self.command_service.store.turn(turn).await?;
        match stored.filter(|stored| stored.report.channel == self.facts.channel.id) {
            Some(stored) => Ok(stored),
            None => self.refuse(
                "There is no such turn: it still runs, or it is not kept any more.",
                "没有这个回合：它还在进行，或者已不再保存。",
            ),
        }
    }

    /// A turn whose prompt and answer may be asked for by who asks.
    fn find_readable_turn(&self, turn: TurnId) -> Option<TurnId> {
        (self.can_steer() && self.may_read()).then_some(turn)
    }

    /// How a turn is told to who asks: its text to those who look after the channel and may read it.
    fn render_context(&self) -> RenderContext<'_> {
        let readers = match (self.is_direct() && self.may_read(), self.asker.host) {
            (true, _) => EmbedAudience::Channel,
            (false, true) => EmbedAudience::Operator,
            (false, false) => EmbedAudience::Guild,
        };
        let quote = if self.can_steer() && self.may_read() { QuotePolicy::Shown } else { QuotePolicy::Hidden };
        RenderContext { channel: &self.facts.channel, guild: None, readers, quote, language: self.language() }
    }
}
