//! Keeping pictures as stickers: who may, of which messages, and taking them out again.

use kith_core::sticker::{LARGEST, MOST, Sticker};

use super::*;

/// A picture of so many bytes.
pub fn picture(name: &str, bytes: u64) -> MessagePicture {
    MessagePicture {
        url: "https://cdn.discordapp.com/attachments/1/2/a".into(),
        name: name.into(),
        bytes,
        pixels: None,
        is_text: false,
    }
}

fn keep(message: u64, picture: Option<MessagePicture>, said: &str) -> CommandRequest {
    CommandRequest::Sticker {
        message: MessageId(message),
        picture,
        said: said.into(),
    }
}

fn refusal(command_test: &CommandTest, channel: ChannelId, request: CommandRequest) -> String {
    let (answer, changes) = command_test.ask(&caller(CallerRole::Moderator, channel), request);
    assert!(
        is_refused(&answer) && changes.is_empty(),
        "{answer:?} {changes:?}"
    );
    shown(&answer)
}

#[test]
fn a_picture_is_kept_under_the_words_it_came_with_and_the_same_request_takes_it_out() {
    let command_test = command_test();
    let cat = || keep(1, Some(picture("IMG_1.png", 3_000)), "sleepy cat");
    let (answer, changes) = command_test.ask(&caller(CallerRole::Moderator, TALK), cat());
    assert!(
        shown(&answer).contains("Kept as the sticker “sleepy cat”"),
        "{answer:?}"
    );
    let sticker = Sticker {
        guild: GUILD,
        name: "sleepy cat".into(),
        channel: TALK,
        message: MessageId(1),
        at: NOW,
    };
    assert_eq!(
        changes,
        [DaemonChange::KeepSticker(
            Box::new(sticker.clone()),
            picture("IMG_1.png", 3_000)
        )]
    );
    assert_eq!(
        command_test
            .store
            .keep_sticker(sticker, "png", vec![1])
            .wait(),
        Ok(true)
    );
    let (answer, changes) = command_test.ask(&caller(CallerRole::Member, TALK), cat());
    assert!(is_refused(&answer) && changes.is_empty());
    let (answer, changes) = command_test.ask(&caller(CallerRole::Host, TALK), cat());
    assert!(
        shown(&answer).contains("“sleepy cat” is no sticker of mine any more"),
        "{answer:?}"
    );
    assert_eq!(
        changes,
        [DaemonChange::ReportSticker(TALK, MessageId(1), false)]
    );
    assert_eq!(command_test.store.find_stickers(GUILD).wait(), Ok(vec![]));
}

#[test]
fn only_pictures_of_messages_it_has_read_are_kept_not_too_large_and_not_too_many() {
    let command_test = command_test();
    let cat = || Some(picture("cat.png", 3_000));
    assert!(refusal(&command_test, TALK, keep(1, None, "words")).contains("no picture"));
    assert!(
        refusal(&command_test, TALK, keep(9, cat(), "")).contains("have not read that message")
    );
    assert!(
        refusal(
            &command_test,
            TALK,
            keep(1, Some(picture("cat.png", LARGEST + 1)), "")
        )
        .contains("2 MiB at most")
    );
    assert!(refusal(&command_test, LETTER, keep(1, cat(), "")).contains("do it there"));
    for number in 0..MOST as u64 {
        command_test.says(TALK, 100 + number, BEN, "look");
        let (name, message) = (format!("cat {number}"), MessageId(100 + number));
        let sticker = Sticker {
            guild: GUILD,
            name,
            channel: TALK,
            message,
            at: NOW,
        };
        assert_eq!(
            command_test
                .store
                .keep_sticker(sticker, "png", vec![1])
                .wait(),
            Ok(true)
        );
    }
    assert!(refusal(&command_test, TALK, keep(1, cat(), "")).contains("50 stickers already"));
}
