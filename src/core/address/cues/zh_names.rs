//! The Chinese words people make a name's pet forms with, and tell everybody to let somebody act with. Data only.

/// What people put before a character of a name: 阿柚, 小柚. 啊 is 阿 mistyped.
pub const PREFIXES: &[char] = &['阿', '啊', '小', '老', '大'];

/// What people put behind it: 柚子, 周哥.
pub const SUFFIXES: &[char] = &[
    '子', '儿', '酱', '宝', '总', '神', '头', '哥', '弟', '叔', '爷', '姐', '妹', '姨', '妈',
];

/// Longer ones.
pub const LONG_SUFFIXES: &[&str] = &["老板", "老大", "姐姐", "哥哥", "宝宝", "同学"];

/// Those that are said of men, and of women.
pub const OF_MEN: &[char] = &['哥', '弟', '叔', '爷'];
pub const OF_WOMEN: &[char] = &['姐', '妹', '姨', '妈'];

/// Before a name these tell everybody to let it act, …
pub const LETS: &[char] = &['让', '叫', '请', '喊'];

/// … behind nothing but an opening or one of these, …
pub const BEFORE_LETS: &[&str] = &[
    "要不",
    "要不然",
    "不如",
    "还是",
    "还是得",
    "干脆",
    "不然",
    "要么",
    "就",
    "就得",
    "得",
    "必须",
    "应该",
    "下次",
    "先",
    "快",
    "建议",
];

/// … with these between the name and the verb, …
pub const BEFORE_ASKED: &[char] = &['来', '也', '先', '给', '咱', '们', '大', '家', '我', '俩'];

/// … if it is one of these or of `zh::ASKED_TO`.
pub const ASKED_THROUGH: &[&str] = &[
    "推荐", "选", "定", "决定", "回答", "答", "介绍", "解释", "安排", "念", "唱", "出", "挑", "点",
    "建议", "评",
];

/// Greetings after which even a word that may be a thing is a name: "晚安柚子".
pub const HAILS: &[&str] = &[
    "嗨",
    "嘿",
    "喂",
    "哈喽",
    "你好",
    "早",
    "早安",
    "早啊",
    "早呀",
    "午安",
    "晚安",
    "早上好",
    "中午好",
    "下午好",
    "晚上好",
    "谢谢",
    "多谢",
    "谢啦",
    "感谢",
    "对不起",
    "抱歉",
    "欢迎回来",
    "恭喜",
    "辛苦了",
    "再见",
    "拜拜",
    "生日快乐",
    "新年快乐",
    "加油",
];
