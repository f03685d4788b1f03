//! What the weights are drawn to while they are learnt: nothing, except where the public logs show too little. Typed
//! replies, direct messages, interests, rooms of three and looking at a message again do not occur there or hardly; such
//! weights are judgement, listed here, and one that is never seen stays exactly where it is drawn to.

use super::newton::L2Prior;
use super::reply_choice;
use kith_core::links::LinkClue;
use kith_core::willingness::{SIGNALS, Signal};

/// The willingness' constant and its signals.
pub const SIZE: usize = SIGNALS + 1;

/// How strongly a weight of the willingness is drawn, in units of examples.
const SIGNAL_STRENGTH: f64 = 3.0;
const CLUE_STRENGTH: f64 = 1.0;
/// A constant is drawn hardly at all.
const CONSTANT_STRENGTH: f64 = 1e-3;

/// Judgement, in log-odds for a value of 1.
const JUDGED: &[(Signal, f64)] = &[
    (Signal::Reply, 0.8),
    (Signal::Direct, 3.0),
    (Signal::FirstCall, 2.4),
    (Signal::Topic, 0.5),
    (Signal::YouTwo, 1.5),
    (Signal::Interest, 1.2),
    (Signal::Dislike, -1.0),
    (Signal::Tired, -0.3),
    (Signal::Welcome, 0.4),
    (Signal::Age, -1.5),
    (Signal::Answered, -1.0),
    (Signal::SpokeSince, -1.0),
];

/// Whose turn it is in a small room, in log-odds for a value of 1. The annotated logs have next to no such rooms, so
/// these are held. They are round numbers guided by a regression of who speaks next over the thirty dialogues of
/// casual3-train (Tsuda et al. 2025, CC BY-SA 4.0); no text of them and no other weight comes from there.
const HELD_SMALL: &[(Signal, f64)] = &[
    (Signal::SmallRoom, 1.2),
    (Signal::SmallCalled, -0.5),
    (Signal::SmallOther, 0.6),
    (Signal::SmallShare, 0.5),
    (Signal::SmallSilence, 0.1),
    (Signal::SmallLongest, 0.7),
    (Signal::SmallFollows, 0.6),
    (Signal::SmallCutIn, 0.1),
    (Signal::SmallAsked, -0.2),
    (Signal::SmallQuestion, 0.2),
    (Signal::SmallLength, 0.4),
    (Signal::SmallRun1, 0.2),
    (Signal::SmallRun2, 0.2),
];
/// What means something else, or nothing, where three people take turns: there whose turn it is counts instead.
const NOT_IN_TURNS: &[Signal] = &[
    Signal::CalledQuestion,
    Signal::CalledLength,
    Signal::CalledAnew,
    Signal::CalledAnswer,
    Signal::CalledPace,
    Signal::Partner,
    Signal::Acquainted,
    Signal::SpokeTo,
    Signal::CalledBefore,
    Signal::AnswersMe,
    Signal::AnswersLast,
    Signal::AnswersCaller,
    Signal::MyConversation,
    Signal::Hold,
    Signal::MyPart,
    Signal::LongTalk,
    Signal::OthersTalk,
    Signal::Opens,
    Signal::ContinuesToMe,
    Signal::ContinuesToOther,
    Signal::Pending,
    Signal::Recent,
    Signal::Silent1,
    Signal::Silent2,
    Signal::Silent5,
    Signal::OfLate,
    Signal::Lately,
    Signal::Stranger,
    Signal::Share,
    Signal::NextLine,
    Signal::Lull,
    Signal::Crowd,
    Signal::Pace,
    Signal::StepsIn,
    Signal::StepsInQuestion,
    Signal::Starts,
    Signal::Question,
    Signal::OpenQuestion,
    Signal::Greeting,
    Signal::Length,
    Signal::Brief,
    Signal::Agrees,
    Signal::Personal,
    Signal::YouOther,
    Signal::Run,
    Signal::Newcomer,
];
/// The signals from [`Signal::Talk`] to [`Signal::SinceOwn`] are of the talk; among three who take turns nobody has marked
/// any chat for them.
fn is_talk_signal(signal: Signal) -> bool {
    (Signal::Talk as usize..=Signal::SinceOwn as usize).contains(&(signal as usize))
}

/// Stronger than any data.
const HELD: f64 = 1e12;

/// A first guess at the links: what reads the logs before anything is learnt from them.
const CLUES_JUDGED: &[(LinkClue, f64)] = &[
    (LinkClue::Distance, -1.0),
    (LinkClue::SameRun, 1.0),
    (LinkClue::NamesAuthor, 4.0),
    (LinkClue::NamesOther, -2.5),
    (LinkClue::MeantForMe, 1.5),
    (LinkClue::Partners, 1.0),
];

pub fn willingness_prior() -> L2Prior {
    let mut pull = L2Prior {
        to: vec![0.0; SIZE],
        strength: vec![SIGNAL_STRENGTH; SIZE],
    };
    pull.strength[0] = CONSTANT_STRENGTH;
    for (signal, weight) in JUDGED {
        pull.to[1 + *signal as usize] = *weight;
    }
    for (signal, _) in HELD_SMALL {
        pull.strength[1 + *signal as usize] = HELD;
    }
    pull
}

/// The weights where three people take turns: judgement for whose turn it is, and of what was learnt in a crowd only how
/// it is called.
pub fn derive_turn_weights(crowd: &[f64]) -> Vec<f64> {
    let mut weights = crowd.to_vec();
    for signal in Signal::ALL
        .into_iter()
        .filter(|signal| NOT_IN_TURNS.contains(signal) || is_talk_signal(*signal))
    {
        weights[1 + signal as usize] = 0.0;
    }
    for (signal, weight) in HELD_SMALL {
        weights[1 + *signal as usize] = *weight;
    }
    weights
}

pub fn link_prior() -> L2Prior {
    let mut pull = L2Prior {
        to: vec![0.0; reply_choice::SIZE],
        strength: vec![CLUE_STRENGTH; reply_choice::SIZE],
    };
    pull.strength[reply_choice::SIZE - 1] = CONSTANT_STRENGTH;
    for (clue, weight) in CLUES_JUDGED {
        pull.to[*clue as usize] = *weight;
    }
    pull
}

/// [`willingness_prior`] with one signal held at 0.
pub fn exclude_signal(signal: Signal) -> L2Prior {
    let mut pull = willingness_prior();
    (
        pull.to[1 + signal as usize],
        pull.strength[1 + signal as usize],
    ) = (0.0, HELD);
    pull
}
