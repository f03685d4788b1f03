//! Law 1 where it is hard: several people, failures, restarts, switched-off channels.

use std::sync::Arc;

use kith_core::chat::{Author, AuthorKind, ChannelId, DAY, MINUTE, SECOND, TurnId, UserId};
use kith_core::effect::Effect;
use kith_core::event::{BudgetState, ChatEvent, Event};
use kith_core::partition::Partition;
use kith_core::policy::{ChannelMode, ChannelPolicy, PacingSettings};
use kith_core::report::DecisionOutcome;
use kith_core::talkativeness::Talkativeness;
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup};

use crate::turn::HI;
use crate::turn::sim::{Answer, ME, Sim, channel, policy};

#[test]
fn who_speaks_up_while_a_tool_runs_after_a_message_is_not_swallowed() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts(
            "<turn><send_message>hi Anna, one moment</send_message><get_time/>",
        ))
        .answer(Answer::Says("<turn></turn>"))
        .answer(Answer::Says(
            "<turn><send_message>hi Ben</send_message></turn>",
        ));
    sim.says("Anna", "@Juno what time is it?");
    sim.wait(2 * SECOND);
    sim.says("Ben", "@Juno hello as well");
    sim.model_ends("</turn>");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("ask #1 Repair"),
        "an empty answer to Ben is asked again\n{}",
        sim.log
    );
    assert!(sim.log.contains("say #1: hi Ben"), "{}", sim.log);
}

#[test]
fn silence_chosen_before_a_restart_is_no_answer_to_who_spoke_after_it() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts(
            "<turn><stay_silent>nothing for me here</stay_silent>",
        ))
        .answer(Answer::Says("<turn></turn>"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno said so");
    sim.wait(2 * SECOND);
    sim.says("Ben", "@Juno but what do you think?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn everybody_who_spoke_to_it_sees_that_the_model_failed() {
    let mut sim = Sim::new(policy()).answer(Answer::Fails("no route"));
    let anna = sim.says("Anna", "@Juno hi");
    let ben = sim.says("Ben", "@Juno hi");
    sim.wait(5 * SECOND);
    for message in [anna, ben] {
        assert!(
            sim.log.contains(&format!("react ⚠️ on {message}")),
            "{}",
            sim.log
        );
    }
}

#[test]
fn an_unasked_turn_that_somebody_spoke_into_owes_them_a_reaction_when_it_fails() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty).answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says(
        "Anna",
        "does anybody here know whether the shop is open on sundays at all?",
    );
    sim.wait(22 * SECOND);
    assert!(
        sim.log.contains("ask #1"),
        "the test needs an unasked turn\n{}",
        sim.log
    );
    let ben = sim.says("Ben", "@Juno do you?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains(&format!("react ⚠️ on {ben}")),
        "{}",
        sim.log
    );
}

#[test]
fn a_budget_spent_between_hearing_and_looking_leaves_a_small_reaction() {
    let mut sim = Sim::new(policy());
    let id = sim.says("Anna", "@Juno hi");
    sim.event(Event::Budget(BudgetState::Hard));
    sim.wait(5 * SECOND);
    sim.expect(&format!(
        "0.8 react 💤 on {id}
         0.8 beat #1: refused(budget)",
    ));
}

#[test]
fn a_budget_that_opens_again_before_the_beat_counts() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.event(Event::Budget(BudgetState::Hard));
    sim.says("Anna", "@Juno hi");
    sim.event(Event::Budget(BudgetState::Open));
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn who_speaks_to_it_where_a_channel_has_used_up_its_share_waits_until_there_is_more() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    let channel = ChannelId(1);
    sim.event(Event::ChannelBudget {
        channel,
        budget: BudgetState::Hard,
    });
    let id = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect(&format!(
        "0.8 react 💤 on {id}
         0.8 beat #1: refused(budget)",
    ));
    sim.event(Event::Budget(BudgetState::Open));
    sim.event(Event::ChannelBudget {
        channel,
        budget: BudgetState::Soft,
    });
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn after_a_clock_that_was_a_year_ahead_is_set_back_the_next_message_is_answered() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.now += 365 * DAY;
    sim.says("Anna", "@Juno are you there?");
    sim.now -= 365 * DAY;
    sim.wait(MINUTE);
    sim.says("Anna", "@Juno hello?");
    sim.wait(MINUTE);
    assert!(sim.log.contains("say #1"), "{}", sim.log);
}

#[test]
fn a_channel_switched_off_or_to_observe_in_the_middle_of_a_turn_hears_no_more() {
    for mode in [ChannelMode::Off, ChannelMode::Observe] {
        let typing = PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        };
        let slow = ChannelPolicy {
            pacing: typing,
            ..policy()
        };
        let mut sim = Sim::new(slow.clone()).answer(Answer::Says(
            "<turn><send_message>first of two\n\nand the second</send_message></turn>",
        ));
        sim.says("Anna", "@Juno tell me");
        sim.wait(2_500);
        let switch = |mode| Event::ChannelSeen {
            channel: channel(1),
            policy: Arc::new(ChannelPolicy {
                mode,
                ..slow.clone()
            }),
        };
        sim.event(switch(mode));
        sim.event(switch(ChannelMode::On));
        sim.wait(60 * SECOND);
        assert!(sim.log.contains("say #1: first of two"), "{}", sim.log);
        assert!(!sim.log.contains("and the second"), "{}", sim.log);
        assert_eq!(sim.core.load(), (0, 0), "no place is lost");
    }
}

#[test]
fn plain_text_that_somebody_spoke_into_is_not_said_behind_their_back() {
    let typing = PacingSettings {
        characters_per_second: 10.0,
        ..PacingSettings::default()
    };
    let plain = ChannelPolicy {
        plain_text_is_speech: true,
        pacing: typing,
        ..policy()
    };
    let mut sim = Sim::new(plain)
        .answer(Answer::Says("hello there my dear friend"))
        .answer(Answer::Says(
            "<turn><stay_silent>listening</stay_silent></turn>",
        ));
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sim.says("Ben", "@Juno wait");
    sim.wait(20 * SECOND);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
    assert!(
        sim.asked[1].1.contains("hello there my dear friend"),
        "what it was about to say is told"
    );
    assert_eq!(sim.reports.len(), 1, "it started over\n{}", sim.log);
}

#[test]
fn who_speaks_into_the_answer_to_a_second_person_gets_a_turn_and_no_false_repair() {
    let typing = PacingSettings {
        characters_per_second: 10.0,
        ..PacingSettings::default()
    };
    let mut sim = Sim::new(ChannelPolicy {
        pacing: typing,
        ..policy()
    })
    .answer(Answer::Starts(
        "<turn><send_message>hi Anna</send_message><get_time/>",
    ))
    .answer(Answer::Says(
        "<turn><send_message>and hi to you, Ben, of course</send_message></turn>",
    ))
    .answer(Answer::Says(
        "<turn><stay_silent>enough</stay_silent></turn>",
    ));
    sim.says("Anna", "@Juno hi");
    sim.wait(4 * SECOND);
    sim.says("Ben", "@Juno hi");
    sim.model_ends("</turn>");
    sim.wait(SECOND);
    sim.says("Cleo", "@Juno hi");
    sim.wait(20 * SECOND);
    assert!(!sim.log.contains("Repair"), "{}", sim.log);
    assert!(!sim.log.contains('⚠'), "{}", sim.log);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn an_own_line_that_comes_in_after_a_later_message_still_counts_as_speech() {
    let mut sim = Sim::new(policy());
    sim.says("Anna", "morning all");
    let tired = |sim: &Sim| {
        sim.core
            .channel_state(ChannelId(1))
            .map(|state| state.state().sense.energy(sim.now))
    };
    let before = tired(&sim);
    let me = Author {
        id: ME,
        name: "Juno".into(),
        kind: AuthorKind::Companion,
    };
    // Stored first, heard last: its arrival number is below one that was heard already.
    let mut late = sim
        .core
        .channel_state(ChannelId(1))
        .and_then(|state| state.timeline().messages().next().cloned());
    let message = late.as_mut().map(|said| &mut said.message).expect("there");
    (message.id.0, message.arrival, message.author) = (90, 1, me);
    let message = message.clone();
    sim.event(Event::Chat(ChatEvent::Message(message)));
    assert!(tired(&sim) < before);
}

#[test]
fn a_bot_beside_a_person_does_not_take_the_persons_place() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty).answer(Answer::Says(HI));
    sim.says(
        "Anna",
        "does anybody here know whether the shop is open on sundays at all?",
    );
    let bot = Author {
        id: UserId(900),
        name: "Robo".into(),
        kind: AuthorKind::Bot,
    };
    sim.hear(1, bot, "@Juno buy now", None);
    sim.wait(22 * SECOND);
    assert!(sim.log.contains("willing"), "{}", sim.log);
}

#[test]
fn a_paragraph_is_no_emoji() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(
            "<turn><react to=\"1\" emoji=\"i would like to say that\"/></turn>",
        ))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(!sim.log.contains("react i would"), "{}", sim.log);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn a_turn_that_dies_with_the_process_leaves_its_address_to_be_answered() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Anna", "morning all");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno are you there?");
    sim.wait(5 * SECOND);
    let saved = sim
        .core
        .take_changed_states()
        .into_iter()
        .find(|(id, _)| *id == ChannelId(1))
        .map(|(_, state)| state);
    let state = sim
        .core
        .channel_state(ChannelId(1))
        .map(|state| state.timeline().messages().map(|said| said.message.clone()));
    let (saved, tail) = (
        saved.expect("changed"),
        state.expect("there").collect::<Vec<_>>(),
    );

    let setup = CoreSetup {
        me: ME,
        weights: Arc::new(Weights::load_embedded()),
        turns_in_flight: 4,
        last_turn: TurnId(8),
        partition: Partition::WHOLE,
    };
    let mut core = Core::new(setup);
    let effects = core.restore_channel(
        sim.now,
        channel(1),
        Arc::new(policy()),
        saved.clone(),
        Vec::new(),
        tail,
    );
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::ReportMessageDecision(_))),
        "what was heard before is not heard again: {effects:?}"
    );
    let state = core
        .channel_state(ChannelId(1))
        .map(|state| serde_json::to_value(&state.state().sense).ok());
    assert_eq!(state, Some(serde_json::to_value(&saved.sense).ok()));
    let due = core
        .next_deadline()
        .expect("the unanswered address is looked at");
    let effects = core.handle_event(due, Event::Tick);
    let woken = |effect: &Effect| matches!(effect, Effect::ReportDecision(beat) if beat.outcome == DecisionOutcome::Addressed);
    assert!(effects.iter().any(woken), "{effects:?}");
}

#[test]
fn a_channel_that_is_left_takes_nothing_up_any_more_once_its_turn_is_over() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Anna", "@Juno are you there?");
    sim.wait(5 * SECOND);
    assert!(!sim.core.unload_channel(ChannelId(1)), "a turn runs");
    let off = Arc::new(ChannelPolicy {
        mode: ChannelMode::Off,
        ..policy()
    });
    sim.core.handle_event(
        sim.now,
        Event::ChannelSeen {
            channel: channel(1),
            policy: off,
        },
    );
    assert!(
        sim.core
            .take_changed_states()
            .iter()
            .any(|(id, _)| *id == ChannelId(1)),
        "to be saved first"
    );
    assert!(sim.core.unload_channel(ChannelId(1)));
    assert!(sim.core.channel_state(ChannelId(1)).is_none());
    assert_eq!((sim.core.next_deadline(), sim.core.load()), (None, (0, 0)));
}

#[test]
fn what_is_known_of_an_answer_goes_with_its_prompt_whether_somebody_waits_and_which_lines_are_shown()
 {
    let mut sim = Sim::new(policy()).answer(Answer::Says(
        "<turn><send_message>hey</send_message><get_time/></turn>",
    ));
    sim = sim.answer(Answer::Says("<turn></turn>"));
    sim.says("Anna", "morning");
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[0]
            .1
            .contains("AnswerShape { owes: true, lines: [1, 2] }"),
        "{}",
        sim.asked[0].1
    );
    assert!(
        sim.asked[1]
            .1
            .contains("AnswerShape { owes: false, lines: [1, 2, 3] }"),
        "{}",
        sim.asked[1].1
    );
}
