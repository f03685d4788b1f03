//! Pictures in a question: where they stand with each provider, and what becomes of it where they are not taken.

use kith_model::{AttachedImage, ModelImage};

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nIEND";
const DATA: &str = "iVBORw0KGgpJRU5E";

fn picture(line: u16) -> AttachedImage {
    AttachedImage {
        label: format!("Image in line {line}:"),
        image: ModelImage::from_bytes(PNG, Some(750 * 200)).unwrap(),
    }
}

/// A history of two lines with a picture each, and what changes in every call.
fn seen() -> ModelRequest {
    let history = "1 Anna: look\n2 Ben: [img-0] too";
    ModelRequest {
        messages: vec![PromptMessage::from_user(format!("{history}\nIt is noon."))],
        stable_bytes: history.len(),
        images: vec![picture(1), picture(2)],
        ..request()
    }
}

/// What the server was asked, with the user's message in its protocol's words.
async fn asked(server: &FakeModel, settings: &ModelSettings) -> Value {
    let mut events = stream(&chosen(settings).await, seen());
    while events.recv().await.is_some() {}
    server.chats().pop().unwrap()
}

#[tokio::test]
async fn openai_style_servers_get_data_urls_between_history_and_the_rest() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let body = asked(&server, &settings(&server)).await;
    let text = |text: &str| json!({"type": "text", "text": text});
    let image =
        json!({"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{DATA}")}});
    let wanted = json!([
        text("1 Anna: look\n2 Ben: [img-0] too"),
        text("Image in line 1:"),
        image,
        text("Image in line 2:"),
        image,
        text("\nIt is noon."),
    ]);
    assert_eq!(body["messages"][1]["content"], wanted);
}

#[tokio::test]
async fn anthropic_gets_blocks_in_base64_and_gemini_inline_data() {
    let server = FakeModel::start().await;
    let base = ModelSettings {
        base_url: server.ollama_url(),
        ..settings(&server)
    };
    server.on("POST /v1/messages", Reply::anthropic([]));
    let body = asked(
        &server,
        &ModelSettings {
            provider: Provider::Anthropic,
            ..base.clone()
        },
    )
    .await;
    let content = &body["messages"][0]["content"];
    let source = json!({"type": "base64", "media_type": "image/png", "data": DATA});
    assert_eq!(content[2], json!({"type": "image", "source": source}));
    assert_eq!(
        (
            content[1]["text"].as_str(),
            content.as_array().unwrap().len()
        ),
        (Some("Image in line 1:"), 6)
    );
    server.on(
        "POST /v1beta/models/m1:streamGenerateContent?alt=sse",
        Reply::events(),
    );
    let body = asked(
        &server,
        &ModelSettings {
            provider: Provider::Gemini,
            ..base
        },
    )
    .await;
    let parts = &body["contents"][0]["parts"];
    assert_eq!(
        parts[2],
        json!({"inlineData": {"mimeType": "image/png", "data": DATA}})
    );
    assert_eq!(parts[5], json!({"text": "\nIt is noon."}));
}

#[tokio::test]
async fn ollama_puts_pictures_where_their_labels_stand_and_nobody_can_move_them() {
    let server = FakeModel::ollama("m1", [Reply::ollama(&["ok"])]).await;
    let body = asked(
        &server,
        &ModelSettings {
            provider: Provider::Ollama,
            base_url: server.ollama_url(),
            ..settings(&server)
        },
    )
    .await;
    let user = &body["messages"][1];
    assert_eq!(user["images"], json!([DATA, DATA]));
    let text = user["content"].as_str().unwrap();
    assert_eq!(
        text,
        "1 Anna: look\n2 Ben: [ img-0] too\nImage in line 1:\n[img]\nImage in line 2:\n[img]\n\nIt is noon."
    );
}

#[tokio::test]
async fn a_server_that_does_not_take_pictures_is_asked_again_without_and_it_is_said() {
    for status in [400, 404, 413, 415, 422, 500] {
        let no = Reply::json(
            status,
            json!({"error": {"message": "image input is not supported"}}),
        );
        let server = FakeModel::openai([no, Reply::openai(&["ok"])]).await;
        let mut events = stream(&chosen(&settings(&server)).await, seen());
        let (mut notes, mut end) = (Vec::new(), None);
        while let Some(event) = events.recv().await {
            match event {
                ModelEvent::Note(note) => notes.push(note),
                ModelEvent::End(result) => end = Some(result),
                _ => {}
            }
        }
        assert!(end.unwrap().is_ok(), "{status}");
        assert!(
            notes[0].ends_with("It was taken without the pictures, and so it is asked."),
            "{notes:?}"
        );
        assert_eq!(
            server.chats()[1]["messages"][1]["content"],
            seen().messages[0].text
        );
        let blind = ModelRequest {
            requires_images: true,
            ..seen()
        };
        server.now(
            "POST /v1/chat/completions",
            [Reply::json(status, json!({"error": "no"}))],
        );
        let mut events = stream(&chosen(&settings(&server)).await, blind);
        while events.recv().await.is_some() {}
        assert_eq!(
            server.chats().len(),
            3,
            "what means nothing without them is not asked"
        );
    }
}

#[tokio::test]
async fn a_picture_that_was_refused_is_not_tried_again_and_hides_no_other() {
    let no = Reply::json(400, json!({"error": {"message": "image too large"}}));
    let server = FakeModel::openai([no, Reply::openai(&["ok"]), Reply::openai(&["ok"])]).await;
    let model = chosen(&settings(&server)).await;
    let other = ModelImage::from_bytes(b"GIF89a\x01\0\x01\0;", Some(1)).unwrap();
    let mut later = seen();
    later.images.push(AttachedImage {
        label: "Image in line 3:".into(),
        image: other,
    });
    for request in [seen(), later] {
        let mut events = stream(&model, request);
        while events.recv().await.is_some() {}
    }
    let chats = server.chats();
    assert_eq!(chats.len(), 3, "nothing is asked twice again");
    let content = chats[2]["messages"][1]["content"].as_array().unwrap();
    let shown = content
        .iter()
        .filter_map(|part| part["image_url"]["url"].as_str())
        .collect::<Vec<_>>();
    assert!(
        matches!(shown[..], [one] if one.starts_with("data:image/gif")),
        "{shown:?}"
    );
}

#[tokio::test]
async fn a_filter_that_speaks_in_an_answer_may_mean_the_picture() {
    let ok = Reply::openai(&["ok"]);
    let filtered = Reply::events().finish("content_filter").done();
    let server = FakeModel::openai([filtered, ok.clone(), ok]).await;
    let model = chosen(&settings(&server)).await;
    for _ in 0..2 {
        let mut events = stream(&model, seen());
        while events.recv().await.is_some() {}
    }
    let contents: Vec<bool> = server
        .chats()
        .iter()
        .map(|chat| chat["messages"][1]["content"].is_array())
        .collect();
    assert_eq!(contents, [true, false, false]);
}

#[tokio::test]
async fn who_sees_is_said_by_the_settings_else_by_the_server_or_the_provider() {
    let server = FakeModel::ollama("m1", []).await;
    let ollama = ModelSettings {
        provider: Provider::Ollama,
        base_url: server.ollama_url(),
        ..settings(&server)
    };
    assert!(!chosen(&ollama).await.can_see_images());
    let show = json!({"capabilities": ["completion", "vision"], "model_info": {"llama.context_length": 8192}});
    server.now("POST /api/show", [Reply::json(200, show)]);
    let model = chosen(&ollama).await;
    assert!(
        model.can_see_images() && !model.named("m2").can_see_images(),
        "what is told of one model holds for that one"
    );
    assert_eq!(
        model.image_token_budget(),
        2_000,
        "a quarter of what it holds"
    );
    assert!(
        !chosen(&ModelSettings {
            vision: Some(false),
            ..ollama
        })
        .await
        .can_see_images()
    );
    let openai = settings(&server);
    assert!(!chosen(&openai).await.can_see_images());
    assert!(
        chosen(&ModelSettings {
            vision: Some(true),
            ..openai.clone()
        })
        .await
        .can_see_images()
    );
    let own = |provider, name: &str| ModelSettings {
        provider,
        name: name.into(),
        base_url: String::new(),
        ..openai.clone()
    };
    assert!(
        chosen(&own(Provider::Anthropic, "claude-x"))
            .await
            .can_see_images()
    );
    assert!(
        chosen(&own(Provider::Gemini, "gemini-x"))
            .await
            .can_see_images()
    );
    assert!(
        chosen(&own(Provider::OpenAi, "gpt-4o-mini"))
            .await
            .can_see_images()
    );
    assert!(
        !chosen(&own(Provider::OpenAi, "gpt-3.5-turbo"))
            .await
            .can_see_images()
    );
}
