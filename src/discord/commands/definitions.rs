//! The commands Discord shows: `/kith` with its sub-commands, and four entries in the menu of a message. Data only;
//! `request.rs` reads what comes back.

use kith_core::talkativeness::Talkativeness;
use serde_json::{Map, Value, json};

/// The slash command.
pub(super) const KITH: &str = "kith";
/// The menu entry that explains a message.
pub(super) const WHY: &str = "Why?";
/// The menu entry that deletes one of the companion's own messages.
pub(super) const TAKE_BACK: &str = "Take it back";
/// The menu entry that forgets a message.
pub(super) const FORGET_THIS: &str = "Forget this";
/// The menu entry that keeps a picture of a message, or keeps it no more.
pub(super) const KEEP_STICKER: &str = "Keep as sticker";

/// The most choices Discord takes for an option.
const MOST_CHOICES: usize = 25;
/// The longest name of a choice, in characters.
const LONGEST_CHOICE: usize = 100;
/// The longest text that is taken for a time or a number.
const LONGEST_TIME: u32 = 32;

/// Kinds of commands.
mod kind {
    pub const SLASH: u8 = 1;
    pub const MESSAGE_MENU: u8 = 3;
}

/// Kinds of options.
mod option {
    pub const SUB_COMMAND: u8 = 1;
    pub const GROUP: u8 = 2;
    pub const STRING: u8 = 3;
    pub const CHANNEL: u8 = 7;
    pub const NUMBER: u8 = 10;
}

/// Where messages can be written, or threads with messages hang: text, voice, announcements, three kinds of threads,
/// stages and forums.
const TEXT_CHANNELS: [u8; 8] = [0, 2, 5, 10, 11, 12, 13, 15];

/// What the host's settings say about the commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandSettings {
    /// The personas there are to choose from.
    pub personas: Vec<String>,
    /// The most talkativeness that can be set, 0 … 1.
    pub max_talkativeness: f32,
}

/// A text in English, simplified and traditional Chinese.
struct Words(&'static str, &'static str, &'static str);

/// Every command, as the bulk overwrite takes them.
pub fn definitions(offered: &CommandSettings) -> Vec<Value> {
    vec![
        build_slash_command(offered),
        build_menu_command(Words(WHY, "为什么？", "為什麼？"), &[0, 1]),
        build_menu_command(Words(TAKE_BACK, "收回这句", "收回這句"), &[0, 1]),
        build_menu_command(Words(FORGET_THIS, "忘掉这条", "忘掉這則"), &[0, 1]),
        build_menu_command(Words(KEEP_STICKER, "留作贴纸", "留作貼圖"), &[0]),
    ]
}

fn build_slash_command(offered: &CommandSettings) -> Value {
    let mut options = build_setting_commands(offered);
    options.extend(build_persona_command(&offered.personas));
    options.extend(build_channel_commands());
    options.extend(build_privacy_commands());
    let mut command = build_labels(
        Words(KITH, "kith", "kith"),
        Words(
            "Ask the companion about itself, or set it up",
            "询问它的情况，或设置它",
            "詢問它的情況，或設定它",
        ),
    );
    command.extend(into_fields(
        json!({ "type": kind::SLASH, "contexts": [0, 1], "integration_types": [0] }),
    ));
    command.insert("options".into(), options.into());
    Value::Object(command)
}

fn build_setting_commands(offered: &CommandSettings) -> Vec<Value> {
    vec![
        build_sub_command(
            Words("status", "状态", "狀態"),
            Words(
                "Mode, model, budget and how often it speaks",
                "模式、模型、预算，以及它多久说一次话",
                "模式、模型、預算，以及它多久說一次話",
            ),
            vec![],
        ),
        build_sub_command(
            Words("why", "为什么", "為什麼"),
            Words(
                "Why it spoke or kept silent at the newest message",
                "它对最新一条消息为什么说话或沉默",
                "它對最新一則訊息為什麼說話或沉默",
            ),
            vec![],
        ),
        build_mode_command(
            Words("on", "开启", "開啟"),
            Words(
                "It reads and speaks in a channel",
                "让它在频道里阅读并发言",
                "讓它在頻道裡閱讀並發言",
            ),
        ),
        build_mode_command(
            Words("observe", "旁观", "旁觀"),
            Words(
                "It reads along in a channel and never speaks",
                "让它在频道里只看不说",
                "讓它在頻道裡只看不說",
            ),
        ),
        build_mode_command(
            Words("off", "关闭", "關閉"),
            Words(
                "It neither reads nor speaks in a channel",
                "让它在频道里不看也不说",
                "讓它在頻道裡不看也不說",
            ),
        ),
        build_sub_command(
            Words("talkativeness", "健谈程度", "健談程度"),
            Words(
                "How readily it speaks unasked",
                "没人叫它时，它有多爱说话",
                "沒人叫它時，它有多愛說話",
            ),
            vec![
                build_level_option(offered.max_talkativeness),
                build_hourly_option(offered.max_talkativeness),
                build_scope_option(),
            ],
        ),
    ]
}

fn build_channel_commands() -> Vec<Value> {
    vec![
        build_sub_command(
            Words("pause", "暂停", "暫停"),
            Words(
                "Nobody is answered in this channel for a while",
                "在这个频道里暂时不回答任何人",
                "在這個頻道裡暫時不回答任何人",
            ),
            vec![build_time_option()],
        ),
        build_sub_command(
            Words("fresh", "重新开始", "重新開始"),
            Words(
                "What was said until now is left out of its context here; nothing is deleted",
                "它在这里不再看之前的对话；不会删除任何东西",
                "它在這裡不再看之前的對話；不會刪除任何東西",
            ),
            vec![],
        ),
        build_sub_command(
            Words("sessions", "会话", "會話"),
            Words(
                "The threads it opened with settings of their own",
                "它开的、有自己设置的子区",
                "它開的、有自己設定的討論串",
            ),
            vec![build_close_option()],
        ),
        build_sub_command(
            Words("reset", "恢复设置", "恢復設定"),
            Words(
                "Takes back what was set by commands",
                "撤销用命令做的设置",
                "撤銷用指令做的設定",
            ),
            vec![build_scope_option()],
        ),
    ]
}

fn build_privacy_commands() -> Vec<Value> {
    vec![
        build_group(
            Words("forget", "忘记", "忘記"),
            Words("Erases what is kept", "删除保存的内容", "刪除保存的內容"),
            build_sub_command(
                Words("me", "我", "我"),
                Words(
                    "Erases everything you wrote and every trace of you",
                    "删除你写的一切和关于你的一切痕迹",
                    "刪除你寫的一切和關於你的一切痕跡",
                ),
                vec![build_forget_scope_option()],
            ),
        ),
        build_group(
            Words("export", "导出", "匯出"),
            Words("Hands out what is kept", "导出保存的内容", "匯出保存的內容"),
            build_sub_command(
                Words("me", "我", "我"),
                Words(
                    "Everything that is kept about you, as a file",
                    "把保存的关于你的一切做成文件给你",
                    "把保存的關於你的一切做成檔案給你",
                ),
                vec![],
            ),
        ),
        build_sub_command(
            Words("optout", "隐私", "隱私"),
            Words(
                "How it treats what you write from now on",
                "从现在起它怎样对待你写的内容",
                "從現在起它怎樣對待你寫的內容",
            ),
            vec![build_opt_out_option()],
        ),
    ]
}

/// In servers (0) and direct messages (1), or in one of them.
fn build_menu_command(name: Words, contexts: &[u8]) -> Value {
    let mut command = build_name_fields(name);
    command.extend(into_fields(
        json!({ "type": kind::MESSAGE_MENU, "contexts": contexts, "integration_types": [0] }),
    ));
    Value::Object(command)
}

fn build_sub_command(name: Words, description: Words, options: Vec<Value>) -> Value {
    let mut sub = build_labels(name, description);
    sub.insert("type".into(), option::SUB_COMMAND.into());
    sub.insert("options".into(), options.into());
    Value::Object(sub)
}

fn build_group(name: Words, description: Words, only: Value) -> Value {
    let mut group = build_labels(name, description);
    group.extend(into_fields(
        json!({ "type": option::GROUP, "options": [only] }),
    ));
    Value::Object(group)
}

fn build_mode_command(name: Words, description: Words) -> Value {
    let which = Words(
        "The channel; this one if you name none",
        "哪个频道；不填就是这个频道",
        "哪個頻道；不填就是這個頻道",
    );
    let mut channel = build_labels(Words("channel", "频道", "頻道"), which);
    channel.extend(into_fields(
        json!({ "type": option::CHANNEL, "channel_types": TEXT_CHANNELS }),
    ));
    build_sub_command(name, description, vec![channel.into()])
}

fn build_level_option(most: f32) -> Value {
    // Through its decimal form: 0.3 as f32 is 0.30000001192092896 as f64.
    let most: f64 = most.to_string().parse().unwrap_or(1.0);
    let shown = Words(
        "From 0, shy, to 1, chatty",
        "从 0（害羞）到 1（健谈）",
        "從 0（害羞）到 1（健談）",
    );
    let mut level = build_labels(Words("level", "程度", "程度"), shown);
    level.extend(into_fields(
        json!({ "type": option::NUMBER, "min_value": 0.0, "max_value": most }),
    ));
    level.into()
}

fn build_hourly_option(most: f32) -> Value {
    let shown = Words(
        "Instead: about so many unasked messages an hour",
        "或者：每小时大约主动说几条",
        "或者：每小時大約主動說幾則",
    );
    let mut hourly = build_labels(Words("hourly", "每小时", "每小時"), shown);
    let most = Talkativeness::Level(most).hourly_rate().floor();
    hourly.extend(into_fields(
        json!({ "type": option::NUMBER, "min_value": 0.0, "max_value": most }),
    ));
    hourly.into()
}

/// Where there is only one persona there is nothing to choose.
fn build_persona_command(offered: &[String]) -> Option<Value> {
    if offered.len() < 2 {
        return None;
    }
    let mut name = build_labels(
        Words("name", "名字", "名字"),
        Words(
            "One of the personas of this host",
            "从这里提供的人设中选一个",
            "從這裡提供的人設中選一個",
        ),
    );
    name.extend(into_fields(
        json!({ "type": option::STRING, "required": true }),
    ));
    if offered.len() <= MOST_CHOICES
        && offered
            .iter()
            .all(|name| name.chars().count() <= LONGEST_CHOICE)
    {
        let choices = offered
            .iter()
            .map(|name| json!({ "name": name, "value": name }))
            .collect();
        name.insert("choices".into(), choices);
    }
    let description = Words("Who the companion is", "它是谁", "它是誰");
    Some(build_sub_command(
        Words("persona", "人设", "人設"),
        description,
        vec![name.into(), build_scope_option()],
    ))
}

fn build_time_option() -> Value {
    let mut time = build_labels(
        Words("time", "时长", "時長"),
        Words(
            "For example 30m, 2h or 1d; 0 ends a pause",
            "例如 30m、2h 或 1d；0 表示结束暂停",
            "例如 30m、2h 或 1d；0 表示結束暫停",
        ),
    );
    time.extend(into_fields(
        json!({ "type": option::STRING, "required": true, "max_length": LONGEST_TIME }),
    ));
    time.into()
}

fn build_close_option() -> Value {
    let mut close = build_labels(
        Words("close", "关闭", "關閉"),
        Words(
            "The number of one that is to be closed",
            "要关掉的会话的编号",
            "要關掉的會話的編號",
        ),
    );
    close.extend(into_fields(
        json!({ "type": option::STRING, "max_length": LONGEST_TIME }),
    ));
    close.into()
}

fn build_scope_option() -> Value {
    build_choice_option(
        Words("where", "范围", "範圍"),
        Words(
            "This channel, if you choose nothing",
            "不选就只是这个频道",
            "不選就只是這個頻道",
        ),
        vec![
            (Words("this channel", "这个频道", "這個頻道"), "here"),
            (Words("the whole server", "整个服务器", "整個伺服器"), "all"),
        ],
    )
}

fn build_forget_scope_option() -> Value {
    build_choice_option(
        Words("where", "范围", "範圍"),
        Words(
            "This server, if you choose nothing",
            "不选就只是这个服务器",
            "不選就只是這個伺服器",
        ),
        vec![
            (Words("this server", "这个服务器", "這個伺服器"), "here"),
            (Words("everywhere", "所有地方", "所有地方"), "all"),
        ],
    )
}

fn build_opt_out_option() -> Value {
    let mut how = build_choice_option(
        Words("how", "方式", "方式"),
        Words("What you want", "你想要的方式", "你想要的方式"),
        vec![
            (
                Words(
                    "don't remember me: answered, my text is gone in 24 hours",
                    "别记住我：照常回答，我的文字 24 小时内删除",
                    "別記住我：照常回答，我的文字 24 小時內刪除",
                ),
                "dont_remember",
            ),
            (
                Words(
                    "ignore me: not read, not stored, not answered",
                    "忽略我：不读、不存、不回答",
                    "忽略我：不讀、不存、不回答",
                ),
                "ignore",
            ),
            (
                Words(
                    "remember me: like everybody",
                    "记住我：和大家一样",
                    "記住我：和大家一樣",
                ),
                "remember",
            ),
        ],
    );
    how["required"] = true.into();
    how
}

fn build_choice_option(name: Words, description: Words, choices: Vec<(Words, &str)>) -> Value {
    let choices: Vec<Value> = choices
        .into_iter()
        .map(|(name, value)| {
            let mut choice = build_name_fields(name);
            choice.insert("value".into(), value.into());
            choice.into()
        })
        .collect();
    let mut option = build_labels(name, description);
    option.extend(into_fields(
        json!({ "type": option::STRING, "choices": choices }),
    ));
    option.into()
}

fn build_labels(name: Words, description: Words) -> Map<String, Value> {
    let mut labelled = build_name_fields(name);
    labelled.insert("description".into(), description.0.into());
    labelled.insert(
        "description_localizations".into(),
        json!({ "zh-CN": description.1, "zh-TW": description.2 }),
    );
    labelled
}

fn build_name_fields(name: Words) -> Map<String, Value> {
    into_fields(
        json!({ "name": name.0, "name_localizations": { "zh-CN": name.1, "zh-TW": name.2 } }),
    )
}

fn into_fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
