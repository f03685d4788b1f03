//! What the stand-in says, in each language. Every message opens with its label.

use kith_core::persona::Language;

/// The words of one language. `{name}` and `{text}` are the author and the text of the line it answers, `{time}` is
/// what the tool told. What can be said again comes in several ways, because a companion must not repeat itself.
pub(super) struct DemoWords {
    /// Opens every message.
    pub label: &'static str,
    pub hello: &'static [&'static str],
    pub what_it_is: &'static [&'static str],
    pub how_to_connect: &'static [&'static str],
    pub read_you: &'static [&'static str],
    pub time_is: &'static [&'static str],
    pub time_failed: &'static [&'static str],
    pub thinks_two: &'static str,
    pub thinks_reply: &'static str,
    pub thinks_react: &'static str,
    pub thinks_about_itself: &'static str,
    pub asks_tool: &'static str,
    pub saw_time: &'static str,
    pub silence: &'static str,
    pub said_already: &'static str,
    pub not_asked: &'static str,
    pub nobody: &'static str,
}

static EN: DemoWords = DemoWords {
    label: "(stand-in) ",
    hello: &[
        "{name}, i read “{text}”, but i'm a demo and not a language model",
        "“{text}”, i see. this is still the demo talking, in two messages this time",
        "noted, {name}: “{text}”. nobody is thinking here, it's all scripted",
    ],
    what_it_is: &[
        "hi {name}. i'm a short demo, not a language model: i only show how the companion acts",
        "same answer as before, {name}: a script, not a language model",
        "nothing but a few canned lines, {name}; not a language model at all",
    ],
    how_to_connect: &[
        "for real answers use “connect a model” on the page, start Ollama, or set OPENAI_API_KEY and KITH_MODEL",
        "to wake the real companion: the “connect a model” panel takes a URL and a key and tests them",
    ],
    read_you: &[
        "a reply to “{text}”. look on the right to see why i woke",
        "{name} wrote “{text}”; a real model would have something to say to that",
        "that line, “{text}”, made me wake; the bars beside the chat show what counted",
        "here an answer to “{text}” would stand, with a model behind it",
    ],
    time_is: &[
        "the tool says: {time}. asking it took a round of its own",
        "{time}, says get_time; call and result are on the right",
        "it told me {time}, and this is the second round of the turn",
    ],
    time_failed: &[
        "the get_time tool failed; its error is on the right",
        "no luck with get_time, the page shows why",
    ],
    thinks_two: "demo: two messages in one turn",
    thinks_reply: "demo: a reply to one line",
    thinks_react: "demo: a reaction instead of words",
    thinks_about_itself: "they want to know what I am: say it plainly",
    asks_tool: "demo: ask a tool first, answer in the next round",
    saw_time: "the tool has answered: pass it on",
    silence: "demo: silence is a result too; it costs nothing and its reason is reported",
    said_already: "demo: everything the script has for this was said a moment ago",
    not_asked: "nobody spoke to me, and a demo has nothing to add",
    nobody: "there is no line to answer",
};

static ZH: DemoWords = DemoWords {
    label: "（替身）",
    hello: &[
        "{name}，我看到你说“{text}”，不过我只是演示，不是语言模型",
        "“{text}”，收到。还是那段演示，这次分两条发",
        "{name}说了“{text}”。这里没人在想，全是写好的台词",
    ],
    what_it_is: &[
        "{name}你好，我是一段简短的演示，不是语言模型，只用来展示同伴会怎么做",
        "还是刚才那个回答：写好的脚本，不是语言模型",
        "只有几句现成的话而已，{name}，背后不是语言模型",
    ],
    how_to_connect: &[
        "想要真正的回答，请用页面上的“连接模型”，或启动 Ollama，或设置 OPENAI_API_KEY 和 KITH_MODEL",
        "要请来真正的同伴：“连接模型”面板里填地址和密钥，能当场测试",
    ],
    read_you: &[
        "这是对“{text}”的回复，右边能看到我为什么醒来",
        "{name}说“{text}”，真正的模型会接着聊",
        "让我醒来的就是“{text}”，聊天旁边的条形图写着各项分数",
        "接上模型以后，这里会是对“{text}”的认真回答",
    ],
    time_is: &[
        "工具说：{time}。问它用了单独一轮",
        "get_time 告诉我 {time}，调用和结果都在右边",
        "{time}，这已经是本回合第二轮",
    ],
    time_failed: &[
        "get_time 工具失败了，错误在右边",
        "没问到时间，页面上写着原因",
    ],
    thinks_two: "演示：一个回合发两条消息",
    thinks_reply: "演示：回复某一句",
    thinks_react: "演示：用表情代替说话",
    thinks_about_itself: "他们想知道我是什么：直说",
    asks_tool: "演示：先问工具，下一轮再回答",
    saw_time: "工具已经回答：转告",
    silence: "演示：沉默也是结果，不花代价，原因会写进报告",
    said_already: "演示：该说的刚才都说过了",
    not_asked: "没人跟我说话，演示也没什么可补充的",
    nobody: "没有可以回答的话",
};

/// What opens every message of the stand-in, in any language.
pub(super) static LABELS: [&str; 2] = [EN.label, ZH.label];

impl DemoWords {
    /// The table of a language.
    pub fn from_language(language: Language) -> &'static Self {
        language.pick(&EN, &ZH)
    }
}
