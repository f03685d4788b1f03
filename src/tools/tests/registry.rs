//! The registry: what the model is told of the tools, and that whatever a tool does, a result comes back.

use std::sync::Arc;
use std::time::Duration;

use kith_core::call::{CallPreview, ToolCall, ToolKind, ToolResult};
use kith_core::chat::{ChannelId, GuildId, ProposalId};
use kith_core::moderation::ModerationKind;
use kith_core::persona::{Language, Persona, PersonaSchedule};
use kith_tools::{
    Tool, ToolContext, ToolDescription, ToolHost, ToolRegistry, build_moderation_specs,
};
use serde_json::{Value, json};

struct NoHost;

impl ToolHost for NoHost {}

/// 2026-03-01 12:30:05 UTC, a Sunday.
pub const NOW: i64 = 1_772_368_205_000;

/// A context with nothing remembered.
pub fn context(language: Language) -> ToolContext {
    let store = kith_store::Store::open_in_memory().unwrap();
    let schedule = PersonaSchedule {
        timezone: chrono_tz::Europe::Berlin,
        day: Vec::new(),
    };
    let persona = Arc::new(Persona {
        language,
        schedule: Some(schedule),
        ..Persona::default()
    });
    let host = Arc::new(NoHost);
    ToolContext {
        guild: Some(GuildId(2)),
        ..ToolContext::new(ChannelId(1), persona, store, host, NOW)
    }
}

pub fn call(name: &str, params: Value) -> ToolCall {
    ToolCall {
        name: name.into(),
        params: params.as_object().cloned().unwrap_or_default(),
    }
}

async fn get_time(params: Value) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call("get_time", params), context(Language::EN))
        .await
}

fn describe_tools(language: Language) -> String {
    let registry = ToolRegistry::load_builtin();
    let specs = registry.specs(language);
    let lines: Vec<String> = specs
        .iter()
        .map(|spec| {
            let params: Vec<String> = spec
                .schema
                .params
                .iter()
                .map(|param| {
                    let optional = if param.required { "" } else { "?" };
                    let note = if param.description.is_empty() {
                        ""
                    } else {
                        ": "
                    };
                    format!("{}{optional}{note}{}", param.name, param.description)
                })
                .collect();
            let primary = spec.primary.as_deref().unwrap_or("-");
            format!(
                "{:?} {} [{primary}] {} ({})",
                spec.kind,
                spec.name,
                spec.description,
                params.join("; ")
            )
        })
        .collect();
    lines.join("\n")
}

#[test]
fn every_built_in_is_told_in_few_words() {
    insta::assert_snapshot!(describe_tools(Language::EN), @r#"
    Visible send_message [text] Post a message. (text; reply_to?: number of the line you answer)
    Visible react [emoji] Put an emoji on line `to` where words add nothing. (to; emoji)
    Visible stay_silent [reason] Say nothing this time. (reason?)
    Tool get_time [zone] The time now. (zone?: IANA zone; format?)
    Tool recall [query] Search older messages by words; dates as YYYY-MM-DD. (query; speaker?; since?; until?)
    Quiet core_memory_append [text] Add a lasting line to a core memory block, such as "Ben: exam in May". (label; text)
    Quiet core_memory_replace [new] Change what is true no more in a core memory block; empty `new` deletes. (label; old; new?)
    Quiet update_person [text] Keep a lasting fact about a member, such as "plays cello"; `old`: one it replaces; `due`: date; `line`: who said it. (name; text; kind?; old?; due?; line?)
    Quiet remember [text] Keep what happened here since `line`. (text; line?)
    Quiet wait_for [note] Wake once, with this note, for what you want yourself: `person` writes, `word` is said, after `minutes`, or at `time` (`tomorrow 9am`); drop it after `hours`. (note; person?; word?; minutes?; time?; hours?)
    Tool channel_history [before] Lines of this channel older than those you see; a page a call. (before?: YYYY-MM-DD HH:MM:SS)
    Tool server_info [-] This server: its name and channels. ()
    Tool list_emoji [-] The server's own emoji, for `react` and messages. ()
    Tool todo [list] Your list for something that takes several steps, a line each: `[ ]` to do, `[>]` the one you are at, `[x]` done. Give the whole list each time; nothing clears it. (list?)
    Tool task [task] Have something looked into that takes many steps. Who does it has your tools and sees nothing of this chat: say all that has to be known and what you want back. (task)
    Tool member_info [name] A member's names, roles and dates, by name or by a line they wrote. (name?; line?)
    Visible edit_message [text] Reword your line `line`, else your newest. (text; line?)
    Visible delete_own_message [-] Take back your line `line`, else your newest. (line?)
    Visible create_thread [name] Open a thread, at line `line` if given; `text` opens it. (name; text?; line?)
    Visible create_poll [question] Post a poll, open for `hours`. (question; answers: 2 to 10; hours?; several?: choose several)
    Visible send_sticker [name] Send a sticker; `?` as name lists them. (name)
    Quiet set_status [text] Show a status beside your name, to everybody everywhere; empty removes it. (text)
    Quiet remind [text] Remind who asked (`line`), at `when` (`friday 8pm`, `2026-03-01 18:30`) or in `minutes` or `hours`. (text; when?; minutes?; hours?; line?)
    Quiet compact [-] Sum up older lines of this chat now: from then on you see the summary in their place. ()
    Tool list_files [-] The text files of this session. ()
    Tool read_file [path] Read one of them. (path)
    Tool write_file [text] Write a text file of this session, in the place of one of that path. (path; text?)
    Tool delete_file [path] Delete one. (path)
    Tool calculate [expression] Calculate: `15% of 80`, `5 ft to cm`, `sqrt(2)`. (expression)
    Tool roll_dice [dice] Roll dice: `d20`, `2d6+1`. (dice)
    Tool random_choice [-] Pick one at random. (options)
    Tool web_fetch [url] Read a web page; `from` goes on where a long one was cut. (url; from?)
    Tool web_search [query] Search the web; `web_fetch` reads what it finds. (query)
    Visible create_session [label] Open a thread of its own for a topic that needs one, such as a quiz. system_prompt: what you keep in mind there; prompt: its first message; context=inherit takes along what was said here. (label; system_prompt?; prompt?; context?; profile?; vars?)
    Tool find_tools [query] More tools, by what they should do; what is found can be used from then on. (query)
    Tool activate_skill [name] How one of your skills is done. (name)
    Tool read_skill_resource [path] A file of one of your skills. (skill; path)
    Tool run_skill_script [script] Run a script of one of your skills. (skill; script; arguments?)
    "#);
}

#[test]
fn every_built_in_is_told_in_chinese_in_as_few() {
    insta::assert_snapshot!(describe_tools(Language::ZH), @r"
    Visible send_message [text] 发一条消息。 (text; reply_to?: 要回复的行号)
    Visible react [emoji] 用不着说话时给第 to 行贴表情。 (to; emoji)
    Visible stay_silent [reason] 这次不说话。 (reason?)
    Tool get_time [zone] 现在的时间。 (zone?: IANA 时区; format?)
    Tool recall [query] 按关键词搜以前的消息，日期写 YYYY-MM-DD。 (query; speaker?; since?; until?)
    Quiet core_memory_append [text] 给一块核心记忆加一行长久的事。 (label; text)
    Quiet core_memory_replace [new] 改核心记忆里不再对的文字；new 留空即删。 (label; old; new?)
    Quiet update_person [text] 记成员一件长久的事，例：“会拉琴”；old：被替换的；due：日期；line：谁说的。 (name; text; kind?; old?; due?; line?)
    Quiet remember [text] 记这里从 line 起的事。 (text; line?)
    Quiet wait_for [note] 想等什么时用，带着备注醒一次：person 说话、提到 word、minutes 分钟后，或到 time（“明天早上9点”）；hours 小时后作罢。 (note; person?; word?; minutes?; time?; hours?)
    Tool channel_history [before] 本频道里更早的消息，一次一页。 (before?: YYYY-MM-DD HH:MM:SS)
    Tool server_info [-] 这个服务器的名字和频道。 ()
    Tool list_emoji [-] 服务器自己的表情，可用于 `react` 和消息。 ()
    Tool todo [list] 要分几步做的事就列出来，一步一行：`[ ]` 要做，`[>]` 正在做的那一步，`[x]` 做完。每次写全部，留空即清空。 (list?)
    Tool task [task] 把要查很多步的事交出去做。做的人有你的工具，但看不到这里的聊天：要知道什么、要带回什么，都写清楚。 (task)
    Tool member_info [name] 成员的名字、身份组和日期，按名字或其一行消息。 (name?; line?)
    Visible edit_message [text] 改写你的第 line 行，默认最新一行。 (text; line?)
    Visible delete_own_message [-] 撤回你的第 line 行，默认最新一行。 (line?)
    Visible create_thread [name] 开一个子区，可从第 line 行开；text 是第一句话。 (name; text?; line?)
    Visible create_poll [question] 发起投票，开放 hours 小时。 (question; answers: 2 到 10 个; hours?; several?: 可多选)
    Visible send_sticker [name] 发贴纸；name 写 ? 列出全部。 (name)
    Quiet set_status [text] 在你名字旁显示状态，所有人都看得到；留空则去掉。 (text)
    Quiet remind [text] 别人要你提醒：when 写“周五晚上8点”或 2026-03-01 18:30，或写 minutes、hours；line 是谁要的。 (text; when?; minutes?; hours?; line?)
    Quiet compact [-] 现在就把这里较早的聊天概括起来：之后你看到的是概括，不再是原话。 ()
    Tool list_files [-] 这个会话的文本文件。 ()
    Tool read_file [path] 读其中一个。 (path)
    Tool write_file [text] 写一个文本文件；同名的会被替换。 (path; text?)
    Tool delete_file [path] 删掉一个。 (path)
    Tool calculate [expression] 算数和单位换算：`15% of 80`、`5 ft to cm`、`sqrt(2)`。 (expression)
    Tool roll_dice [dice] 掷骰子：`d20`、`2d6+1`。 (dice)
    Tool random_choice [-] 随机挑一个。 (options)
    Tool web_fetch [url] 读一个网页；太长时用 `from` 接着读。 (url; from?)
    Tool web_search [query] 搜索网络；找到的网页用 `web_fetch` 读。 (query)
    Visible create_session [label] 话题值得单开才另开子区，例：猜谜。system_prompt：你在那里要记住的；prompt：第一句话；context=inherit 带上这里说过的。 (label; system_prompt?; prompt?; context?; profile?; vars?)
    Tool find_tools [query] 按用途找更多工具，找到的接下来就能用。 (query)
    Tool activate_skill [name] 看某项技能怎么做。 (name)
    Tool read_skill_resource [path] 读某项技能的文件。 (skill; path)
    Tool run_skill_script [script] 运行某项技能的脚本。 (skill; script; arguments?)
    ");
}

#[test]
fn deeds_about_members_are_told_where_they_are_switched_on_and_nowhere_else() {
    let builtin = ToolRegistry::load_builtin().specs(Language::EN);
    assert!(
        builtin
            .iter()
            .all(|spec| ModerationKind::from_name(&spec.name).is_none())
    );
    for language in Language::ALL {
        let specs = build_moderation_specs(
            &[ModerationKind::DeleteMessage, ModerationKind::TimeoutMember],
            language,
        );
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["timeout_member", "delete_message"]);
        for spec in specs.iter() {
            let params: Vec<&str> = spec
                .schema
                .params
                .iter()
                .map(|param| param.name.as_str())
                .collect();
            assert!(
                !spec.description.is_empty() && spec.primary.as_deref() == Some("reason"),
                "{spec:?}"
            );
            assert!(
                params.contains(&"line") && params.contains(&"reason"),
                "{params:?}"
            );
        }
    }
}

#[test]
fn the_primary_parameter_of_every_built_in_exists() {
    for spec in ToolRegistry::load_builtin().specs(Language::EN).iter() {
        if let Some(primary) = &spec.primary {
            assert!(
                spec.schema
                    .params
                    .iter()
                    .any(|param| param.name == *primary),
                "{}",
                spec.name
            );
        }
    }
}

#[tokio::test]
async fn the_time_is_told_in_the_personas_zone_or_another() {
    assert_eq!(
        get_time(json!({})).await.content,
        "Sunday, 1 March 2026, 13:30 (Europe/Berlin, UTC+01:00)"
    );
    for (zone, told) in [
        ("tokyo", "21:30 (Asia/Tokyo, UTC+09:00)"),
        // As people write it; the zone of the name `Etc/GMT+8` is on the other side of the world.
        ("GMT+8", "20:30 (UTC+08:00)"),
        ("utc -3:30", "09:00 (UTC-03:30)"),
        ("+0530", "18:00 (UTC+05:30)"),
        ("Etc/GMT+8", "04:30 (UTC-08:00)"),
        ("utc", "12:30 (UTC)"),
    ] {
        let told = format!("Sunday, 1 March 2026, {told}");
        assert_eq!(get_time(json!({ "zone": zone })).await.content, told);
    }
    assert_eq!(
        get_time(json!({"zone": "UTC", "format": "ISO"}))
            .await
            .content,
        "2026-03-01T12:30:05Z"
    );
    assert_eq!(
        get_time(json!({"format": "timestamp"})).await.content,
        "1772368205"
    );
    let chinese = ToolRegistry::load_builtin()
        .run(
            call("get_time", json!({"zone": "Asia/Shanghai"})),
            context(Language::ZH),
        )
        .await;
    assert_eq!(
        chinese.content,
        "2026年3月1日 星期日 20:30 (Asia/Shanghai, UTC+08:00)"
    );
}

#[tokio::test]
async fn a_zone_nobody_knows_is_an_error_with_an_example() {
    let result = get_time(json!({"zone": "Middle Earth"})).await;
    assert!(result.is_error);
    assert_eq!(
        result.content,
        "there is no time zone \"Middle Earth\"; give an IANA name such as Europe/Berlin or Asia/Shanghai"
    );
}

#[tokio::test]
async fn wrong_parameters_and_unknown_tools_are_errors_the_model_can_read() {
    let wrong = get_time(json!({"format": "rfc"})).await;
    assert!(wrong.is_error);
    assert_eq!(
        wrong.content,
        "get_time: parameter `format` must be one of readable, iso, timestamp, not the text \"rfc\""
    );
    let unknown = ToolRegistry::load_builtin()
        .run(call("get_tiem", json!({})), context(Language::EN))
        .await;
    assert!(unknown.is_error);
    assert_eq!(unknown.content, "there is no tool `get_tiem`");
}

/// Misbehave.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Misbehaviour {
    how: String,
}

async fn misbehave(params: Misbehaviour, _: ToolContext) -> ToolResult {
    match params.how.as_str() {
        "hang" => std::future::pending().await,
        "flood" => ToolResult::ok("水".repeat(10_000)),
        _ => panic!("on purpose"),
    }
}

async fn run_misbehaving(how: &str) -> ToolResult {
    let registry = ToolRegistry::new([Tool::new(
        "misbehave",
        ToolKind::Tool,
        "Misbehave.".to_owned().into(),
        misbehave,
    )
    .time_out(Duration::from_millis(50))]);
    registry
        .run(
            call("misbehave", json!({"how": how})),
            context(Language::EN),
        )
        .await
}

#[tokio::test]
async fn a_tool_that_hangs_is_stopped() {
    let result = run_misbehaving("hang").await;
    assert!(result.is_error);
    assert_eq!(
        result.content,
        "misbehave took longer than 0.05 s and was stopped"
    );
}

#[tokio::test]
async fn a_tool_that_panics_gives_an_error_result() {
    let result = run_misbehaving("panic").await;
    assert!(result.is_error);
    assert_eq!(result.content, "misbehave failed inside; do without it");
}

#[tokio::test]
async fn a_result_that_is_too_long_is_cut_and_says_so() {
    let result = run_misbehaving("flood").await;
    assert!(!result.is_error);
    assert_eq!(
        result.content,
        format!(
            "{}\n[cut: the first 4000 of 10000 characters]",
            "水".repeat(4_000)
        )
    );
}

#[test]
fn of_two_tools_with_one_name_the_first_is_kept() {
    let again = || {
        Tool::new(
            "misbehave",
            ToolKind::Tool,
            "Misbehave.".to_owned().into(),
            misbehave,
        )
    };
    assert_eq!(
        ToolRegistry::new([again(), again()])
            .specs(Language::EN)
            .len(),
        1
    );
}

#[tokio::test]
async fn a_tool_that_asks_to_be_approved_knows_when_it_was_and_cannot_ask_twice() {
    let asks = |_, context: ToolContext| async move {
        match context.approved.is_some() {
            true => ToolResult::ok("done"),
            false => ToolResult::asks(CallPreview {
                preview: "delete 3 files".into(),
                params: None,
            }),
        }
    };
    let always = |_, _| async { ToolResult::pending("again") };
    let face = |name: &str| ToolDescription {
        name: name.into(),
        parameters: json!({}),
        ..ToolDescription::default()
    };
    let registry = ToolRegistry::new([
        Tool::from_description(face("tidy"), asks),
        Tool::from_description(face("nag"), always),
    ]);
    let run = async |name: &str, approved: bool| {
        let approved = approved.then_some(ProposalId(1));
        registry
            .run(
                call(name, json!({})),
                ToolContext {
                    approved,
                    ..context(Language::EN)
                },
            )
            .await
    };
    let preview = run("tidy", false).await.preview();
    assert_eq!(
        preview,
        Some(Ok(CallPreview {
            preview: "delete 3 files".into(),
            params: None
        }))
    );
    assert_eq!(run("tidy", true).await, ToolResult::ok("done"));
    assert!(run("nag", false).await.is_pending);
    let again = run("nag", true).await;
    assert!(again.is_error && !again.is_pending, "{again:?}");
    let wrong = ToolResult {
        details: Some(json!({"preview": 3})),
        ..ToolResult::pending("")
    };
    assert!(matches!(wrong.preview(), Some(Err(_))));
}
