//! Who somebody is: no two people, and nobody and the companion, stand under names that can be taken for one another, in
//! any part of a prompt and in what tools answer.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::approval::{ApprovalRequest, ApprovalState, ApprovalSubject};
use kith_core::chat::{
    Author, AuthorKind, ChannelId, GuildId, HOUR, IntentionId, MessageId, TurnId, UserId,
};
use kith_core::context::{
    PromptSections, PromptSources, RecalledMessage, TokenEstimator, render_sections, skeleton,
};
use kith_core::intent::{IntentTrigger, Reminder, ScheduledIntent};
use kith_core::moderation::{ModerationAction, ModerationKind};
use kith_core::persona::Language;
use kith_core::report::{DirectAddress, SelfTrigger};
use kith_core::session::SessionBackground;
use kith_tools::NumberedLines;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use crate::context::support::{ME, Scene};

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
    let mut scene = Scene::new(Language::EN);
    scene
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
        scene.message(author(id, name), "hi", None);
    }
    let history = scene.history();
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

#[test]
fn the_second_of_two_stands_under_the_same_number_everywhere() {
    let mut scene = Scene::new(Language::EN);
    scene.message(author(50, "Anna"), "one of us has the keys", None);
    let asked = scene.message(author(51, "\u{410}nna"), "not me, juno do you know", None);
    let first = scene.timeline.messages().next().unwrap().message.id;
    scene
        .timeline
        .react(first, author(51, "\u{410}nna"), "👍".into(), scene.now);
    let mentioning = scene.says("Ben", "@\u{410}nna look in the boat");
    let mut said = scene.timeline.find(mentioning).unwrap().message.clone();
    (said.id, said.arrival, said.mentions) = (MessageId(900), 900, vec![UserId(51)]);
    scene.timeline.say(said);
    (scene.wake.message, scene.wake.address, scene.wake.addressed) =
        (Some(asked), Some(DirectAddress::Name), vec![first, asked]);
    let intention = |id, person, reminder| ScheduledIntent {
        id: IntentionId(id),
        person,
        reminder,
        name: "\u{410}nna".into(),
        note: "the keys".into(),
        time: Some(scene.now + HOUR),
        expires: scene.now + HOUR,
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
        recalled(51, "\u{410}nna", "i lost the keys"),
        recalled(52, "Anna", "i am somebody else"),
    ];
    let mut window = std::mem::take(&mut scene.window);
    // As the daemon tells of a deed that was decided on.
    let notes =
        [deed(51, "\u{410}nna"), deed(52, "Anna")].map(|proposal| proposal.note(Language::EN));
    let view = PromptSources {
        recalled: &memories,
        intentions: &intentions,
        notes: &notes,
        ..scene.view()
    };
    let sections = render_sections(&view, &mut window, &TokenEstimator::default());
    let second = "\u{410}nna 2";
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

    // And what the model writes means the same person.
    let lines = NumberedLines::from_timeline(&scene.timeline, &window.names);
    for spelt in [second, "@\u{410}nna 2", "Anna 2", "anna 2"] {
        assert_eq!(
            lines.named(spelt).map(|line| line.author.id),
            Some(UserId(51)),
            "{spelt}"
        );
    }
    assert_eq!(
        lines.named("anna").map(|line| line.author.id),
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
    let mut scene = Scene::new(Language::EN);
    scene.policy.context.history_tokens = 600;
    scene.message(author(50, "Anna"), "first", None);
    scene.message(author(51, "Anna"), "second", None);
    let mut before = scene.history();
    assert!(before.contains("2 Anna 2: second"), "{before}");
    for round in 0..120 {
        let text = format!("line {round} about nothing in particular, said in passing");
        if round % 2 == 0 {
            scene.message(author(51, "Anna"), &text, None)
        } else {
            scene.says("Ben", &text)
        };
        let history = scene.history();
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
    scene.message(author(52, "Anna"), "third", None);
    let history = scene.history();
    assert!(
        history.contains(" Anna: third") && history.contains(" Anna 2: line"),
        "{history}"
    );
}

#[test]
fn a_list_of_names_holds_no_name_that_reads_as_two() {
    let mut scene = Scene::new(Language::EN);
    scene.message(author(50, "Ben, Anna"), "hi", None);
    scene.says("Carl", "hi");
    assert_eq!(scene.render().members.text, "Carl, Ben Anna");
}

/// Ways to write a letter that a reader hardly tells apart, or not at all.
fn variants(letter: char) -> Vec<String> {
    let mut all = vec![
        letter.to_string(),
        letter.to_uppercase().to_string(),
        format!("{letter}\u{301}"),
    ];
    all.extend(
        ["\u{200b}", "\u{2060}", "\u{ad}", " ", ".", "\u{336}"]
            .map(|mark| format!("{letter}{mark}")),
    );
    if letter.is_ascii_lowercase() {
        let place = u32::from(letter) - u32::from('a');
        let shapes = [
            '\u{ff41}',
            '\u{ff21}',
            '\u{1d4d0}',
            '\u{1d41a}',
            '\u{24d0}',
            '\u{1f170}',
        ];
        all.extend(
            shapes
                .iter()
                .filter_map(|first| char::from_u32(u32::from(*first) + place))
                .map(String::from),
        );
    }
    let alike = match letter {
        'a' => "аɑα",
        'e' => "е",
        'j' => "јϳ",
        'n' => "ո",
        'o' => "оοσ0օ",
        'u' => "υսʋ",
        'i' => "іl1ı",
        's' => "ѕ",
        _ => "",
    };
    all.extend(alike.chars().map(String::from));
    all
}

fn name() -> impl Strategy<Value = String> {
    let base = prop_oneof![
        3 => Just("juno"), 2 => Just("junes"), 3 => Just("anna"), 2 => Just("anna 2"), 1 => Just("lis"), 1 => Just("小明"),
        1 => Just("🔥"),
    ];
    let disguised = base.prop_flat_map(|base| {
        let letters: Vec<_> = base
            .chars()
            .map(|letter| proptest::sample::select(variants(letter)))
            .collect();
        letters.prop_map(|letters| letters.concat())
    });
    prop_oneof![8 => disguised, 1 => any::<String>(), 1 => Just("Anna".to_owned())]
}

/// The same by the standard's own words: what UTS #39 makes of a name in small letters after NFKC, signs left out.
fn standard(name: &str) -> String {
    let small: String = name.nfkc().flat_map(char::to_lowercase).collect();
    let bare: String = unicode_security::confusable_detection::skeleton(&small)
        .filter(|c| c.is_alphanumeric())
        .collect();
    if bare.is_empty() {
        name.nfkc().filter(|c| !c.is_whitespace()).collect()
    } else {
        bare
    }
}

/// A channel of these people, and everything a prompt of it can name them in.
fn shown(people: &[(u64, String)], scene: &mut Scene) -> (PromptSections, Vec<(u64, String)>) {
    let (woke, absent) = people.split_at(people.len() / 2);
    let mut ids = Vec::new();
    for (id, name) in woke {
        let id = scene.message(author(*id, name), &format!("said by {id}"), None);
        ids.push(id);
    }
    scene.own("hm");
    for ((id, name), on) in people.iter().zip(&ids) {
        scene
            .timeline
            .react(*on, author(*id, name), format!("r{id}").into(), scene.now);
    }
    let memories: Vec<RecalledMessage> = people
        .iter()
        .map(|(id, name)| recalled(*id, name, &format!("once {id}")))
        .collect();
    let begun = SessionBackground {
        lines: absent
            .iter()
            .map(|(id, name)| recalled(*id, name, &format!("before {id}")))
            .collect(),
        ..SessionBackground::default()
    };
    let intentions: Vec<ScheduledIntent> = (1..)
        .zip(people)
        .map(|(number, (id, name))| ScheduledIntent {
            id: IntentionId(number),
            person: Some(UserId(*id)),
            name: name.clone(),
            note: format!("waits {id}"),
            expires: scene.now + HOUR,
            ..ScheduledIntent::default()
        })
        .collect();
    scene.wake.addressed.clone_from(&ids);
    scene.wake.message = ids.last().copied();
    scene.wake.own = Some(SelfTrigger::Waited {
        id: IntentionId(1),
        cause: IntentTrigger::Person,
    });
    scene.wake.address = Some(DirectAddress::Mention);
    let mut window = std::mem::take(&mut scene.window);
    let view = PromptSources {
        recalled: &memories,
        session_background: &begun,
        intentions: &intentions,
        ..scene.view()
    };
    let sections = render_sections(&view, &mut window, &TokenEstimator::default());
    let lines = NumberedLines::from_timeline(&scene.timeline, &window.names);
    let mut names: Vec<(u64, String)> = people
        .iter()
        .map(|(id, name)| (*id, lines.names().shown(UserId(*id), name)))
        .collect();
    scene.window = window;
    for (id, _) in people {
        let places = [
            (&sections.history, "said by"),
            (&sections.recalled, "once"),
            (&sections.taken, "before"),
        ];
        for (section, what) in places {
            for name in name_before(&section.text, &format!("{what} {id}")) {
                // Date and time stand before the names of those who spoke before a thread.
                let name = if what == "before" {
                    name.split_once(' ').map_or(name, |(_, name)| name)
                } else {
                    name
                };
                names.push((*id, name.to_owned()));
            }
        }
        let reacted = sections.history.text.lines().filter_map(|line| {
            let (name, rest) = line
                .strip_prefix("* ")?
                .rsplit_once(' ')
                .and_then(|(line, _)| line.rsplit_once(' '))?;
            (rest == format!("r{id}")).then(|| (*id, name.to_owned()))
        });
        names.extend(reacted);
        let waits = sections.notes.text.lines().filter_map(|line| {
            let (name, note) = line
                .strip_prefix("- you wait for: ")?
                .split_once(" writes; note: ")?;
            (note == format!("\"waits {id}\"")).then(|| (*id, name.to_owned()))
        });
        names.extend(waits);
    }
    (sections, names)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn nobody_ever_stands_under_a_name_that_reads_like_anothers(
        names in prop::collection::vec(name(), 2..9),
        others in prop::collection::vec(name(), 2..9),
    ) {
        let mut scene = Scene::new(Language::EN);
        scene.policy.names.push("junes".into());
        let people: Vec<(u64, String)> = (1_000..).zip(names).collect();
        let later: Vec<(u64, String)> = (1_000 + people.len() as u64..).zip(others).collect();
        // A second prompt, in which others have come in, keeps the names of the first.
        let (_, before) = shown(&people, &mut scene);
        let (sections, mut all) = shown(&later, &mut scene);
        let is_in_view = |id: u64| sections.history.text.contains(&format!("said by {id}"));
        all.extend(before.into_iter().filter(|(id, _)| is_in_view(*id)));
        let own = ["Juno", "junes"].map(|name| (ME.0, name.to_owned()));
        let mut owners: BTreeMap<String, u64> = BTreeMap::new();
        for (id, name) in all.iter().chain(&own) {
            for key in [skeleton(name), standard(name)] {
                let owner = owners.entry(key).or_insert(*id);
                prop_assert_eq!(*owner, *id, "{:?} is two people's: {:?}", name, all);
            }
        }
        let known: BTreeMap<u64, BTreeSet<&String>> = all.iter().fold(BTreeMap::new(), |mut known, (id, name)| {
            known.entry(*id).or_insert_with(BTreeSet::new).insert(name);
            known
        });
        for (id, names) in known {
            prop_assert_eq!(names.len(), 1, "{} stands under {:?}", id, names);
        }
        let shown: BTreeSet<&String> = all.iter().map(|(_, name)| name).collect();
        for member in sections.members.text.split(", ").filter(|name| !name.is_empty()) {
            prop_assert!(shown.contains(&member.to_owned()), "{} in {:?}", member, shown);
        }
    }

    #[test]
    fn a_skeleton_is_the_same_for_every_disguise(base in "[a-z]{3,8}", seed in prop::collection::vec(any::<prop::sample::Index>(), 8)) {
        let disguised: String = base.chars().zip(&seed).map(|(letter, index)| {
            let variants = variants(letter);
            variants[index.index(variants.len())].clone()
        }).collect();
        prop_assert_eq!(skeleton(&disguised), skeleton(&base), "{:?}", disguised);
    }
}
