//! Who answers whom, through the public face: which conversation a heard message is put into.

use std::sync::Arc;

use kith_core::chat::{
    Author, AuthorKind, ChannelId, ChannelKind, Message, MessageId, Millis, SECOND, UserId,
};
use kith_core::persona::Persona;
use kith_core::willingness::{AddressMatcher, ChannelFeatures, Weights};

/// Hears lines of `(author, text)`, ten seconds apart, and tells the conversation each is put into.
fn conversations(lines: &[(u64, &str)]) -> Vec<u32> {
    let weights = Weights::load_embedded();
    let listener = AddressMatcher::new(
        UserId(1),
        &["Mia".into()],
        &Persona::default(),
        ChannelKind::Group,
    );
    let mut sense = ChannelFeatures::default();
    for (at, (author, text)) in (1..).zip(lines) {
        let author = Author {
            id: UserId(*author),
            name: Arc::from(format!("person{author}")),
            kind: AuthorKind::Person,
        };
        let message = Message {
            id: MessageId(at),
            channel: ChannelId(1),
            arrival: at,
            at: at as Millis * 10 * SECOND,
            author,
            text: Arc::from(*text),
            reply_to: None,
            mentions: Vec::new(),
        };
        sense.score_message(&message, &listener, &weights);
    }
    sense
        .links()
        .lines()
        .iter()
        .map(|line| line.conversation)
        .collect()
}

#[test]
fn who_is_called_by_name_is_answered_over_newer_lines() {
    let found = conversations(&[
        (2, "does anybody know how to mount a disk image?"),
        (3, "my printer prints only blank pages, what can i do?"),
        (4, "person2: with the loop option"),
        (5, "person3: clean the heads"),
    ]);
    assert_eq!(found[2], found[0]);
    assert_eq!(found[3], found[1]);
    assert_ne!(found[0], found[1]);
}

#[test]
fn who_was_called_answers_the_call() {
    let found = conversations(&[
        (2, "does anybody know how to mount a disk image?"),
        (3, "person2: which format is it?"),
        (
            4,
            "hello everybody, my printer prints only blank pages, can anyone help?",
        ),
        (2, "an iso"),
    ]);
    assert_eq!(found[3], found[1]);
    assert_ne!(found[2], found[1]);
}

#[test]
fn rare_words_lead_to_the_line_that_has_them() {
    let found = conversations(&[
        (
            2,
            "the printer daemon cups refuses every job since the upgrade",
        ),
        (
            3,
            "grub does not find my second partition any more, does anybody know why?",
        ),
        (4, "cups refuses because of the upgrade to the daemon"),
    ]);
    assert_eq!(found[2], found[0]);
}

#[test]
fn a_stranger_asking_the_room_opens_a_conversation() {
    let found = conversations(&[
        (2, "person3: try the other cable"),
        (3, "person2: that helped"),
        (4, "hi, does anyone know how to burn a dvd?"),
    ]);
    assert_ne!(found[2], found[1]);
}
