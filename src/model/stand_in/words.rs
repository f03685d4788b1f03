//! What the stand-in says, in each language. Every message opens with its label.

use crate::core::persona::Language;

/// The words of one language. `{name}` and `{text}` are the author and the text of the line it answers.
pub(super) struct Words {
    pub hello: &'static str,
    pub what_it_is: &'static str,
    pub how_to_connect: &'static str,
    pub read_you: &'static str,
    pub read_you_too: &'static str,
    /// `{time}` is what the tool told.
    pub time_is: &'static str,
    pub time_failed: &'static str,
    pub thinks_two: &'static str,
    pub thinks_reply: &'static str,
    pub thinks_react: &'static str,
    pub thinks_about_itself: &'static str,
    pub asks_tool: &'static str,
    pub saw_time: &'static str,
    pub silence: &'static str,
    pub not_asked: &'static str,
    pub nobody: &'static str,
    about_itself: &'static [&'static str],
    time: &'static [&'static str],
    liked: &'static [&'static str],
}

static EN: Words = Words {
    hello: "(stand-in) hi {name}. i read “{text}”, but i'm a demo, not a language model",
    what_it_is: "(stand-in) hi {name}. i'm a short demo, not a language model: i show how the companion acts",
    how_to_connect: "(stand-in) for real answers, use “connect a model” on the page, start Ollama, or set \
                     OPENAI_API_KEY and KITH_MODEL",
    read_you: "(stand-in) a reply to “{text}”. look on the right to see why i woke",
    read_you_too: "(stand-in) {name} wrote “{text}”; a real model would have something to say to that",
    time_is: "(stand-in) the tool says: {time}. that took a second round, see the right side",
    time_failed: "(stand-in) the get_time tool failed; its error is on the right",
    thinks_two: "demo: two messages in one turn",
    thinks_reply: "demo: a reply to one line",
    thinks_react: "demo: a reaction instead of words",
    thinks_about_itself: "they want to know what I am: say it plainly",
    asks_tool: "demo: ask a tool first, answer in the next round",
    saw_time: "the tool has answered: pass it on",
    silence: "demo: silence is a result too; it costs nothing and its reason is reported",
    not_asked: "nobody spoke to me, and a demo has nothing to add",
    nobody: "there is no line to answer",
    about_itself: &[
        "hi",
        "hey",
        "hello",
        "morning",
        "who are you",
        "what are you",
        "are you",
        "bot",
        "model",
        "stand-in",
        "demo",
        "connect",
        "help",
    ],
    time: &["time", "clock", "late", "date", "day is"],
    liked: &["thank", "thx", "great", "congrat", "passed", "won", "yay", "lol", "haha", "😂", "🎉"],
};

static ZH: Words = Words {
    hello: "（替身）{name}你好，我看到你说“{text}”，不过我只是演示，不是语言模型",
    what_it_is: "（替身）{name}你好，我是一段简短的演示，不是语言模型，只用来展示同伴会怎么做",
    how_to_connect: "（替身）想要真正的回答，请用页面上的“连接模型”，或启动 Ollama，或设置 OPENAI_API_KEY 和 KITH_MODEL",
    read_you: "（替身）这是对“{text}”的回复，右边能看到我为什么醒来",
    read_you_too: "（替身）{name}说“{text}”，真正的模型会接着聊",
    time_is: "（替身）工具说：{time}。这用了第二轮，见右边",
    time_failed: "（替身）get_time 工具失败了，错误在右边",
    thinks_two: "演示：一个回合发两条消息",
    thinks_reply: "演示：回复某一句",
    thinks_react: "演示：用表情代替说话",
    thinks_about_itself: "他们想知道我是什么：直说",
    asks_tool: "演示：先问工具，下一轮再回答",
    saw_time: "工具已经回答：转告",
    silence: "演示：沉默也是结果，不花代价，原因会写进报告",
    not_asked: "没人跟我说话，演示也没什么可补充的",
    nobody: "没有可以回答的话",
    about_itself: &["你好", "嗨", "哈喽", "早", "你是谁", "你是什么", "机器人", "模型", "替身", "演示", "连接", "帮助"],
    time: &["几点", "时间", "几号", "星期几", "日期"],
    liked: &["谢", "恭喜", "厉害", "哈哈", "过了", "赢了", "太好了", "😂", "🎉"],
};

impl Words {
    /// The table of a language.
    pub fn of(language: Language) -> &'static Self {
        language.pick(&EN, &ZH)
    }

    /// Whether a text greets it or asks what it is.
    pub fn is_about_itself(&self, text: &str) -> bool {
        holds(text, self.about_itself)
    }

    /// Whether a text asks for the time.
    pub fn asks_time(&self, text: &str) -> bool {
        holds(text, self.time)
    }

    /// Whether a text is one that people put a thumb on.
    pub fn is_liked(&self, text: &str) -> bool {
        holds(text, self.liked)
    }
}

/// Whether one of the words begins somewhere in the text: at the start of a word where words have starts.
fn holds(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            let opens = before.is_none_or(|character| !character.is_ascii_alphanumeric());
            // Words of two or three letters are whole words or nothing: "hi" is not in "history".
            let closes = word.len() > 3 || after.is_none_or(|character| !character.is_ascii_alphanumeric());
            !word.is_ascii() || (opens && closes)
        })
    })
}
