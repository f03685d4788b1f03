//! The tests of `request.rs`, of what nobody outside its crate can see.

use super::*;

#[test]
fn the_pictures_stand_behind_the_history_and_cut_no_character() {
    let image = ModelImage::from_bytes(b"\x89PNG\r\n\x1a\n\0IEND", None).unwrap();
    let images = vec![AttachedImage {
        label: "Image in line 1:".into(),
        image,
    }];
    let request = ModelRequest {
        messages: vec![PromptMessage::from_user("1 Anna: 雪\nnow")],
        stable_bytes: 12,
        images,
        ..ModelRequest::default()
    };
    let shown = |request: &ModelRequest| {
        let text = |part: &MessagePart<'_>| match part {
            MessagePart::Text(text) => (*text).to_owned(),
            MessagePart::Image(image) => image.media_type().to_owned(),
        };
        split_last_message(request)
            .iter()
            .map(text)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown(&request),
        ["1 Anna: 雪\n", "Image in line 1:", "image/png", "now"]
    );
    let cut = ModelRequest {
        stable_bytes: 9,
        ..request
    };
    assert_eq!(
        shown(&cut).concat(),
        "1 Anna: Image in line 1:image/png雪\nnow"
    );
}
