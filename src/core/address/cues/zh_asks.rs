//! The Chinese words that show a question or thanks. Data only.

/// Ends of a question, before its marks.
pub const ASKING_ENDS: &[char] = &['吗', '呢', '嘛', '么'];

/// Words of a question.
pub const ASKING: &[&str] = &[
    "什么",
    "怎么",
    "怎样",
    "为啥",
    "为什么",
    "咋",
    "哪",
    "多少",
    "几点",
    "几个",
    "几号",
    "是不是",
    "有没有",
    "能不能",
    "会不会",
    "要不要",
    "好不好",
    "行不行",
    "可不可以",
    "谁",
];

/// What a question begins with that asks whether somebody can, or has something to say.
pub const ABLE: &[&str] = &[
    "能",
    "可以",
    "有空",
    "有推荐",
    "有建议",
    "有什么建议",
    "有什么推荐",
    "有啥建议",
    "有啥推荐",
    "有没有建议",
    "有没有推荐",
    "有主意",
    "有办法",
    "有什么主意",
    "有什么办法",
    "有什么想法",
    "有什么好",
    "有啥主意",
    "有啥办法",
    "会是",
    "知道",
    "看过",
    "听过",
    "去过",
    "吃过",
    "玩过",
    "现在几点",
];

/// Times that open the question what somebody is up to …
#[rustfmt::skip]
pub const TIMES: &[&str] = &[
    "今晚", "今天", "明天", "明晚", "明早", "后天", "晚上", "下午", "现在", "周末", "周一", "周二", "周三", "周四", "周五", "周六",
    "周日", "星期天", "下周",
];

/// … and what it asks.
pub const UP_TO: &[&str] = &[
    "干嘛",
    "干啥",
    "干什么",
    "忙啥",
    "忙什么",
    "有空",
    "忙吗",
    "忙不忙",
];

/// After "怎么", what asks of somebody and not how something is done: "怎么说", "怎么没来".
pub const NOT_HOW: &[char] = &[
    '说', '了', '没', '还', '又', '样', '这', '那', '不', '回', '来',
];

/// After a name, what is said of its owner: "小雨的猫", "小雨说什么了".
pub const OF_THEM: &[&str] = &["的", "说", "讲", "家", "和", "跟", "与", "他", "她"];

/// Thanks that end a clause.
pub const THANKS: &[&str] = &["谢谢你", "谢谢", "多谢", "感谢", "谢了", "谢啦", "辛苦了"];
