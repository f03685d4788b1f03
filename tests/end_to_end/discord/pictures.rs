//! Pictures people send along: shown to models that see, described for those that do not, and never the reason why a turn
//! fails. What is forgotten takes them along.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::discord::prelude::*;

const FILES: &str = "GET /attachments/*/*/*";

/// A whole PNG as far as anybody looks at it, and no other like it.
fn png(mark: &str) -> Vec<u8> {
    [
        b"\x89PNG\r\n\x1a\n".as_slice(),
        mark.as_bytes(),
        b"\0\0\0\0IEND\xaeB`\x82",
    ]
    .concat()
}

/// What models were asked, oldest first.
type RequestLog = Arc<Mutex<Vec<Value>>>;

/// A test whose models keep what they are asked. The chat's model is called "scripted" and says "ok"; others describe what
/// they see by their name, and those called `broken…` answer 500.
struct Gallery {
    test: DiscordTest,
    asked: RequestLog,
}

impl Gallery {
    async fn open(model: &str, tables: &str) -> Self {
        let asked = RequestLog::default();
        let kept = asked.clone();
        let url = whole_server(move |body| {
            kept.lock().unwrap().push(body.clone());
            match body["model"].as_str().unwrap_or_default() {
                "scripted" => Ok("<turn><send_message>ok</send_message></turn>".into()),
                name if name.starts_with("broken") => Err(500),
                name => Ok(format!("seen by {name}: a cat\n[with] a hat")),
            }
        })
        .await;
        let fake = FakeDiscord::start(World::small());
        let further = |name: &str| {
            format!(
                "[models.{name}]\nprovider = \"openai\"\nbase_url = \"{url}\"\nname = \"{name}\"\nretries = 0\n"
            )
        };
        let tables = on(GENERAL) + tables + &further("eyes") + &further("broken");
        let settings = settings(&fake, &url, "", &tables);
        let settings = settings.replace(
            "name = \"scripted\"",
            &format!("name = \"scripted\"\n{model}"),
        );
        Self {
            test: DiscordTest::with(fake, &settings, &[]).await,
            asked,
        }
    }

    /// Somebody speaks to it and sends this along; answers with the message once it is answered.
    async fn sends(&self, user: Id, files: &[(&str, &str, Vec<u8>)]) -> Id {
        let known = self.test.fake.posts(GENERAL).len();
        let message = Message::by(user, format!("<@{BOT}> look"));
        let message = files.iter().fold(message, |message, (name, kind, bytes)| {
            message.file(name, kind, bytes)
        });
        let id = self.test.fake.post(GENERAL, message);
        self.test.post(GENERAL, known).await;
        id
    }

    async fn sends_png(&self, user: Id, name: &str, mark: &str) -> Id {
        self.sends(user, &[(name, "image/png", png(mark))]).await
    }

    /// The user message of each question to a model, oldest first: text parts as they are, pictures by their address.
    fn shown(&self, model: &str) -> Vec<Vec<String>> {
        let asked = self.asked.lock().unwrap();
        let part = |part: &Value| {
            part["text"]
                .as_str()
                .or(part["image_url"]["url"].as_str())
                .unwrap()
                .to_owned()
        };
        let content = |body: &Value| match &body["messages"][1]["content"] {
            Value::String(text) => vec![text.clone()],
            parts => parts.as_array().unwrap().iter().map(part).collect(),
        };
        asked
            .iter()
            .filter(|body| body["model"] == model)
            .map(content)
            .collect()
    }

    /// The newest question to the chat's model as one text.
    fn newest(&self) -> String {
        self.shown("scripted").pop().unwrap().concat()
    }

    fn fetched(&self) -> usize {
        self.test.fake.requests(FILES).len()
    }
}

fn is_picture(part: &str) -> bool {
    part.starts_with("data:image/")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_sees_is_shown_the_pictures_of_the_newest_lines_between_history_and_the_rest()
{
    let gallery = Gallery::open("vision = true", "").await;
    gallery.sends_png(ANNA, "cat.png", "cat").await;
    let shown = gallery.shown("scripted").pop().unwrap();
    assert!(is_picture(&shown[2]) && shown.len() == 4, "{shown:#?}");
    assert!(
        shown[2].starts_with("data:image/png;base64,iVBORw0KGgpjYXQ"),
        "{}",
        shown[2]
    );
    let line = shown[0].lines().last().unwrap();
    let id = line.split(' ').next().unwrap();
    assert!(
        line.ends_with("look [image: cat.png]") || line.contains("(image: cat.png)"),
        "{line}"
    );
    assert_eq!(shown[1], format!("Image in line {id}:"));
    assert_lacks(&shown[0], ["Answer as"]);
    assert_has(&shown[3], ["Answer as"]);
    gallery
        .sends(
            BEN,
            &[
                ("a.gif", "image/gif", b"GIF89a\x10\0\x10\0;".to_vec()),
                ("b.txt", "text/plain", b"x".to_vec()),
            ],
        )
        .await;
    let shown = gallery.shown("scripted").pop().unwrap();
    let kinds: Vec<&str> = shown
        .iter()
        .filter(|part| is_picture(part))
        .map(|part| &part[5..14])
        .collect();
    assert_eq!(
        kinds,
        ["image/png", "image/gif"],
        "in the order of their lines"
    );
    assert_eq!(
        gallery.fetched(),
        3,
        "each is fetched once, the text as well"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_than_the_newest_four_pictures_are_fetched_and_shown() {
    let gallery = Gallery::open("vision = true", "").await;
    let files = ["a", "b", "c", "d", "e", "f"].map(|mark| (mark, "image/png", png(mark)));
    gallery.sends(ANNA, &files).await;
    let shown = gallery.shown("scripted").pop().unwrap();
    assert_eq!(
        (
            shown.iter().filter(|part| is_picture(part)).count(),
            gallery.fetched()
        ),
        (4, 4)
    );
    let fetched = gallery.test.fake.requests(FILES);
    assert!(
        fetched
            .iter()
            .all(|asked| !asked.path.ends_with("/a") && !asked.path.ends_with("/b")),
        "the newest"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_cannot_be_loaded_breaks_no_turn_and_its_line_says_so() {
    let gallery = Gallery::open("vision = true", "").await;
    let whole = png("whole");
    for (name, bytes, fault) in [
        ("text.png", b"not a picture".to_vec(), None),
        ("half.png", whole[..whole.len() - 8].to_vec(), None),
        ("large.png", vec![0; 4_000_000], None),
        ("gone.png", whole.clone(), Some(Fault::Status(404))),
        ("moved.png", whole.clone(), Some(Fault::Status(302))),
        ("broken.png", whole.clone(), Some(Fault::Status(503))),
        ("cut.png", whole.clone(), Some(Fault::Drop)),
    ] {
        if let Some(fault) = fault {
            gallery.test.fake.fault(FILES, fault);
        }
        gallery.sends(ANNA, &[(name, "image/png", bytes)]).await;
        let newest = gallery.shown("scripted").pop().unwrap();
        assert!(!newest.iter().any(|part| is_picture(part)), "{name}");
        assert_has(newest.concat(), [format!("[{name}: could not be loaded]")]);
    }
    let large = gallery
        .test
        .fake
        .requests(FILES)
        .iter()
        .any(|asked| asked.path.ends_with("large.png"));
    assert!(!large, "what is too large is not even asked for");
    assert_eq!(
        gallery.fetched(),
        6,
        "and nothing is asked for again at once"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn for_a_model_that_cannot_see_a_picture_is_described_once_by_the_first_that_can() {
    let gallery = Gallery::open("", "[roles]\nvision = [\"broken\", \"eyes\"]\n").await;
    gallery.sends_png(ANNA, "cat.png", "cat").await;
    assert_has(
        gallery.newest(),
        ["[cat.png: seen by eyes: a cat (with) a hat]"],
    );
    assert_eq!(
        (gallery.shown("broken").len(), gallery.shown("eyes").len()),
        (1, 1)
    );
    let [label, picture] = &gallery.shown("eyes")[0][..] else {
        panic!("{:?}", gallery.shown("eyes"))
    };
    assert!(
        label == "Image:" && is_picture(picture),
        "nothing of the chat goes along"
    );
    gallery.sends_png(BEN, "again.png", "cat").await;
    assert_has(
        gallery.newest(),
        ["[again.png: seen by eyes: a cat (with) a hat]"],
    );
    assert_eq!(gallery.shown("eyes").len(), 1, "it is known by its content");
    let usage = build_kith_command(gallery.test.kith.dir.path())
        .arg("usage")
        .output()
        .unwrap();
    let usage = String::from_utf8(usage.stdout).unwrap();
    assert!(
        usage.lines().any(|line| line.starts_with("vision ")),
        "{usage}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_can_describe_a_picture_the_turn_goes_on_without() {
    let gallery = Gallery::open("", "[roles]\nvision = [\"broken\"]\n").await;
    gallery.sends_png(ANNA, "cat.png", "cat").await;
    gallery.sends_png(ANNA, "cat.png", "cat").await;
    assert_lacks(gallery.newest(), ["cat.png: "]);
    assert_eq!(
        gallery.shown("broken").len(),
        1,
        "it is not tried again at once"
    );
    let spent = Gallery::open(
        "",
        "[roles]\nvision = [\"eyes\"]\n[budget]\nvision_tokens = 100\n",
    )
    .await;
    spent.sends_png(ANNA, "cat.png", "cat").await;
    assert_eq!(
        spent.shown("eyes").len(),
        0,
        "past its own budget nothing is looked at"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_model_sees_nothing_is_fetched_and_what_only_observes_fetches_nothing() {
    let blind = Gallery::open("", "").await;
    blind.sends_png(ANNA, "cat.png", "cat").await;
    assert_eq!(blind.fetched(), 0);
    let gallery = Gallery::open("vision = true", "").await;
    gallery.test.has_commands().await;
    gallery.test.hears(GENERAL, MO, "kith observe").await;
    let message =
        Message::by(ANNA, format!("<@{BOT}> look")).file("cat.png", "image/png", png("cat"));
    gallery.test.fake.post(GENERAL, message);
    gallery.test.posts_in_peace(GENERAL).await;
    assert_eq!(gallery.fetched(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_of_who_wants_to_be_ignored_are_never_fetched() {
    let gallery = Gallery::open("vision = true", "").await;
    gallery.test.has_commands().await;
    let question = gallery
        .test
        .asks(GENERAL, ANNA, "kith optout", json!({"how": "ignore"}))
        .await;
    assert!(!said(&question).is_empty());
    gallery.test.fake.post(
        GENERAL,
        Message::by(ANNA, "look").file("cat.png", "image/png", png("cat")),
    );
    gallery.sends_png(BEN, "dog.png", "dog").await;
    let fetched = gallery.test.fake.requests(FILES);
    assert!(
        fetched.len() == 1 && fetched[0].path.ends_with("dog.png"),
        "{fetched:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_message_takes_its_picture_and_what_was_said_of_it_along() {
    let gallery = Gallery::open("", "[roles]\nvision = [\"eyes\"]\n").await;
    let first = gallery.sends_png(ANNA, "cat.png", "cat").await;
    assert_has(gallery.newest(), ["seen by eyes"]);
    assert!(
        gallery.test.kith.files_with("seen by eyes").is_empty(),
        "no description is ever on disk"
    );
    gallery.test.fake.deletes(GENERAL, &[first]);
    tokio::time::sleep(Duration::from_millis(300)).await;
    gallery.sends_png(BEN, "dog.png", "dog").await;
    assert_lacks(gallery.newest(), ["cat.png"]);
    gallery.sends_png(BEN, "again.png", "cat").await;
    assert_eq!(
        gallery.shown("eyes").len(),
        3,
        "nothing of it was known any more"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_text_file_takes_along_what_repeats_it() {
    let quotes = |prompt: &str| match prompt.contains("xylophonequartz") {
        true => say("so she hides a xylophonequartz there"),
        false => say("fine"),
    };
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), quotes).await;
    let text = b"nobody knows of the xylophonequartz in the cellar".to_vec();
    let message = Message::by(ANNA, format!("<@{BOT}> look"));
    let id = test
        .fake
        .post(GENERAL, message.file("message.txt", "text/plain", text));
    assert_has(test.post(GENERAL, 0).await, ["xylophonequartz"]);
    let is_on_disk = async |wanted: bool| {
        while test.kith.files_with("xylophonequartz").is_empty() == wanted {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    is_on_disk(true).await;
    test.fake.deletes(GENERAL, &[id]);
    is_on_disk(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_takes_their_pictures_along() {
    let gallery = Gallery::open("", "[roles]\nvision = [\"eyes\"]\n").await;
    gallery.test.has_commands().await;
    gallery.sends_png(ANNA, "cat.png", "cat").await;
    gallery
        .test
        .asks(GENERAL, ANNA, "kith forget me", json!({}))
        .await;
    gallery.sends_png(BEN, "again.png", "cat").await;
    assert_eq!(
        gallery.shown("eyes").len(),
        2,
        "nothing of it was known any more"
    );
    assert_lacks(gallery.newest(), ["cat.png"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_beginning_of_a_long_text_that_discord_made_a_file_of_is_read() {
    let gallery = Gallery::open("vision = false", "").await;
    let text = format!(
        "the recipe begins with rhubarb{}the end",
        " and sugar".repeat(2_000)
    );
    let file = (
        "message.txt",
        "text/plain; charset=utf-8",
        text.into_bytes(),
    );
    let other = ("message.txt", "text/plain", b"plums and sugar".to_vec());
    gallery.sends(ANNA, &[file, other]).await;
    let prompt = gallery.newest();
    assert_has(&prompt, ["begins with rhubarb"]);
    assert_lacks(&prompt, ["the end"]);
    let database = gallery.test.kith.database();
    let kept = || database.first("SELECT prompts FROM turns");
    while kept().is_none() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let kept = kept().unwrap_or_default();
    assert_has(&kept, ["message.txt"]);
    assert_lacks(&kept, ["sugar"]);
}
