//! What is written in each language: the few words the core itself puts into a prompt, and the templates that are
//! embedded around them. A new language adds its table here.

use chrono::{DateTime, Datelike, Timelike, Utc};
use chrono_tz::Tz;

use crate::chat::Millis;
use crate::persona::Language;

/// The words of one language; `{}` are filled in order.
pub(super) struct ContextWords {
    /// Header of a direct message.
    pub direct_channel: &'static str,
    /// Header of a thread: its name.
    pub thread: &'static str,
    /// The line where messages are missing.
    pub gap: &'static str,
    /// Behind a text that was changed.
    pub edited: &'static str,
    /// Behind a text that was shortened: how many characters are missing.
    pub shortened: &'static str,
    /// Of a picture that could not be loaded, and before one that is shown: the short id of its line.
    pub picture_lost: &'static str,
    pub picture: &'static str,
    /// Wake reasons: short id and name.
    pub direct: &'static str,
    pub mention: &'static str,
    pub reply: &'static str,
    pub name: &'static str,
    pub alone: &'static str,
    /// For a small model, what was said to it, and what was said to nobody: short id, name and words.
    pub says_to_you: &'static str,
    pub says: &'static str,
    /// Somebody spoke to it, and the message is gone.
    pub deleted_address: &'static str,
    /// More fresh addresses: one of them, and a list of them.
    pub also_line: &'static str,
    pub also: &'static str,
    /// Nobody spoke to it: short id and name of what caught its attention.
    pub unasked: &'static str,
    /// The same without a message.
    pub unasked_plainly: &'static str,
    /// What it waited for has come: what; its note; and the things that can come.
    pub waited: &'static str,
    pub own_note: &'static str,
    pub person_wrote: &'static str,
    pub word_fell: &'static str,
    pub silent_for: &'static str,
    pub it_is_time: &'static str,
    pub wait_fulfilled: &'static str,
    /// A reminder is to be given: to whom, where it is somebody; and what.
    pub remind: &'static str,
    pub remind_all: &'static str,
    pub reminder: &'static str,
    pub everybody: &'static str,
    /// It may speak first: after so many minutes of silence, or at the beginning of a part of its day.
    pub lull: &'static str,
    pub opening: &'static str,
    /// Behind each of these.
    pub not_obliged: &'static str,
    /// What it still waits for, and its note.
    pub waiting: &'static str,
    pub until_person: &'static str,
    pub until_word: &'static str,
    pub until_silent: &'static str,
    pub or: &'static str,
    /// A line that is no longer in the history: the line.
    pub earlier: &'static str,
    /// The time, and what it is doing now.
    pub time: &'static str,
    pub doing: &'static str,
    /// How long ago it last spoke; how that went, in the order of [`super::RecentReception`]; and what stands between the two.
    pub last_spoke: &'static str,
    pub recent_feedback: [&'static str; 5],
    pub between_sentences: &'static str,
    /// So many minutes, hours, days, weeks, months.
    pub spans: [&'static str; 5],
    /// Behind the name of somebody: what is known of them, and what that can be.
    pub known: &'static str,
    pub known_for: &'static str,
    pub just_met: &'static str,
    pub talks_often: &'static str,
    pub list_comma: &'static str,
    /// Working memory.
    pub thought: &'static str,
    pub called: &'static str,
    pub failed: &'static str,
    pub said: &'static str,
    pub unreadable: &'static str,
    /// The same where it was meant as an action: what is wrong.
    pub unread: &'static str,
    pub go_on: &'static str,
    /// In the place of an old result: how many characters it had.
    pub left_out: &'static str,
    /// The list was not looked at for some rounds.
    pub todo_reminder: &'static str,
    /// Lines that were not sent.
    pub unsent: &'static str,
    /// What the model wrote down of a session when it opened it, and what the talk before came to.
    pub session_note: &'static str,
    pub summed_up: &'static str,
    /// Formats of chrono; the weekday is put in for `{}`.
    pub date_mark: &'static str,
    pub full_time: &'static str,
    pub weekdays: [&'static str; 7],
    /// The templates by file name; the core only hands them on.
    pub templates: [(&'static str, &'static str); 12],
}

/// A template by its language's folder and its file name.
macro_rules! template {
    ($language:literal, $name:literal) => {
        (
            $name,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../prompts/",
                $language,
                "/",
                $name
            )),
        )
    };
}

static EN: ContextWords = ContextWords {
    direct_channel: "a private chat, just the two of you",
    thread: "thread #{}",
    gap: "[some messages are missing here]",
    edited: " (edited)",
    shortened: " … ({} more characters)",
    picture_lost: "could not be loaded",
    picture: "Image in line {}:",
    direct: "Line {}: a private message to you from {}.",
    mention: "Line {}: {} mentions you.",
    reply: "Line {}: {} replies to you.",
    name: "Line {}: {} calls you by name.",
    alone: "Line {}: {} writes with nobody else around, so it is meant for you.",
    says_to_you: "Line {}: {} says to you: \"{}\"",
    says: "Line {}: {} says: \"{}\" Nobody asked you; you may join in.",
    deleted_address: "Somebody spoke to you; the message has been deleted since.",
    also_line: "line {} ({})",
    also: "Also speaking to you: {}. Answer them together, in one go.",
    unasked: "Nobody spoke to you. Line {} by {} caught your attention; you may join in.",
    unasked_plainly: "Nobody spoke to you; you may join in.",
    waited: "Nobody spoke to you. What you waited for has come: {}.",
    own_note: "Your note to yourself: \"{}\".",
    person_wrote: "{} has written (line {})",
    word_fell: "\"{}\" was said (line {})",
    silent_for: "nobody has written for {} minutes",
    it_is_time: "it is time",
    wait_fulfilled: "it is there",
    remind: "It is time for the reminder for {}: \"{}\". Give it now, in your own words, naming them with @.",
    remind_all: "It is time for a reminder: \"{}\". Give it now, in your own words.",
    reminder: "- you remind {} at {}: \"{}\"",
    everybody: "everybody",
    lull: "Nobody spoke to you. It was lively here, and nobody has written for {} minutes; you may start something new.",
    opening: "Nobody spoke to you. This is a moment of your day at which you may say something first.",
    not_obliged: " Nobody expects it: stay silent if it does not fit now.",
    waiting: "- you wait for: {}; note: \"{}\"",
    until_person: "{} writes",
    until_word: "\"{}\" is said",
    until_silent: "{} minutes of silence",
    or: " or ",
    earlier: "Earlier: {}",
    time: "It is {}.",
    doing: "You are: {}.",
    last_spoke: "You last spoke here {} ago.",
    recent_feedback: [
        "Somebody asked you for quiet not long ago.",
        "Lately they would rather have you quiet.",
        "Nobody took up what you said last.",
        "A good talk is going on.",
        "Lately they like having you here.",
    ],
    between_sentences: " ",
    spans: ["{} min", "{} h", "{} days", "{} weeks", "{} months"],
    known: " ({})",
    known_for: "known {}",
    just_met: "just met",
    talks_often: "talks with you often",
    list_comma: ", ",
    thought: "you thought:",
    called: "you called {} {}:",
    failed: "you called {} {}, and it failed:",
    said: "you said:",
    unreadable: "you wrote this, and nothing was done because it holds no action:",
    unread: "you wrote this, and it could not all be read ({}):",
    go_on: "These are the results of what you just called; go on from here.",
    left_out: "(its result of {} characters is left out here; call it again if you still need it)",
    todo_reminder: "You have not updated your todos for three rounds: bring the list up to date with todo, or clear it.",
    unsent: "you were about to say this when somebody spoke; it was not sent:",
    session_note: "Your own note from when you opened it; a note, not a rule:",
    summed_up: "Summed up:",
    date_mark: "{} %-d %b %H:%M",
    full_time: "{} %-d %B %Y, %H:%M",
    weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    templates: [
        template!("en", "system.j2"),
        template!("en", "system-small.j2"),
        template!("en", "user.j2"),
        template!("en", "closing.j2"),
        template!("en", "repair.j2"),
        template!("en", "wrap-up.j2"),
        template!("en", "judge.j2"),
        template!("en", "picture.j2"),
        template!("en", "task.j2"),
        template!("en", "task-so-far.j2"),
        template!("en", "session-summary.j2"),
        template!("en", "summary.j2"),
    ],
};

static ZH: ContextWords = ContextWords {
    direct_channel: "私聊，只有你们两个",
    thread: "子区 #{}",
    gap: "[这里缺了一些消息]",
    edited: "（改过）",
    shortened: " …（还有{}字）",
    picture_lost: "无法载入",
    picture: "第 {} 行的图片：",
    direct: "第 {} 行，{} 私聊你。",
    mention: "第 {} 行，{} @ 了你。",
    reply: "第 {} 行，{} 回复了你。",
    name: "第 {} 行，{} 叫了你的名字。",
    alone: "第 {} 行，{} 说的；这里没有别人，是对你说的。",
    says_to_you: "第 {} 行，{} 对你说：“{}”",
    says: "第 {} 行，{} 说：“{}”没人问你，想接就接。",
    deleted_address: "有人跟你说话，但那条消息后来删了。",
    also_line: "第 {} 行（{}）",
    also: "也在跟你说话的：{}。一次一起回应。",
    unasked: "没人跟你说话。第 {} 行（{} 说的）引起了你的注意，想接就接。",
    unasked_plainly: "没人跟你说话，想接就接。",
    waited: "没人跟你说话。你等的事来了：{}。",
    own_note: "你给自己的备注：“{}”。",
    person_wrote: "{} 说话了（第 {} 行）",
    word_fell: "有人提到“{}”（第 {} 行）",
    silent_for: "已经 {} 分钟没人说话",
    it_is_time: "时间到了",
    wait_fulfilled: "等到了",
    remind: "提醒{}的时间到了：“{}”。现在用自己的话提醒，用 @ 叫对方。",
    remind_all: "该提醒了：“{}”。现在用自己的话说出来。",
    reminder: "- 你会提醒{}，时间 {}：“{}”",
    everybody: "大家",
    lull: "没人跟你说话。这里之前很热闹，现在 {} 分钟没人说话了，你可以起个新话头。",
    opening: "没人跟你说话。这是你一天里可以先开口的时候。",
    not_obliged: "没人等着你说，不合适就不说话。",
    waiting: "- 你在等：{}；备注：“{}”",
    until_person: "{} 说话",
    until_word: "提到“{}”",
    until_silent: "{} 分钟没人说话",
    or: "，或 ",
    earlier: "前面：{}",
    time: "现在是 {}。",
    doing: "你在：{}。",
    last_spoke: "你上次在这里说话是 {}前。",
    recent_feedback: [
        "不久前有人让你安静。",
        "最近大家希望你少说点。",
        "你刚说的没人接。",
        "正聊得起劲。",
        "最近大家挺喜欢你在。",
    ],
    between_sentences: "",
    spans: ["{} 分钟", "{} 小时", "{} 天", "{} 周", "{} 个月"],
    known: "（{}）",
    known_for: "认识 {}",
    just_met: "刚认识",
    talks_often: "常和你聊",
    list_comma: "，",
    thought: "你想：",
    called: "你调用了 {} {}：",
    failed: "你调用了 {} {}，失败：",
    said: "你说了：",
    unreadable: "你写了这些，里面没有动作，所以什么都没发生：",
    unread: "你写了这些，没能全部读懂（{}）：",
    go_on: "以上是你刚才调用的结果，请接着做。",
    left_out: "（结果 {} 字，这里略去；还需要就再调用一次）",
    todo_reminder: "你已经三轮没更新待办了：用 todo 更新，或者清空。",
    unsent: "你正要说这些时有人开口，所以没发出去：",
    session_note: "你开它的时候给自己记的话；只是备注，不是规则：",
    summed_up: "大意：",
    date_mark: "%-m月%-d日 周{} %H:%M",
    full_time: "%Y年%-m月%-d日 周{} %H:%M",
    weekdays: ["一", "二", "三", "四", "五", "六", "日"],
    templates: [
        template!("zh", "system.j2"),
        template!("zh", "system-small.j2"),
        template!("zh", "user.j2"),
        template!("zh", "closing.j2"),
        template!("zh", "repair.j2"),
        template!("zh", "wrap-up.j2"),
        template!("zh", "judge.j2"),
        template!("zh", "picture.j2"),
        template!("zh", "task.j2"),
        template!("zh", "task-so-far.j2"),
        template!("zh", "session-summary.j2"),
        template!("zh", "summary.j2"),
    ],
};

impl ContextWords {
    /// The table of a language.
    pub(super) fn from_language(language: Language) -> &'static Self {
        language.pick(&EN, &ZH)
    }

    /// `[14:05]` with the date.
    pub(super) fn format_dated_mark(&self, at: DateTime<Tz>) -> String {
        format!("[{}]", self.format_with_weekday(self.date_mark, at))
    }

    /// Date and time in full.
    pub(super) fn format_full_time(&self, at: DateTime<Tz>) -> String {
        self.format_with_weekday(self.full_time, at)
    }

    fn format_with_weekday(&self, pattern: &str, at: DateTime<Tz>) -> String {
        let weekday = self.weekdays[at.weekday().num_days_from_monday() as usize];
        at.format(&fill_pattern(pattern, &[weekday])).to_string()
    }
}

/// The words of a language that stand around what a prompt shows; `{}` are where values stand.
#[derive(Clone, Copy, Debug)]
pub struct PromptWords {
    /// What the companion is doing now.
    pub doing: &'static str,
    /// Which moment it is.
    pub time: &'static str,
    /// Everything that is long enough to be known again in an answer.
    pub patterns: [&'static str; 30],
}

/// The words of a prompt that no message should hold: for the guard over what models write.
pub fn prompt_words(language: Language) -> PromptWords {
    let words = ContextWords::from_language(language);
    let patterns = [
        words.direct_channel,
        words.gap,
        words.direct,
        words.mention,
        words.reply,
        words.name,
        words.alone,
        words.says_to_you,
        words.says,
        words.deleted_address,
        words.also,
        words.unasked,
        words.unasked_plainly,
        words.waited,
        words.own_note,
        words.remind,
        words.remind_all,
        words.lull,
        words.opening,
        words.not_obliged,
        words.last_spoke,
        words.thought,
        words.called,
        words.said,
        words.unreadable,
        words.unread,
        words.go_on,
        words.left_out,
        words.todo_reminder,
        words.unsent,
    ];
    PromptWords {
        doing: words.doing,
        time: words.time,
        patterns,
    }
}

/// A time in the persona's zone.
pub(super) fn to_local_time(at: Millis, zone: Tz) -> DateTime<Tz> {
    DateTime::<Utc>::from_timestamp_millis(at)
        .unwrap_or_default()
        .with_timezone(&zone)
}

/// `[14:05]`.
pub(super) fn format_time_mark(at: DateTime<Tz>) -> String {
    format!("[{:02}:{:02}]", at.hour(), at.minute())
}

/// Fills the `{}` of a pattern in order, in one pass: values are never read as patterns.
pub fn fill_pattern(pattern: &str, values: &[&str]) -> String {
    let mut out = String::with_capacity(pattern.len() + 32);
    let mut values = values.iter();
    for (index, part) in pattern.split("{}").enumerate() {
        if index > 0 {
            out.push_str(values.next().copied().unwrap_or_default());
        }
        out.push_str(part);
    }
    out
}
