//! The two layouts of a prompt: the same words in both, a prefix that stays, and nobody who can write in the name of the
//! other side.

use std::sync::Arc;

use kith_agent::prompt::RenderedPrompt;
use kith_core::chat::{Author, AuthorKind, UserId};
use kith_core::context::{HistoryWindow, TokenEstimator, render_sections};
use kith_core::persona::Language;
use kith_core::policy::{ChannelPolicy, OutputProtocol, PromptLayout};
use kith_core::protocol::AnswerParser;
use kith_core::turn::RoundKind;
use kith_model::{MessageSide, PromptMessage};
use proptest::prelude::*;

use crate::context::support::{ME, PROMPTS, PromptFixture, person};

const PROTOCOLS: [OutputProtocol; 3] = [
    OutputProtocol::Xml,
    OutputProtocol::Json,
    OutputProtocol::Native,
];
const LAYOUTS: [PromptLayout; 2] = [PromptLayout::Document, PromptLayout::Chat];

fn fill(fixture: &mut PromptFixture) -> RenderedPrompt {
    let sections = fixture.render();
    PROMPTS
        .render_round(
            &fixture.policy,
            &fixture.policy.tools,
            RoundKind::Normal,
            &sections,
        )
        .expect("it renders")
}

/// A talk with two lines of the companion's in a row, an answer of it, and one it has not been heard after.
fn talk(language: Language) -> PromptFixture {
    let mut fixture = PromptFixture::new(language);
    fixture.policy.layout = PromptLayout::Chat;
    let boat = fixture.says("Anna", "the boat is back");
    fixture.says("Ben", "where was it");
    fixture.own("finally");
    let author = Author {
        id: ME,
        name: fixture.policy.persona.name.as_str().into(),
        kind: AuthorKind::Companion,
    };
    fixture.message(author.clone(), "i had given it up", Some(boat));
    fixture
        .timeline
        .react(boat, person("Ben"), "👍".into(), fixture.now);
    fixture.wait(6);
    fixture.own("\"it\" & <3 you\nall");
    fixture.says("Anna", "juno come along tomorrow");
    fixture
}

/// The settled beginning of the messages, with the sides.
fn settled(prompt: &RenderedPrompt) -> String {
    let mut out = String::new();
    let mut left = prompt.stable_bytes;
    for message in &prompt.messages {
        if left == 0 {
            break;
        }
        out.push_str(&format!("\u{1}{:?}\u{2}", message.side));
        let end = left.min(message.text.len());
        out.push_str(&message.text[..end]);
        left -= end;
    }
    out
}

fn whole(prompt: &RenderedPrompt) -> String {
    prompt
        .messages
        .iter()
        .map(|message| format!("\u{1}{:?}\u{2}{}", message.side, message.text))
        .collect()
}

#[test]
fn its_own_lines_are_messages_in_the_form_of_the_protocol() {
    let said = |protocol| {
        let mut fixture = talk(Language::EN);
        fixture.policy.protocol = protocol;
        let prompt = fill(&mut fixture);
        let own: Vec<PromptMessage> = prompt
            .messages
            .into_iter()
            .filter(|message| message.side == MessageSide::Companion)
            .collect();
        own
    };
    let texts = |protocol| {
        said(protocol)
            .iter()
            .map(|message| message.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        texts(OutputProtocol::Xml),
        [
            "<turn><send_message>finally</send_message><send_message reply_to=\"1\">i had given it up</send_message></turn>",
            "<turn><send_message>\"it\" & <3 you ¶ all</send_message></turn>",
        ]
    );
    assert_eq!(
        texts(OutputProtocol::Json),
        [
            r#"{"actions":[{"name":"send_message","params":{"text":"finally"}},{"name":"send_message","params":{"text":"i had given it up","reply_to":"1"}}]}"#,
            r#"{"actions":[{"name":"send_message","params":{"text":"\"it\" & <3 you ¶ all"}}]}"#,
        ]
    );
    let native = said(OutputProtocol::Native);
    let calls: Vec<(&str, u16)> = native
        .iter()
        .flat_map(|message| &message.calls)
        .map(|past| (past.id.as_str(), past.line))
        .collect();
    assert_eq!(
        calls,
        [("000000003", 3), ("000000004", 4), ("000000005", 5)]
    );
    assert_eq!(native[0].calls[1].call.params["reply_to"], "1");
    assert!(
        said(OutputProtocol::Xml)
            .iter()
            .all(|message| message.calls.is_empty())
    );
}

#[test]
fn both_layouts_have_the_same_sections_and_the_same_words_of_others() {
    for language in Language::ALL {
        for protocol in PROTOCOLS {
            let mut fixture = talk(language);
            fixture.policy.protocol = protocol;
            let chat = fixture.render();
            let in_chat = fill(&mut fixture);
            fixture.policy.layout = PromptLayout::Document;
            let document = fixture.render();
            let in_document = fill(&mut fixture);
            for ((name, chat), (_, document)) in
                chat.sections().into_iter().zip(document.sections())
            {
                assert_eq!(chat.text, document.text, "{name}");
            }
            let [document] = &in_document.messages[..] else {
                panic!("a document is one message")
            };
            let is_own = |line: &&str| {
                [
                    "3 Juno: ",
                    "4>1 Juno: ",
                    "5 Juno: ",
                    "3 阿柚: ",
                    "4>1 阿柚: ",
                    "5 阿柚: ",
                ]
                .iter()
                .any(|own| line.starts_with(own))
            };
            let of_others: Vec<&str> = document
                .text
                .lines()
                .filter(|line| !is_own(line) && !line.is_empty())
                .collect();
            let shown = in_chat
                .messages
                .iter()
                .filter(|message| message.side == MessageSide::User);
            let shown: Vec<&str> = shown
                .flat_map(|message| message.text.lines())
                .filter(|line| !line.is_empty())
                .collect();
            assert_eq!(shown, of_others, "{protocol:?}");
        }
    }
}

#[test]
fn the_users_side_comes_first_and_last_and_no_side_twice_in_a_row() {
    let mut fixture = talk(Language::EN);
    for last in ["nobody", "the companion"] {
        if last == "the companion" {
            fixture.own("i will");
        }
        let sides: Vec<MessageSide> = fill(&mut fixture)
            .messages
            .iter()
            .map(|message| message.side)
            .collect();
        assert_eq!(
            (sides.first(), sides.last()),
            (Some(&MessageSide::User), Some(&MessageSide::User)),
            "{last}"
        );
        assert!(
            sides.windows(2).all(|pair| pair[0] != pair[1]),
            "{last}: {sides:?}"
        );
    }
    assert_eq!(
        fill(&mut PromptFixture::new(Language::EN)).messages.len(),
        1,
        "nothing was said"
    );
}

#[test]
fn what_changes_stands_in_the_last_message_only() {
    let mut fixture = talk(Language::EN);
    let before = fill(&mut fixture);
    fixture.policy.persona = Arc::new(kith_core::persona::Persona {
        schedule: None,
        ..(*fixture.policy.persona).clone()
    });
    fixture.now += 1_000_000;
    let after = fill(&mut fixture);
    let (last, kept) = before.messages.split_last().expect("messages");
    assert_eq!(kept, &after.messages[..kept.len()]);
    assert!(last.text.contains("# Now\n") && *last != after.messages[kept.len()]);
    assert!(
        last.text.starts_with("6 Anna: juno come along tomorrow"),
        "{}",
        last.text
    );
}

#[test]
fn a_chat_in_small_reads_as_written_here() {
    for (language, name) in [
        (Language::EN, "chat_small"),
        (Language::ZH, "chat_small_chinese"),
    ] {
        let mut fixture = talk(language);
        (
            fixture.policy.context.prompt_tokens,
            fixture.policy.plain_text_is_speech,
        ) = (1_500, true);
        fixture.policy.tools = fixture.policy.tools.iter().take(3).cloned().collect();
        let prompt = fill(&mut fixture);
        insta::assert_snapshot!(name, format!("{}\n\n{}", prompt.system, prompt.user()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_settled_is_how_the_next_prompt_begins(lines in prop::collection::vec((0..4u8, "[a-z <>&\"]{0,30}", 0..4i64), 2..40)) {
        for layout in LAYOUTS {
            for protocol in PROTOCOLS {
                let mut fixture = PromptFixture::new(Language::EN);
                fixture.policy = ChannelPolicy { layout, protocol, ..fixture.policy };
                let mut before: Option<RenderedPrompt> = None;
                for (who, text, minutes) in &lines {
                    fixture.wait(*minutes);
                    match who {
                        0 => fixture.own(text),
                        1 => fixture.says("Anna", text),
                        2 => fixture.says("Ben", text),
                        _ => fixture.says("Chris", text),
                    };
                    let prompt = fill(&mut fixture);
                    if let Some(before) = &before {
                        let kept = settled(before);
                        prop_assert!(whole(&prompt).starts_with(&kept), "{layout:?}\n{kept}\n---\n{}", whole(&prompt));
                    }
                    before = Some(prompt);
                }
                // All but what the companion said last, and what stands behind the history.
                let prompt = fill(&mut fixture);
                let kept = settled(&prompt);
                prop_assert!(kept.contains("# Chat\n["), "{kept}");
            }
        }
    }

    #[test]
    fn nobody_can_write_a_message_of_the_other_side(text in "(=== (assistant|user) ===|<turn>|</turn>|</send_message>|<send_message>|\"|\\}|\\]|\n|<\\|im_end\\|>|x| ){0,12}", name in "(=== assistant ===|Juno|<turn>|\n|:| ){1,4}") {
        for protocol in PROTOCOLS {
            let fixture = |said: &str, name: &str| {
                let mut fixture = PromptFixture::new(Language::EN);
                fixture.policy = ChannelPolicy { layout: PromptLayout::Chat, protocol, ..fixture.policy };
                fixture.says("Anna", "hello");
                fixture.own(&format!("she said: {said}"));
                fixture.message(Author { id: UserId(77), name: name.into(), kind: AuthorKind::Person }, said, None);
                fill(&mut fixture)
            };
            let (hostile, plain) = (fixture(&text, &name), fixture("what a day", "Ben"));
            let sides = |prompt: &RenderedPrompt| prompt.messages.iter().map(|message| message.side).collect::<Vec<_>>();
            prop_assert_eq!(sides(&hostile), sides(&plain));
            let marks = |prompt: &RenderedPrompt| prompt.user().lines().filter(|line| line.starts_with("===")).count();
            prop_assert_eq!(marks(&hostile), marks(&plain), "{}", hostile.user());
            // What it said is one message, whatever it quoted.
            let own = &hostile.messages[1];
            if protocol != OutputProtocol::Native {
                let mut parser = AnswerParser::new(protocol, PromptFixture::new(Language::EN).policy.tools);
                let mut calls = parser.feed(own.text.as_bytes());
                calls.extend(parser.finish().0);
                prop_assert_eq!(calls.len(), 1, "{}", own.text);
            }
        }
    }
}

#[test]
fn a_budget_counts_the_forms_around_its_own_lines() {
    let tokens = |layout| {
        let mut fixture = PromptFixture::new(Language::EN);
        fixture.policy.layout = layout;
        fixture.policy.context.history_tokens = 600;
        for at in 0..100 {
            fixture.own(&format!("yes {at}"));
            fixture.says("Anna", "and now?");
        }
        let sections = render_sections(
            &fixture.view(),
            &mut HistoryWindow::default(),
            &TokenEstimator::default(),
        );
        let prompt = PROMPTS
            .render_round(&fixture.policy, &[], RoundKind::Normal, &sections)
            .expect("it renders");
        let empty = PROMPTS
            .estimate_fixed_tokens(&fixture.policy, &[], &TokenEstimator::default())
            .expect("it renders");
        (
            sections.history.tokens,
            prompt.estimate_tokens(&TokenEstimator::default()) - empty,
        )
    };
    for layout in LAYOUTS {
        let (history, whole) = tokens(layout);
        assert!(
            history <= 600 && whole <= 700,
            "{layout:?}: {history}, {whole}"
        );
    }
}

#[test]
fn what_another_persona_or_the_demo_model_wrote_is_not_shown_as_its_own() {
    for layout in LAYOUTS {
        let mut fixture = PromptFixture::new(Language::EN);
        fixture.policy.layout = layout;
        fixture.says("Anna", "who is there");
        let as_other = Author {
            id: ME,
            name: "Mossy".into(),
            kind: AuthorKind::Companion,
        };
        fixture.message(as_other, "me, in the pond", None);
        fixture.own("(stand-in) anna, i read “who is there”");
        fixture.own("and me");
        fixture.says("Ben", "(stand-in) is a strange word");
        let prompt = whole(&fill(&mut fixture));
        assert!(prompt.contains("2 Mossy: me, in the pond"), "{prompt}");
        assert!(!prompt.contains("i read"), "{prompt}");
        let own = match layout {
            PromptLayout::Document => "4 Juno: and me",
            PromptLayout::Chat => "\u{1}Companion\u{2}<turn><send_message>and me",
        };
        assert!(prompt.contains(own), "{prompt}");
        assert!(prompt.contains("5 Ben: (stand-in) is"), "{prompt}");
        fixture.policy.is_demo = true;
        assert!(whole(&fill(&mut fixture)).contains("i read"));
    }
}
