//! Who somebody is: no two people, and nobody and the companion, stand under names that can be taken for one another, in
//! any part of a prompt and in what tools answer.

mod any_names;

use std::collections::{BTreeMap, BTreeSet};

use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{
    Author, AuthorKind, ChannelId, GuildId, HOUR, IntentionId, MessageId, TurnId, UserId,
};
use kith_core::context::{
    PromptSections, PromptSources, RecalledMessage, RecalledTalk, TokenEstimator, render_sections,
    skeleton,
};
use kith_core::intent::{IntentTrigger, Reminder, ScheduledIntent};
use kith_core::moderation::{ModerationAction, ModerationKind};
use kith_core::persona::Language;
use kith_core::report::{DirectAddress, SelfTrigger};
use kith_core::session::SessionBackground;
use kith_tools::NumberedLines;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::context::support::{ME, PromptFixture};

/// A ban of somebody that a moderator approved and that is done.
fn deed(user: u64, name: &str) -> ApprovalRequest {
    let act = ModerationAction {
        deed: ModerationKind::BanMember,
        guild: GuildId(2),
        channel: ChannelId(1),
        user: UserId(user),
        name: name.into(),
        message: MessageId(1),
        minutes: None,
        reason: "spam".into(),
    };
    let waiting = ApprovalRequest::new((TurnId(1), 1), ApprovalSubject::Deed(act), 1, 60);
    ApprovalRequest {
        state: ApprovalState::Done,
        decided: Some(2),
        ..waiting
    }
}

fn author(id: u64, name: &str) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

fn recalled(id: u64, name: &str, text: &str) -> RecalledMessage {
    RecalledMessage {
        at: 0,
        author: UserId(id),
        name: name.into(),
        text: text.into(),
    }
}

/// The name a line stands under that ends with `text`.
fn name_before<'a>(prompt: &'a str, text: &str) -> Vec<&'a str> {
    let lines = prompt
        .lines()
        .filter_map(|line| line.strip_suffix(text)?.strip_suffix(": "));
    lines
        .filter_map(|line| {
            line.trim_start_matches("| ")
                .split_once(' ')
                .map(|(_, name)| name)
        })
        .collect()
}

#[test]
fn a_name_of_the_companion_in_any_letters_is_nobody_elses() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture
        .policy
        .names
        .extend(["junes".into(), "The Mechanic".into()]);
    let lookalikes = [
        "Juno",
        "JUNO",
        "Ｊｕｎｏ",
        "\u{408}uno",
        "J\u{200b}uno",
        "Ju\u{301}no\u{336}",
        "ju no",
        "𝓙𝓾𝓷𝓸",
        "🅹🆄🅽🅾",
        "ᴊᴜɴᴏ",
        "🇯🇺🇳🇴",
        "Jun0",
        "Juпo",
        "Jиno",
        "junes",
        "Junes.",
        "ʝυnes",
        "the mechanic",
        "Tһe Меchanic",
    ];
    for (id, name) in (50..).zip(lookalikes) {
        fixture.message(author(id, name), "hi", None);
    }
    let history = fixture.history();
    let names = name_before(&history, "hi");
    assert_eq!(names.len(), lookalikes.len());
    for (name, raw) in names.iter().zip(lookalikes) {
        let number = name
            .rsplit_once(' ')
            .and_then(|(_, number)| number.parse::<u32>().ok());
        assert!(number.is_some(), "{raw} stands as {name}");
    }
    let distinct: BTreeSet<String> = names.iter().map(|name| skeleton(name)).collect();
    assert_eq!(distinct.len(), lookalikes.len(), "{names:?}");
}

fn assert_numbered(sections: &PromptSections, second: &str) {
    let parts = [
        (&sections.history, format!("2 {second}: not me")),
        (&sections.history, format!("* {second} 👍 1")),
        (
            &sections.history,
            format!("4 Ben: @{second} look in the boat"),
        ),
        (&sections.members, format!("Ben, {second}, Anna")),
        (
            &sections.now,
            format!("Line 2: {second} calls you by name."),
        ),
        (
            &sections.now,
            "Also speaking to you: line 1 (Anna).".to_owned(),
        ),
        (&sections.recalled, format!("{second}: i lost the keys")),
        (&sections.notes, format!("you wait for: {second} writes")),
        (&sections.notes, format!("you remind {second} at")),
        (
            &sections.notes,
            format!("a moderator approved that you ban {second} from the server: it is done"),
        ),
        (
            &sections.notes,
            "a moderator approved that you ban Anna #1005 from the server: it is done".to_owned(),
        ),
    ];
    for (section, wanted) in parts {
        assert!(
            section.text.contains(&wanted),
            "{wanted:?} in\n{}",
            section.text
        );
    }
    assert!(
        sections
            .recalled
            .text
            .contains("Anna #1005: i am somebody else"),
        "{}",
        sections.recalled.text
    );
}

#[test]
fn the_second_of_two_stands_under_the_same_number_everywhere() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.message(author(50, "Anna"), "one of us has the keys", None);
    let asked = fixture.message(author(51, "\u{410}nna"), "not me, juno do you know", None);
    let first = fixture.timeline.messages().next().unwrap().message.id;
    fixture
        .timeline
        .react(first, author(51, "\u{410}nna"), "👍".into(), fixture.now);
    let mentioning = fixture.says("Ben", "@\u{410}nna look in the boat");
    let mut said = fixture.timeline.find(mentioning).unwrap().message.clone();
    (said.id, said.arrival, said.mentions) = (MessageId(900), 900, vec![UserId(51)]);
    fixture.timeline.say(said);
    (
        fixture.wake.message,
        fixture.wake.address,
        fixture.wake.addressed,
    ) = (Some(asked), Some(DirectAddress::Name), vec![first, asked]);
    let intention = |id, person, reminder| ScheduledIntent {
        id: IntentionId(id),
        person,
        reminder,
        name: "\u{410}nna".into(),
        note: "the keys".into(),
        time: Some(fixture.now + HOUR),
        expires: fixture.now + HOUR,
        ..ScheduledIntent::default()
    };
    let whom = Reminder {
        whom: Some(UserId(51)),
        asked_by: None,
    };
    let intentions = [
        intention(1, Some(UserId(51)), None),
        intention(2, None, Some(whom)),
    ];
    let memories = [
        recalled(51, "\u{410}nna", "i lost the keys").into(),
        recalled(52, "Anna", "i am somebody else").into(),
    ];
    let mut window = std::mem::take(&mut fixture.window);
    // As the daemon tells of a deed that was decided on.
    let notes =
        [deed(51, "\u{410}nna"), deed(52, "Anna")].map(|proposal| proposal.note(Language::EN));
    let view = PromptSources {
        recalled: &memories,
        intentions: &intentions,
        notes: &notes,
        ..fixture.view()
    };
    let sections = render_sections(&view, &mut window, &TokenEstimator::default());
    let second = "\u{410}nna 2";
    assert_numbered(&sections, second);

    // And what the model writes means the same person.
    let lines = NumberedLines::from_timeline(&fixture.timeline, &window.names);
    for spelt in [second, "@\u{410}nna 2", "Anna 2", "anna 2"] {
        assert_eq!(
            lines.find_by_name(spelt).map(|line| line.author.id),
            Some(UserId(51)),
            "{spelt}"
        );
    }
    assert_eq!(
        lines.find_by_name("anna").map(|line| line.author.id),
        Some(UserId(50))
    );
    assert_eq!(lines.names().shown(UserId(51), "\u{410}nna"), second);
    assert_eq!(lines.names().shown(UserId(52), "Anna"), "Anna #1005");
    let said = "@Anna 2 and @Anna, \u{410}nna 2 has 2 keys, @Anna 22 none";
    assert_eq!(
        window.names.restore_real_names(said),
        "@\u{410}nna and @Anna, \u{410}nna 2 has 2 keys, @Anna 22 none"
    );
}

#[test]
fn a_number_stays_with_its_owner_while_they_are_in_view_and_lines_stay_as_they_were() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.policy.context.history_tokens = 600;
    fixture.message(author(50, "Anna"), "first", None);
    fixture.message(author(51, "Anna"), "second", None);
    let mut before = fixture.history();
    assert!(before.contains("2 Anna 2: second"), "{before}");
    for round in 0..120 {
        let text = format!("line {round} about nothing in particular, said in passing");
        if round % 2 == 0 {
            fixture.message(author(51, "Anna"), &text, None)
        } else {
            fixture.says("Ben", &text)
        };
        let history = fixture.history();
        let kept = history
            .lines()
            .skip(1)
            .filter(|line| before.contains(*line))
            .count();
        let is_moved = !history.starts_with(&before);
        assert!(
            !is_moved || kept > 5,
            "only the oldest lines go:\n{history}"
        );
        assert!(
            !history.lines().any(|line| line.contains(" Anna: line")),
            "{history}"
        );
        before = history;
    }
    assert!(!before.contains("first"), "the first Anna is out of view");
    fixture.message(author(52, "Anna"), "third", None);
    let history = fixture.history();
    assert!(
        history.contains(" Anna: third") && history.contains(" Anna 2: line"),
        "{history}"
    );
}

#[test]
fn a_list_of_names_holds_no_name_that_reads_as_two() {
    let mut fixture = PromptFixture::new(Language::EN);
    fixture.message(author(50, "Ben, Anna"), "hi", None);
    fixture.says("Carl", "hi");
    assert_eq!(fixture.render().members.text, "Carl, Ben Anna");
}
