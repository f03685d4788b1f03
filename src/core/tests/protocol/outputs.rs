//! What models mean to say: forty answers with thoughts and one to three calls, in English, Chinese and emoji,
//! with the signs that chat is full of and that markup trips over.

use serde_json::{Value, json};

/// The parameters of a call, all of them text.
pub type CallParams<'a> = [(&'a str, &'a str)];

/// An answer as it was meant.
#[derive(Clone)]
pub struct Output {
    pub thoughts: &'static str,
    /// `[["name", {params}], …]`, all values text.
    pub calls: Vec<(&'static str, Vec<(&'static str, &'static str)>)>,
}

/// Each call of an answer as it is written.
pub fn each(output: &Output, render: impl Fn(&str, &CallParams) -> String) -> Vec<String> {
    output
        .calls
        .iter()
        .map(|(name, params)| render(name, params))
        .collect()
}

impl Output {
    /// The same answer with its first call only.
    pub fn first_call_only(&self) -> Self {
        Self {
            thoughts: self.thoughts,
            calls: self.calls[..1].to_vec(),
        }
    }

    /// The same answer with the signs in its texts that markup trips over.
    pub fn with_signs(&self) -> Self {
        let texts = ["text", "reason", "query", "question", "new_text"];
        let mut output = self.clone();
        for (key, value) in output.calls.iter_mut().flat_map(|(_, params)| params) {
            if texts.contains(key) {
                *value = format!("{value} & \"so\" <3 it's\nthere, `ok`?").leak();
            }
        }
        output
    }

    /// As [`crate::protocol::check::shape`] gives calls, every value text but lists.
    pub fn expected(&self) -> Value {
        let value = |key: &str, value: &str| match key {
            "options" => serde_json::from_str(value).unwrap_or_else(|_| json!(value)),
            _ => json!(value),
        };
        let object = |params: &[(&str, &str)]| -> Value {
            Value::Object(
                params
                    .iter()
                    .map(|(key, text)| ((*key).to_owned(), value(key, text)))
                    .collect(),
            )
        };
        self.calls
            .iter()
            .map(|(name, params)| json!([name, object(params)]))
            .collect()
    }
}

fn say(text: &'static str) -> (&'static str, Vec<(&'static str, &'static str)>) {
    ("send_message", vec![("text", text)])
}

fn reply(
    text: &'static str,
    to: &'static str,
) -> (&'static str, Vec<(&'static str, &'static str)>) {
    ("send_message", vec![("text", text), ("reply_to", to)])
}

fn react(
    to: &'static str,
    emoji: &'static str,
) -> (&'static str, Vec<(&'static str, &'static str)>) {
    ("react", vec![("to", to), ("emoji", emoji)])
}

fn poll(
    question: &'static str,
    options: &'static str,
) -> (&'static str, Vec<(&'static str, &'static str)>) {
    ("poll", vec![("question", question), ("options", options)])
}

fn call(
    name: &'static str,
    params: &[(&'static str, &'static str)],
) -> (&'static str, Vec<(&'static str, &'static str)>) {
    (name, params.to_vec())
}

/// All of them.
pub fn outputs() -> Vec<Output> {
    [
        first_outputs(),
        second_outputs(),
        third_outputs(),
        fourth_outputs(),
    ]
    .concat()
}

fn output(
    thoughts: &'static str,
    calls: Vec<(&'static str, Vec<(&'static str, &'static str)>)>,
) -> Output {
    Output { thoughts, calls }
}

fn first_outputs() -> Vec<Output> {
    vec![
        output(
            "she is back after the exam; ask how it went",
            vec![reply("so?? how did it go", "12"), react("12", "👀")],
        ),
        output("他在问晚饭", vec![say("火锅!走不走")]),
        output(
            "nobody asked me",
            vec![call("stay_silent", &[("reason", "two others are talking")])],
        ),
        output(
            "need the time first",
            vec![call(
                "get_time",
                &[("zone", "Asia/Shanghai"), ("format", "readable")],
            )],
        ),
        output("love it", vec![say("i <3 this so much"), say("really")]),
        output(
            "a maths joke",
            vec![say("if a < b and b > c then a & c are shy")],
        ),
        output(
            "ping her",
            vec![reply("<@123456789012345678> look at this <:smile:1>", "7")],
        ),
        output(
            "a time",
            vec![say("starts <t:1700000000:R>, be there"), react("8", "⏰")],
        ),
        output(
            "不太确定他说的是哪天",
            vec![
                reply("你说的“明天”是周五还是周六?", "31"),
                say("我都行,看你们"),
            ],
        ),
        output(
            "he's joking",
            vec![say("that's not what she said, it's what he's thinking")],
        ),
        output("quote him", vec![say("he said \"hi\" to me, then left")]),
    ]
}

fn second_outputs() -> Vec<Output> {
    vec![
        output(
            "two lines",
            vec![say("first line\nsecond line"), react("3", "😂")],
        ),
        output(
            "remember",
            vec![
                call(
                    "core_memory_append",
                    &[("label", "anna"), ("text", "likes tea & cake")],
                ),
                say("noted :)"),
            ],
        ),
        output(
            "修改记忆",
            vec![call(
                "core_memory_replace",
                &[
                    ("label", "群"),
                    ("old_text", "周三聚餐"),
                    ("new_text", "周四聚餐"),
                ],
            )],
        ),
        output(
            "look it up",
            vec![call(
                "recall",
                &[("query", "生日 礼物"), ("speaker", "Lin")],
            )],
        ),
        output(
            "braces {in} thoughts [too]",
            vec![say("use {name} and [x] there")],
        ),
        output(
            "hearts </3",
            vec![say("</3 ouch"), say("you'll be fine ❤️"), react("44", "🫂")],
        ),
        output(
            "plan: greet, then ask",
            vec![say("早上好呀☀️"), say("昨晚睡得怎么样?"), react("5", "☕")],
        ),
        output(
            "a path",
            vec![say(
                "it's in C:\\temp\\new, see https://example.org/a?b=1&c=2",
            )],
        ),
        output("code", vec![reply("try `x = y[0]` or {\"a\": 1}", "77")]),
        output("short", vec![say("no")]),
        output("哈哈哈哈", vec![say("哈哈哈哈哈哈 笑死"), react("9", "🤣")]),
    ]
}

fn third_outputs() -> Vec<Output> {
    vec![
        output(
            "percent",
            vec![say("100% sure; 50/50; ~3 * 4 = 12 #winning")],
        ),
        output(
            "family emoji 👨‍👩‍👧‍👦",
            vec![say("👨‍👩‍👧‍👦 all of you come"), reply("也叫上小李", "15")],
        ),
        output("arrows", vec![say("a -> b => c <- d <= e >= f")]),
        output(
            "ask the room",
            vec![
                say("anyone up for 一起打游戏 tonight? 8pm (maybe 9)"),
                react("2", "🎮"),
            ],
        ),
        output(
            "let them vote",
            vec![poll("晚上吃什么?", r#"["火锅","烤鱼 🐟"]"#), say("投票!")],
        ),
        output(
            "three at once",
            vec![
                react("21", "🔥"),
                reply("that goal", "21"),
                say("again, again"),
            ],
        ),
        output(
            "他生气了,别开玩笑",
            vec![
                reply("对不起,我刚才说重了", "18"),
                call("stay_silent", &[("reason", "等他回")]),
            ],
        ),
        output(
            "nested quotes",
            vec![
                say("she goes \"he said 'no way' to me\" lol"),
                react("6", "💀"),
            ],
        ),
        output(
            "a price",
            vec![
                reply("it's $5 & up, <10 for two, 'kay?", "90"),
                say("50% off => €4,50"),
            ],
        ),
        output(
            "a list with commas",
            vec![
                say("bring: tea, cake, \"the blue cup\", and: yourself"),
                say("ok?"),
            ],
        ),
        output("emoji only", vec![say("🎉🎉🎉"), react("11", "🥳")]),
    ]
}

fn fourth_outputs() -> Vec<Output> {
    vec![
        output(
            "a file name",
            vec![
                say("look at main.rs:42 -> fn a<T>(x: &T)"),
                react("51", "🤓"),
            ],
        ),
        output(
            "remember twice",
            vec![
                call(
                    "core_memory_append",
                    &[("label", "ben"), ("text", "exam on 周五 <3")],
                ),
                call(
                    "core_memory_replace",
                    &[
                        ("label", "ben"),
                        ("old_text", "job: none"),
                        ("new_text", "job: \"cook\""),
                    ],
                ),
                reply("good luck friday 🍀", "14"),
            ],
        ),
        output(
            "时间和地点",
            vec![reply("周六19:30,人民广场2号口见~", "66"), react("66", "👌")],
        ),
        output(
            "slashes",
            vec![say("and/or, w/o, n/a // tbh"), say("/shrug ¯\\_(ツ)_/¯")],
        ),
        output(
            "a colon: and more",
            vec![say("note: \"a\": 1 is json"), react("70", "🙃")],
        ),
        output(
            "look up and wait",
            vec![call(
                "recall",
                &[("query", "who \"won\" 2024?"), ("since", "2024-01-01")],
            )],
        ),
        output(
            "weather",
            vec![
                call("get_time", &[("zone", "Europe/Oslo"), ("format", "HH:MM")]),
                say("one sec"),
            ],
        ),
        output(
            "ask kindly",
            vec![reply("你还好吗?要不要聊聊 🫶", "101"), say("我在呢")],
        ),
    ]
}
