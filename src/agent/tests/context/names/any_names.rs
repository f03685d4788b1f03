//! Whatever people are called, everybody has one name in a prompt, and no two have the same.

use super::*;

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

/// By which names the prompt calls these people.
fn read_names(people: &[(u64, String)], sections: &PromptSections) -> Vec<(u64, String)> {
    let mut names = Vec::new();
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
    names
}

/// A channel of these people, and everything a prompt of it can name them in.
fn shown(
    people: &[(u64, String)],
    fixture: &mut PromptFixture,
) -> (PromptSections, Vec<(u64, String)>) {
    let (woke, absent) = people.split_at(people.len() / 2);
    let mut ids = Vec::new();
    for (id, name) in woke {
        let id = fixture.message(author(*id, name), &format!("said by {id}"), None);
        ids.push(id);
    }
    fixture.own("hm");
    for ((id, name), on) in people.iter().zip(&ids) {
        fixture
            .timeline
            .react(*on, author(*id, name), format!("r{id}").into(), fixture.now);
    }
    let memories: Vec<RecalledTalk> = people
        .iter()
        .map(|(id, name)| recalled(*id, name, &format!("once {id}")).into())
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
            expires: fixture.now + HOUR,
            ..ScheduledIntent::default()
        })
        .collect();
    fixture.wake.addressed.clone_from(&ids);
    fixture.wake.message = ids.last().copied();
    fixture.wake.own = Some(SelfTrigger::Waited {
        id: IntentionId(1),
        cause: IntentTrigger::Person,
    });
    fixture.wake.address = Some(DirectAddress::Mention);
    let mut window = std::mem::take(&mut fixture.window);
    let view = PromptSources {
        recalled: &memories,
        session_background: &begun,
        intentions: &intentions,
        ..fixture.view()
    };
    let sections = render_sections(&view, &mut window, &TokenEstimator::default());
    let lines = NumberedLines::from_timeline(&fixture.timeline, &window.names);
    let mut names: Vec<(u64, String)> = people
        .iter()
        .map(|(id, name)| (*id, lines.names().shown(UserId(*id), name)))
        .collect();
    fixture.window = window;
    names.extend(read_names(people, &sections));
    (sections, names)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn nobody_ever_stands_under_a_name_that_reads_like_anothers(
        names in prop::collection::vec(name(), 2..9),
        others in prop::collection::vec(name(), 2..9),
    ) {
        let mut fixture = PromptFixture::new(Language::EN);
        fixture.policy.names.push("junes".into());
        let people: Vec<(u64, String)> = (1_000..).zip(names).collect();
        let later: Vec<(u64, String)> = (1_000 + people.len() as u64..).zip(others).collect();
        // A second prompt, in which others have come in, keeps the names of the first.
        let (_, before) = shown(&people, &mut fixture);
        let (sections, mut all) = shown(&later, &mut fixture);
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
