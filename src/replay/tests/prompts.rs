//! Whole prompts as a model gets them, for reading: among strangers, among old friends, after a quarrel, before an exam, in
//! both languages. And how much of a prompt is what it remembers.

mod scene;

use std::path::Path;

use kith_core::chat::{DAY, HOUR, MINUTE, Millis};
use kith_core::memory_entry::MemoryKind;
use kith_core::persona::Language;
use kith_core::sensitive_topics::is_sensitive;
use serde_json::Value;

use scene::PromptScene;

/// Monday 2 March 2026, 18:00 UTC.
const START: Millis = 1_772_474_400_000;
/// What was asked for of what it remembers, in estimated tokens, in the median.
const MOST_REMEMBERED: u32 = 250;

/// The text in a language.
fn in_language<'a>(language: Language, english: &'a str, chinese: &'a str) -> &'a str {
    match language {
        Language::EN => english,
        _ => chinese,
    }
}

/// What stands below the system message, which is the same everywhere, and above it the core memory that is not.
fn assert_prompt(name: &str, language: Language, prompt: &kith_agent::prompt::RenderedPrompt) {
    let name = format!("{name}_{}", language.code());
    insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "prompts", omit_expression => true}, {
        insta::assert_snapshot!(name, prompt.user());
    });
}

async fn talk(scene: &mut PromptScene, lines: &[(&str, &str)]) {
    for (name, text) in lines {
        scene.now += 20_000;
        match *name {
            "" => scene.says_itself(text).await,
            name => scene.says(name, text).await,
        };
    }
}

#[tokio::test]
async fn strangers_are_not_taken_for_friends() {
    for language in [Language::EN, Language::ZH] {
        let text = |english, chinese| in_language(language, english, chinese);
        let mut scene = PromptScene::new(language, text("lounge", "闲聊"), START).await;
        let (a, b, c) = (
            text("Rosa", "小雅"),
            text("Tim", "阿凯"),
            text("Ines", "冬冬"),
        );
        let lines = [
            (a, text("hi all, new here", "大家好，新来的")),
            (b, text("same, joined an hour ago", "我也是，刚进来一小时")),
            (
                c,
                text("is this the board game server?", "这里是桌游群吗？"),
            ),
            (
                a,
                text(
                    "i think so, there is a calendar pinned",
                    "应该是，置顶有日历",
                ),
            ),
        ];
        talk(&mut scene, &lines).await;
        let asked = text("Juno, are you the bot here?", "阿柚，你是这里的机器人吗？");
        let prompt = scene.prompt_for(b, asked).await;
        assert_prompt("strangers", language, &prompt);
    }
}

/// What is known of the three, most of it by their own word.
async fn tell_of_friends(scene: &mut PromptScene, language: Language) {
    let text = |english, chinese| in_language(language, english, chinese);
    let (anna, ben, mia) = (
        text("Anna", "安娜"),
        text("Ben", "本本"),
        text("Mia", "米娅"),
    );
    let about = MemoryKind::About;
    let known = [
        (
            anna,
            about,
            text(
                "plays the cello in an amateur orchestra",
                "在业余乐团拉大提琴",
            ),
        ),
        (
            anna,
            MemoryKind::Manner,
            text("likes dry jokes, hates pity", "喜欢冷笑话，不喜欢被可怜"),
        ),
        (
            anna,
            MemoryKind::Relation,
            text("went to school with Ben", "和本本是中学同学"),
        ),
        (
            ben,
            about,
            text(
                "bakes sourdough, works nights at the bakery",
                "做酸面包，在面包店上夜班",
            ),
        ),
        (ben, MemoryKind::Name, text("Benji", "小本")),
        (
            mia,
            about,
            text("moved here from Lisbon in autumn", "去年秋天从里斯本搬来的"),
        ),
    ];
    for (who, kind, fact) in known {
        scene.remembers(kind, who, fact, |_| {}).await;
    }
    let (said_by, told) = (
        scene.person(ben).id,
        text("has a crush on the oboist", "喜欢上了双簧管手"),
    );
    scene
        .remembers(about, anna, told, |content| content.said_by = Some(said_by))
        .await;
}

/// Months of a group: what was said then is stored, and people are known.
async fn old_group(language: Language) -> PromptScene {
    let text = |english, chinese| in_language(language, english, chinese);
    let mut scene = PromptScene::new(language, text("kitchen", "小厨房"), START).await;
    let (anna, ben, mia) = (
        text("Anna", "安娜"),
        text("Ben", "本本"),
        text("Mia", "米娅"),
    );
    let lines = [
        (
            anna,
            text(
                "i got the cello back from the luthier today",
                "我的大提琴今天修好拿回来了",
            ),
        ),
        (ben, text("finally! how much was it", "终于！花了多少钱")),
        (
            anna,
            text("four hundred, the bridge was cracked", "四百，琴码裂了"),
        ),
        (
            "",
            text("ouch. does it sound better at least", "心疼，声音好点了吗"),
        ),
        (anna, text("like honey", "好听死了")),
        (
            mia,
            text(
                "we should all come to your concert in june",
                "六月你的音乐会我们都去",
            ),
        ),
        (
            ben,
            text(
                "i'll bring the thermos with ginger tea again",
                "我再带一壶姜茶",
            ),
        ),
    ];
    talk(&mut scene, &lines).await;
    tell_of_friends(&mut scene, language).await;
    scene.now += 60 * DAY;
    let small = [
        (mia, text("who has the big pot", "大锅在谁那儿")),
        (ben, text("me, you get it sunday", "在我这，周日给你")),
        (mia, text("thanks!", "谢啦")),
    ];
    talk(&mut scene, &small).await;
    scene.restart(small.len());
    scene.now += 2 * HOUR;
    scene
}

#[tokio::test]
async fn old_friends_are_known_with_what_they_told() {
    for language in [Language::EN, Language::ZH] {
        let text = |english, chinese| in_language(language, english, chinese);
        let mut scene = old_group(language).await;
        let line = text("ben, are you around on saturday?", "本本，周六你在吗？");
        talk(&mut scene, &[(text("Mia", "米娅"), line)]).await;
        let asked = text(
            "Juno, the bridge of my cello cracked again, can you believe it",
            "阿柚，我大提琴的琴码又裂了，服了",
        );
        let prompt = scene.prompt_for(text("Anna", "安娜"), asked).await;
        assert_prompt("old_friends", language, &prompt);
    }
}

#[tokio::test]
async fn a_quarrel_of_last_week_is_remembered_for_who_was_in_it() {
    for language in [Language::EN, Language::ZH] {
        let text = |english, chinese| in_language(language, english, chinese);
        let mut scene = old_group(language).await;
        let (anna, ben) = (text("Anna", "安娜"), text("Ben", "本本"));
        let quarrel = [
            (
                ben,
                text(
                    "you told everybody about the bakery, that was mine to tell",
                    "面包店的事你到处说，那该我自己说",
                ),
            ),
            (
                anna,
                text(
                    "i told mia, that is not everybody",
                    "我只跟米娅说了，哪有到处",
                ),
            ),
            (
                ben,
                text(
                    "whatever. i'm not coming to the concert",
                    "随便吧，音乐会我不去了",
                ),
            ),
        ];
        talk(&mut scene, &quarrel).await;
        let fell_out = text(
            "fell out with Anna over the bakery news",
            "因为面包店的事和安娜闹翻了",
        );
        scene
            .remembers(MemoryKind::Relation, ben, fell_out, |_| {})
            .await;
        scene.now += 7 * DAY;
        let small = [(
            text("Mia", "米娅"),
            text("rain all day again", "又下一整天雨"),
        )];
        talk(&mut scene, &small).await;
        scene.restart(small.len());
        scene.now += MINUTE;
        let asked = text(
            "Juno, should i bring bread from the bakery to the concert on friday?",
            "阿柚，周五音乐会我要不要从面包店带点面包？",
        );
        let prompt = scene.prompt_for(ben, asked).await;
        assert_prompt("quarrel", language, &prompt);
    }
}

#[tokio::test]
async fn an_exam_of_tomorrow_is_told_as_tomorrow() {
    for language in [Language::EN, Language::ZH] {
        let text = |english, chinese| in_language(language, english, chinese);
        let mut scene = old_group(language).await;
        let mia = text("Mia", "米娅");
        let due = scene.now + DAY;
        let exam = text("anatomy exam, has failed it once", "解剖学考试，挂过一次");
        scene
            .remembers(MemoryKind::Promise, mia, exam, |content| {
                content.due = Some(due);
            })
            .await;
        let line = text("i can't sleep", "睡不着");
        talk(&mut scene, &[(mia, line)]).await;
        let asked = text("Juno, say something nice", "阿柚，说点好听的");
        let prompt = scene.prompt_for(mia, asked).await;
        assert_prompt("exam", language, &prompt);
    }
}

/// One of the written chats of friends: who says what.
fn read_chat(file: &str) -> Vec<(String, String)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/chats"));
    let text = std::fs::read_to_string(root.join(file)).expect("a chat");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line"));
    let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    lines
        .map(|line| (string(&line["author"]["name"]), string(&line["content"])))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// Of everybody five facts are known, as long as the longest lines they wrote; of two thirds of the chat nothing is in view.
/// Then everybody speaks to the companion with what they say next.
async fn measure_remembered(language: Language, file: &str) -> Vec<u32> {
    let lines = read_chat(file);
    let mut scene = PromptScene::new(language, "friends", START).await;
    let (old, new) = lines.split_at(lines.len() * 2 / 3);
    for (name, text) in old {
        scene.now += MINUTE;
        scene.says(name, text).await;
    }
    let mut names: Vec<&String> = old.iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let own = old.iter().filter(|(author, _)| author == name);
        let own = own.map(|(_, text)| text);
        let mut told: Vec<&String> = own.filter(|text| !is_sensitive(text)).collect();
        told.sort_by_key(|text| std::cmp::Reverse(text.len()));
        for text in told.into_iter().take(5) {
            let fact: String = text.chars().take(100).collect();
            scene
                .remembers(MemoryKind::About, name, &fact, |_| {})
                .await;
        }
    }
    scene.now += 30 * DAY;
    scene.restart(0);
    let companion = in_language(language, "Juno, ", "阿柚，");
    let mut remembered = Vec::new();
    for (name, text) in new {
        scene.now += MINUTE;
        let asked = scene
            .sections_for(name, &format!("{companion}{text}"))
            .await;
        remembered.extend(asked.map(|(known, unknown)| {
            known.recalled.tokens + known.members.tokens - unknown.members.tokens
        }));
    }
    remembered
}

#[tokio::test]
async fn what_it_remembers_takes_a_small_part_of_a_prompt() {
    for (language, files) in [
        (
            Language::EN,
            vec!["en/film.jsonl", "en/games.jsonl", "en/house.jsonl"],
        ),
        (
            Language::ZH,
            vec![
                "zh/cats.jsonl",
                "zh/dorm.jsonl",
                "zh/flat.jsonl",
                "zh/hike.jsonl",
                "zh/work.jsonl",
            ],
        ),
    ] {
        let mut tokens = Vec::new();
        for file in files {
            tokens.extend(measure_remembered(language, file).await);
        }
        tokens.sort_unstable();
        let at = |share: usize| tokens[(tokens.len() - 1) * share / 100];
        println!(
            "{}: {} turns, {} tokens in the median, {} in one of twenty, {} at most",
            language.code(),
            tokens.len(),
            at(50),
            at(95),
            at(100)
        );
        assert!(
            tokens.len() > 100 && at(50) <= MOST_REMEMBERED,
            "{tokens:?}"
        );
    }
}
