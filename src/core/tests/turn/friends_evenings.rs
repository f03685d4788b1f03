//! Evenings among friends, scene by scene, in both languages: when it speaks and when it leaves people alone, with the
//! weights that ship and a model that says something whenever it is asked.

use std::sync::Arc;

use kith_core::chat::SECOND;
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;
use kith_core::talkativeness::Talkativeness;

use crate::turn::sim::{Answer, Sim, policy};

/// One thing that happens.
enum Step {
    /// So many seconds later somebody writes.
    Says(i64, &'static str, &'static str),
    /// In so many seconds it says nothing.
    Silent(i64),
    /// In so many seconds it speaks, once.
    Speaks(i64),
}
use Step::{Says, Silent, Speaks};

const EN: &str = "<turn><send_message>ah right</send_message></turn>";
const ZH: &str = "<turn><send_message>这样啊</send_message></turn>";

/// What a scene has in its language.
fn choose<T>(language: Language, english: T, chinese: T) -> T {
    if language == Language::ZH {
        chinese
    } else {
        english
    }
}

/// A room with a companion that always answers.
fn room(language: Language, talkativeness: Talkativeness) -> Sim {
    let name = choose(language, "Juno", "阿柚");
    let persona = Arc::new(Persona {
        name: name.into(),
        language,
        ..Persona::default()
    });
    let mut sim = Sim::new(ChannelPolicy {
        persona,
        names: vec![name.into()],
        near_duplicate: 2.0,
        talkativeness,
        ..policy()
    });
    sim.always = Some(choose(language, EN, ZH));
    sim
}

fn play(language: Language, first: Option<&'static str>, steps: &[Step]) {
    let mut sim = room(language, ChannelPolicy::default().talkativeness);
    sim.answers.extend(first.map(Answer::Says));
    let said = |sim: &Sim| sim.log.matches(" say #").count();
    let mut before = 0;
    for (number, step) in steps.iter().enumerate() {
        match step {
            Says(seconds, who, text) => {
                sim.wait(seconds * SECOND);
                sim.says(who, text);
            }
            Silent(seconds) | Speaks(seconds) => {
                sim.wait(seconds * SECOND);
                let speaks = usize::from(matches!(step, Speaks(_)));
                assert_eq!(said(&sim) - before, speaks, "step {number}: {}", sim.log);
                before = said(&sim);
            }
        }
    }
}

#[test]
fn its_own_question_is_answered_and_it_goes_on() {
    play(
        Language::EN,
        Some("<turn><send_message>morning. how did the exam go?</send_message></turn>"),
        &[
            Says(0, "Anna", "hey juno, good morning"),
            Speaks(5),
            Says(15, "Anna", "pretty bad honestly"),
            Speaks(30),
        ],
    );
    play(
        Language::ZH,
        Some("<turn><send_message>早啊，考试怎么样？</send_message></turn>"),
        &[
            Says(0, "小雨", "阿柚早啊"),
            Speaks(5),
            Says(15, "小雨", "别提了，考砸了"),
            Speaks(30),
        ],
    );
}

#[test]
fn a_message_in_two_parts_is_answered_once() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Anna", "@Juno want to come over"),
            Says(1, "Anna", "we have pizza"),
            Speaks(90),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "小雨", "阿柚你要不要过来"),
            Says(1, "小雨", "我们点了披萨"),
            Speaks(90),
        ],
    );
}

#[test]
fn a_vent_that_nobody_answers_is_heard() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Anna", "hey juno, good morning"),
            Speaks(60),
            Says(600, "Ben", "cleo, your umbrella is still here"),
            Says(9, "Cleo", "ben thanks, i'll get it tomorrow"),
            Says(9, "Ben", "ok"),
            Silent(60),
            Says(
                240,
                "Anna",
                "i failed the driving test again. third time. i feel so stupid",
            ),
            Speaks(60),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "小雨", "阿柚早啊"),
            Speaks(60),
            Says(600, "老周", "小丹，你的伞还在我这儿"),
            Says(9, "小丹", "老周谢了，我明天来拿"),
            Says(9, "老周", "行"),
            Silent(60),
            Says(240, "小雨", "驾照又没考过，第三次了，我是不是很笨"),
            Speaks(60),
        ],
    );
}

#[test]
fn bad_news_that_nobody_takes_up_is_answered_after_a_while_and_what_others_answer_is_theirs() {
    let told = [
        (
            Language::EN,
            "Anna",
            "juno hi",
            "we broke up",
            "Ben",
            "oh no anna, come over",
        ),
        (
            Language::ZH,
            "小雨",
            "阿柚早啊",
            "我们分手了",
            "老周",
            "啊，小雨你来我家吧",
        ),
    ];
    for (language, anna, hi, news, ben, comforts) in told {
        play(
            language,
            None,
            &[
                Says(0, anna, hi),
                Speaks(60),
                Says(900, anna, news),
                Speaks(300),
            ],
        );
        let taken_up = [
            Says(0, anna, hi),
            Speaks(60),
            Says(900, anna, news),
            Says(12, ben, comforts),
            Silent(20),
        ];
        play(language, None, &taken_up);
    }
}

#[test]
fn two_conversations_of_others_are_left_alone() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Anna", "ben did you bring the ladder"),
            Says(6, "Cleo", "dan what time is dinner"),
            Says(6, "Ben", "anna yes it's in the car"),
            Says(6, "Dan", "half past seven, cleo"),
            Says(7, "Anna", "great, i'll get it"),
            Says(6, "Cleo", "ok i'll bring wine"),
            Silent(90),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "小雨", "老周你梯子带了吗"),
            Says(6, "小丹", "阿豪几点吃饭"),
            Says(6, "老周", "小雨，带了，在车里"),
            Says(6, "阿豪", "小丹，七点半"),
            Says(7, "小雨", "好，我去拿"),
            Says(6, "小丹", "行，我带酒"),
            Silent(90),
        ],
    );
}

#[test]
fn a_joke_at_it_is_taken_up() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Ben", "the coffee machine is broken"),
            Says(8, "Anna", "oh no"),
            Silent(60),
            Says(
                10,
                "Ben",
                "juno you broke it with your terrible singing, admit it",
            ),
            Speaks(30),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "老周", "咖啡机坏了"),
            Says(8, "小雨", "啊不会吧"),
            Silent(60),
            Says(10, "老周", "阿柚，肯定是你唱歌把它唱坏的，招了吧"),
            Speaks(30),
        ],
    );
}

#[test]
fn who_asks_for_quiet_has_it() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Anna", "Juno, be quiet for a bit please"),
            Silent(10),
            Says(30, "Ben", "anyone up for a film tonight?"),
            Silent(120),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "小雨", "阿柚，先安静一会儿"),
            Silent(10),
            Says(30, "老周", "今晚有人看电影吗？"),
            Silent(120),
        ],
    );
}

#[test]
fn a_question_to_somebody_else_is_theirs() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Ben", "i fixed the door"),
            Says(8, "Anna", "ben, did you paint it as well?"),
            Silent(60),
            Says(5, "Ben", "yes, green"),
            Silent(60),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "老周", "门我修好了"),
            Says(8, "小雨", "老周，漆刷了没？"),
            Silent(60),
            Says(5, "老周", "刷了，绿的"),
            Silent(60),
        ],
    );
}

#[test]
fn a_good_night_ends_the_talk() {
    play(
        Language::EN,
        None,
        &[
            Says(0, "Anna", "juno did you like the film?"),
            Speaks(5),
            Says(
                15,
                "Anna",
                "haha same. ok i'm off to bed, good night everyone",
            ),
            Silent(90),
        ],
    );
    play(
        Language::ZH,
        None,
        &[
            Says(0, "小雨", "阿柚，你觉得那电影好看吗？"),
            Speaks(5),
            Says(15, "小雨", "哈哈我也是，睡了，大家晚安"),
            Silent(90),
        ],
    );
}

#[test]
fn whoever_speaks_to_it_in_everyday_words_is_answered() {
    let en: &[&str] = &[
        "juno i got the job!!",
        "juno you decide",
        "juno back me up",
        "juno am i overreacting",
        "juno?",
        "juno any ideas",
        "juno can we talk for a sec",
        "ha, juno you know me too well",
        "thanks for yesterday juno, i needed that",
        "what do you think juno",
        "juno will you miss me",
        "juno how do i save it",
        "juno don't laugh",
        "juno want to come over?",
    ];
    let zh: &[&str] = &[
        "阿柚我拿到offer了！！",
        "阿柚你来定",
        "阿柚是我太敏感了吗",
        "阿柚今晚干嘛呢",
        "阿柚有什么建议",
        "阿柚怎么救",
        "昨天谢谢你阿柚，多亏有你",
        "哈哈阿柚你太懂我了",
        "阿柚能聊两句吗",
        "阿柚不许笑",
        "阿柚要不要过来玩？",
        "阿柚知道怎么走吗？",
        "阿柚现在几点了？",
        "阿柚有推荐吗",
        "阿柚呢",
    ];
    let mut left = Vec::new();
    for (language, lines, before) in [
        (Language::EN, en, ["so tired", "same"]),
        (Language::ZH, zh, ["好累", "我也是"]),
    ] {
        for &line in lines {
            let mut sim = room(language, Talkativeness::Hourly(0.0));
            let [ben, cleo] = choose(language, ["Ben", "Cleo"], ["老周", "小丹"]);
            sim.says(ben, before[0]);
            sim.wait(8 * SECOND);
            sim.says(cleo, before[1]);
            sim.wait(20 * SECOND);
            sim.says(ben, line);
            sim.wait(5 * SECOND);
            if !sim.log.contains(" say #") {
                left.push(line);
            }
        }
    }
    assert!(left.is_empty(), "{left:?}");
}
