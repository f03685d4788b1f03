//! The Chinese words around a name that show it is a call, or is not. Data only.

/// Said before a name that ends its clause.
pub const GREETS: &[&str] = &[
    "嗨",
    "嘿",
    "喂",
    "哈喽",
    "哈啰",
    "哈罗",
    "你好",
    "您好",
    "早",
    "早安",
    "午安",
    "晚安",
    "早上好",
    "中午好",
    "下午好",
    "晚上好",
    "谢谢",
    "多谢",
    "感谢",
    "谢谢你",
    "谢谢啦",
    "谢啦",
    "对不起",
    "抱歉",
    "不好意思",
    "欢迎",
    "欢迎回来",
    "恭喜",
    "拜托",
    "求求",
    "亲爱的",
    "辛苦",
    "辛苦了",
    "再见",
    "拜拜",
    "加油",
    "生日快乐",
    "新年快乐",
    "好的",
    "是的",
    "好吧",
    "对",
    "嗯",
    "嗯嗯",
    "哎",
    "诶",
    "哦",
    "哈哈",
    "哈哈哈",
    "笑死",
    "天哪",
    "救命",
    "想你",
    "想你了",
    "爱你",
    "等等",
    "快来",
    "快看",
    "请问",
    "呐",
    "哇",
    "早呀",
    "早啊",
    "没事",
    "不是",
    "真的",
    "确实",
    "可以",
    "行",
    "不行",
    "收到",
    "话说",
    "所以",
    "那",
    "那么",
    "懂了",
    "明白",
    "我爱你",
    "下次见",
    "回头见",
    "晚上见",
    "明天见",
];

/// After a name that opens a clause, whatever follows.
pub const YOU: &[char] = &['你', '您'];

/// After a name that opens a clause, unless the thing is told as done.
pub const AFTER_FIRST: &[&str] = &[
    "帮我",
    "帮忙",
    "帮个",
    "帮一下",
    "帮大家",
    "在吗",
    "在么",
    "在嘛",
    "在不在",
    "在不",
    "在线吗",
    "快来",
    "快看",
    "快说",
    "快出来",
    "出来",
    "来一下",
    "来看",
    "来玩",
    "来聊",
    "来评",
    "来说",
    "来讲",
    "来一个",
    "来一首",
    "说句",
    "说说",
    "说话",
    "讲讲",
    "讲个",
    "看看",
    "看一下",
    "看这",
    "听我",
    "救我",
    "救命",
    "怎么看",
    "怎么想",
    "怎么说",
    "觉得呢",
    "觉得怎",
    "觉得如何",
    "晚安",
    "早安",
    "早上好",
    "早啊",
    "早呀",
    "中午好",
    "下午好",
    "晚上好",
    "生日快乐",
    "新年快乐",
    "加油",
    "谢谢",
    "谢啦",
    "对不起",
    "抱歉",
    "别",
    "要不要",
    "想不想",
    "能不能",
    "可不可以",
    "可以帮",
    "能帮",
    "能给",
    "给我",
    "给大家",
    "醒醒",
    "起床",
    "等等我",
    "等一下",
    "等我",
    "推荐",
    "介绍",
    "翻译",
    "告诉我",
    "教我",
    "陪我",
    "请问",
    "想问",
    "我跟你",
    "我问",
    "我告诉",
    "过来",
    "救救",
    "喜欢什么",
    "喜欢吃什么",
    "有空吗",
    "有空没",
    "忙吗",
    "忙不忙",
    "记得",
    "冲",
    "不许",
    "不准",
    "安静",
    "闭嘴",
    "拜拜",
    "再见",
    "好久不见",
    "欢迎",
    "回我",
    "回一下",
    "想我",
    "借我",
    "请我",
    "叫一下",
    "干啥呢",
    "干嘛呢",
    "在干嘛",
    "在干啥",
    "忙啥",
    "求带",
    "求求",
    "求救",
    "带我",
    "带带",
    "拉我",
    "接我",
    "教教",
    "听好",
    "睡吧",
    "走不走",
    "去不去",
    "来不来",
    "打不打",
    "吃不吃",
    "起来",
    "救场",
    "来嘛",
    "来吧",
    "来呀",
    "来啊",
    "走吧",
    "走啦",
    "走啊",
    "来找我",
    "来我家",
    "来陪我",
    "来接我",
    "说实话",
    "老实说",
    "说真的",
    "讲真",
];

/// Before "你", what its owner does or thinks about somebody else: "说你错了", "要你过去".
pub const REPORTS: &[&str] = &[
    "说", "讲", "觉得", "以为", "要", "嫌", "问", "猜", "比", "是", "在",
];

/// After a name and before nothing but particles: "小雨牛逼", "小雨早啊".
#[rustfmt::skip]
pub const PRAISE: &[&str] = &[
    "牛逼", "牛批", "牛", "威武", "厉害", "太强了", "好强", "真棒", "好棒", "可以啊", "早", "好", "yyds", "nb", "666",
    "辛苦了", "辛苦啦", "辛苦",
];

/// Verbs that ask for something when doubled right after a name: "小雨看看这个".
pub const ASKED_TO: &[char] = &[
    '看', '说', '讲', '听', '评', '帮', '救', '猜', '试', '想', '教', '带', '抱', '贴', '查', '问',
    '算', '来', '等', '瞧', '醒', '亲', '摸', '求',
];

/// What makes "小雨觉得…" a question to her.
pub const ASKS: &[&str] = &[
    "哪", "什么", "啥", "怎", "吗", "呢", "如何", "谁", "几", "？", "?",
];

/// What shows, after a name and a space, that the rest is meant for the person.
pub const REACHES: &[&str] = &[
    "你",
    "您",
    "咱",
    "吗",
    "呗",
    "嘛",
    "？",
    "?",
    "没",
    "问个",
    "在不",
    "快",
    "上号",
    "我一下",
    "给我",
    "帮我",
    "发我",
    "借我",
    "叫我",
];

/// What follows makes it a report: "小雨出来了".
pub const DONE: &[char] = &['了', '过', '的'];

/// The character before a name at the very end: "你去吗小雨".
pub const BEFORE_LAST: &[char] = &[
    '吗', '呢', '吧', '啊', '呀', '嘛', '么', '哈', '哦', '噢', '啦', '哇', '呗', '诶', '喔', '咯',
    '哟', '耶',
];

/// Ends of what is said to somebody whose name follows: "看到没小雨", "笑死我了小雨".
pub const ENDS: &[&str] = &[
    "没",
    "你",
    "您",
    "我了",
    "跟你讲",
    "跟你说",
    "告诉你",
    "不见",
    "再见",
    "我的",
    "真的",
    "假的",
    "好的",
    "是的",
    "会的",
    "行的",
    "以的",
    "哪了",
    "行了",
    "够了",
    "得了",
    "算了",
    "完了",
    "服了",
    "绝了",
    "好了",
    "对了",
    "麻烦了",
    "辛苦了",
    "错了",
    "求了",
    "不在",
    "再来一个",
    "哪个",
    "几个",
    "你了",
    "你定",
    "儿见",
    "会见",
    "天见",
    "回见",
    "周见",
    "上见",
    "下见",
    "会儿见",
    "下了",
    "了叫我",
];

/// How a short clause begins that asks somebody to do or leave something: "别闹小雨".
pub const URGES: &[char] = &['别', '快', '来', '走', '滚', '请'];

/// Ends after which a name is what is spoken about: "喜欢小雨", "别理小雨".
pub const TAKES_NAME: &[char] = &[
    '下', '减', '多', '相', '少', '管', '问', '找', '跟', '给', '和', '与', '是', '叫', '像', '喊',
    '理', '惹', '骂', '打', '拉', '带', '陪', '看', '听', '等', '请', '让', '把', '被', '对', '比',
    '抱', '亲', '踢', '提', '学', '欢', '厌', '念', '识', '持', '信', '慕', '负', '黑', '意', '服',
    '疼', '谢', '疑', '见', '到', '系', '知', '醒', '荐', '访', '扬', '败', '记', '得', '替', '绍',
    '注', '贺', '怜', '待', '护', '顾', '嫁', '娶', '抄', '加', '删', '蔽', '报', '诉', '投', '怼',
    '夸', '损', '接', '送', '追', '躲', '瞒', '骗', '坑', '宠', '养', '咬', '撸', '摸', '揉', '遛',
    '催', '赢', '吃', '喝', '煮', '买', '卖', '抽', '于', '当', '成', '为', '爱', '想', '有', '在',
    '怪', '靠', '帮', '救', '求', '欺', '气', '逗', '的', '个', '位', '只', '这', '那', '因', '连',
    '除', '向', '从', '往', '同', '过', '着', '名', '属', '选', '用', '最', '家', '们', '老', '新',
    '女', '男', '做', '指', '亏', '忘', '换', '杀', '封', '约', '禁', '罚', '劝', '认', '遇',
];

/// Sounds that say nothing but open what is said.
pub const SOUNDS: &[char] = &[
    '哈', '呜', '诶', '哎', '欸', '哇', '啊', '嘿', '嘻', '嗷', '呀', '哦', '噢', '唉', '嗯', '额',
    '呃', '喂', '嗨', '嘤', '呵', '咦', '嗐', '呐', '哼',
];

/// Words that open what is said.
pub const OPENERS: &[&str] = &[
    "所以",
    "话说",
    "对了",
    "不过",
    "但是",
    "可是",
    "然后",
    "那",
    "那么",
    "笑死",
    "笑死我了",
    "救命",
    "天哪",
    "天啊",
    "妈呀",
    "卧槽",
    "我去",
    "我靠",
    "靠",
    "好家伙",
    "真的",
    "确实",
    "不是",
    "等等",
    "等下",
    "等一下",
    "我的",
    "其实",
    "还有",
    "而且",
    "好吧",
    "行吧",
    "好的",
    "可以",
    "好",
    "行",
    "来",
    "快",
    "我说",
    "好了",
    "完了",
];

/// Apologies.
pub const SORRY: &[&str] = &["对不起", "抱歉", "不好意思"];

/// Particles and titles that may stand between a name and what shows the call.
pub const TITLES: &[&str] = &[
    "同学", "老师", "大佬", "大人", "宝宝", "酱", "桑", "总", "姐姐", "哥哥", "姐", "哥", "啊",
    "呀", "呐", "诶", "哎", "喂", "～", "~",
];

/// Characters that join two names in a list.
pub const JOINS: &[char] = &['、', '和', '跟', '与', '及'];

/// Before "我" these make a name what is spoken about after all: "是我小雨".
pub const WITH_ME: &[char] = &['是', '和', '跟', '像', '到', '给', '比', '叫'];

/// What shows that a clause ending with 了 is complete, whatever its verb: "把灯关了小雨", "那就定了小雨".
pub const SETTLES: &[char] = &[
    '太', '那', '该', '要', '都', '把', '就', '别', '快', '哪', '终', '已',
];

/// After 求, what somebody does rather than is asked for: "求婚", "求我".
pub const BEGS: &[char] = &['婚', '职', '学', '饶', '我', '你', '他', '她', '了'];

/// Last characters of words for times and manners, which stand before 你 as often as names do: "夏天你打算去哪".
pub const TIMES: &[char] = &['天', '年', '月', '末', '晚', '上', '时', '季', '明'];

/// How what is asked of somebody ends: "nico晚上吃什么你定".
pub const UP_TO_YOU: &[&str] = &["你定", "你选", "你呢", "你说呢", "你说了算", "你看呢"];

/// Verbs whose object an everyday word may well be: "好吃吧年糕".
pub const HANDLES: &[char] = &[
    '吃', '喝', '买', '点', '要', '煮', '炒', '拿', '尝', '带', '用', '养', '看',
];

/// What a line asks its listener for at its end: "伞借我".
pub const FOR_ME: &[&str] = &[
    "借我",
    "发我",
    "给我",
    "帮我",
    "教我",
    "等我",
    "叫我",
    "喊我",
    "回我",
    "拉我",
    "带我",
    "告诉我",
    "通知我",
    "还我",
];

/// … unless one of these shows that it is told of somebody: "小雨说借我".
pub const TOLD: &[char] = &[
    '说', '让', '会', '没', '不', '肯', '把', '又', '就', '的', '她', '他', '要', '想', '能', '都',
];

/// After a name, "我" and what makes the name the object: "小雨我认识".
pub const I_KNOW: &[&str] = &[
    "我认识",
    "我知道",
    "我也",
    "我见",
    "我问",
    "我熟",
    "我觉得",
    "我喜欢",
    "我不认识",
    "我加",
    "我看",
];

/// What a line ends with that is not done.
pub const OPEN_ENDS: &[&str] = &[
    "然后",
    "就是",
    "因为",
    "但是",
    "所以",
    "而且",
    "还有",
    "那个",
    "如果",
    "不过",
    "比如",
    "话说",
    "对了",
    "以及",
    "结果",
    "等等",
    "等下",
    "你觉得",
    "能不能",
    "可不可以",
    "想问",
    "想问一下",
    "请问",
    "你说",
    "帮我",
];

/// How a short question ends that asks how far somebody is: "起了没", "吃了吗" …
pub const ASKS_HOW_FAR: &[&str] = &["没", "了吗", "了没有", "了么"];

/// … unless it begins with one of these: "来了没" asks the others.
pub const COMES: &[char] = &['来', '走', '还', '都', '也', '有'];
