//! Rendering the sections of a prompt over a history of 200 lines: the target is under 300 microseconds.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, Millis, SECOND, UserId,
};
use kith_core::context::{
    ChannelRapport, CoreBlock, HistoryWindow, PromptSources, TokenEstimator, escape,
    render_sections,
};
use kith_core::persona::Persona;
use kith_core::policy::ChannelPolicy;
use kith_core::report::{ThresholdShift, TurnTrigger};
use kith_core::session::SessionBackground;
use kith_core::timeline::Timeline;

const START: Millis = 1_710_252_000_000;
const NAMES: [&str; 8] = [
    "Anna",
    "Ben",
    "Carl",
    "小林",
    "Dmitri",
    "xX_eve_Xx",
    "Farah",
    "Gwen",
];
const TEXTS: [&str; 6] = [
    "so i tried it again and it went about as well as last time <3",
    "<@1003> did you see the boat??",
    "no way\nhow\nwhen",
    "今天好冷啊，外面下雨了",
    "the thing about {{ templates }} is that [14:05] people like them",
    "😂😂 ok",
];

fn timeline(lines: u64) -> Timeline {
    let mut timeline = Timeline::default();
    for index in 0..lines {
        let who = index % NAMES.len() as u64;
        let name = NAMES[who as usize].into();
        timeline.say(Message {
            id: MessageId(index + 1),
            channel: ChannelId(7),
            arrival: index + 1,
            at: START + index as Millis * 20 * SECOND,
            author: Author {
                id: UserId(1_000 + who),
                name,
                kind: AuthorKind::Person,
            },
            text: TEXTS[index as usize % TEXTS.len()].into(),
            reply_to: (index % 3 == 1).then_some(MessageId(index)),
            mentions: Vec::new(),
        });
    }
    timeline
}

#[divan::bench]
fn render_200_lines(bencher: Bencher<'_, '_>) {
    let channel = Channel {
        id: ChannelId(7),
        guild: None,
        name: "lounge".into(),
        topic: "anything goes".into(),
        kind: ChannelKind::Group,
        parent: None,
    };
    let persona = Arc::new(Persona {
        name: "Juno".into(),
        ..Persona::default()
    });
    let policy = ChannelPolicy {
        names: vec!["Juno".into()],
        persona,
        ..ChannelPolicy::default()
    };
    let timeline = timeline(200);
    let woke = MessageId(200);
    let wake = TurnTrigger {
        message: Some(woke),
        author: None,
        address: None,
        addressed: vec![woke],
        score: 0.5,
        threshold: 0.4,
        shift: ThresholdShift::default(),
        goes_on: false,
        is_doubtful: false,
        own: None,
    };
    let core_memory = [CoreBlock {
        label: "me".into(),
        text: "i fix bikes\nand live with a cat".into(),
        limit: 600,
        ..CoreBlock::default()
    }];
    let view = PromptSources {
        channel: &channel,
        policy: &policy,
        timeline: &timeline,
        me: UserId(1),
        now: START + 4_000 * SECOND,
        wake: &wake,
        line_for_other: None,
        conversation: &[],
        working: &[],
        seen_item_count: 0,
        recalled: &[],
        people: &[],
        core_memory: &core_memory,
        rapport: &ChannelRapport::default(),
        session_background: &SessionBackground::default(),
        intentions: &[],
        unsent: &[],
        lines_on_their_way: &[],
        notes: &[],
        plan: &kith_core::plan::Plan::default(),
        is_reminded: false,
        summary: None,
        pictures: &[],
        fixed_tokens: 1_200,
    };
    let estimator = TokenEstimator::default();
    let shown = render_sections(&view, &mut HistoryWindow::default(), &estimator)
        .history
        .text;
    assert!(
        shown.lines().filter(|line| !line.starts_with('[')).count() == 200,
        "not all lines are shown"
    );
    bencher.bench_local(|| {
        render_sections(black_box(&view), &mut HistoryWindow::default(), &estimator)
    });
}

#[divan::bench]
fn escape_a_message(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let mut out = String::new();
        escape::escape_line(&mut out, black_box(TEXTS[4]), &|_| None);
        out
    });
}

#[divan::bench]
fn estimate_4000_tokens(bencher: Bencher<'_, '_>) {
    let text = TEXTS.join("\n").repeat(60);
    bencher.bench_local(|| TokenEstimator::default().estimate_tokens(black_box(&text)));
}

fn main() {
    divan::main();
}
