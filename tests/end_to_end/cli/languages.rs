//! The command line speaks the language of the settings.

use std::fs;
use std::net::TcpListener;

use kith_store::Store;
use kith_testkit::kith_process::build_kith_command;
use kith_testkit::{assert_has, assert_lacks};

use super::{kith, put, typed};

#[test]
fn help_is_in_the_language_of_the_settings_that_the_arguments_name() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "zh.toml", "language = \"zh\"\n");
    for config in [&["--config", "zh.toml"][..], &["--config=zh.toml"]] {
        let ran = kith(folder.path(), &[&["check", "--help"], config].concat(), b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(
            ran.out
                .starts_with("检查设置、人设和提示词：每个问题一行，写明文件、行号和改法\n\n用法：kith check [OPTIONS]"),
            "{}",
            ran.out
        );
        assert_has(
            &ran.out,
            ["\n参数：\n", "\n选项：\n", "显示帮助", "\n示例：\n"],
        );
    }
    let english = typed(&folder, "check --help").out;
    assert_has(
        &english,
        [
            "\n\nUsage: kith check [OPTIONS]",
            "\nArguments:\n",
            "\nOptions:\n",
        ],
    );
}

#[test]
fn the_locale_decides_where_the_settings_say_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let check = |locale: &str| {
        let ran = build_kith_command(folder.path())
            .arg("check")
            .env("LANG", locale)
            .output();
        String::from_utf8(ran.unwrap().stdout).unwrap()
    };
    assert!(check("zh_CN.UTF-8").starts_with("默认设置 没有问题："));
    assert!(check("C.UTF-8").starts_with("no problems in the defaults: "));
    put(&folder, "kith.toml", "language = \"en\"\n");
    assert!(check("zh_CN.UTF-8").starts_with("no problems in kith.toml: "));
}

#[test]
fn settings_with_a_mistake_still_say_their_language() {
    let folder = tempfile::tempdir().unwrap();
    for mistake in ["nmae = \"x\"", "name = \"x"] {
        let settings = format!("language = \"zh\" # 中文\n[model]\n{mistake}\n");
        put(&folder, "kith.toml", settings);
        let ran = typed(&folder, "check");
        assert_eq!(ran.code, Some(1));
        assert!(
            ran.out.starts_with("kith.toml:3: error: ")
                && ran.out.ends_with("\n1 个错误，0 个警告\n"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn wrong_arguments_are_explained_in_it() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "kith.toml", "language = \"zh\"\n");
    for (args, told) in [
        (&["--lisen", "x"][..], "错误：没有 '--lisen' 这个参数\n"),
        (&["--lisen", "x"], "提示：有一个相近的：'--listen'\n"),
        (&["backup"], "错误：缺少必需的参数：<FILE>\n"),
        (&["backup"], "\n用法：kith backup "),
        (&["memory", "shwo"], "错误：没有 'shwo' 这个命令\n"),
        (
            &["parse", "--protocol", "native"],
            "的值 'native' 无效：原生调用与文字分开返回",
        ),
        (
            &["setup", "--language", "tlh"],
            "的值 'tlh' 无效：请填写其中之一：en, zh\n",
        ),
        (
            &["completions", "dos"],
            "的值 'dos' 无效 [可选：bash, elvish, fish, powershell, zsh]\n",
        ),
        (&["setup", "--no-model", "--model", "x"], "不能与 "),
    ] {
        let ran = kith(folder.path(), args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert_has(&ran.err, [told]);
        assert_lacks(&ran.err, ["error"]);
    }
}

#[test]
fn results_and_what_goes_wrong_are_told_in_it() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "kith.toml", "language = \"zh\"\n");
    let run = |args: &[&str]| {
        let ran = kith(folder.path(), args, b"");
        ran.out + &ran.err
    };
    let missing =
        "错误：没有数据库 data/kith.db；请检查 data_dir，或用 --config 指定正确的设置文件\n";
    assert_eq!(run(&["backup", "copy.db"]), missing);
    assert_has(run(&["usage"]), ["没有用量"]);
    assert!(run(&["approvals"]).starts_with("错误：没有用数据文件夹 data 打开过房间"));
    assert_has(run(&["tools", "list"]), ["自带，工具"]);
    assert_has(
        run(&["tools", "call", "get_tim"]),
        ["没有工具 get_tim；是不是 get_time？"],
    );
    let store = Store::open(&folder.path().join("data/kith.db")).unwrap();
    let busy = run(&["memory", "list"]);
    assert!(
        busy.starts_with("错误：另一个 Kith（进程 ") && busy.contains("）正在这里运行，"),
        "{busy}"
    );
    drop(store);
    assert_eq!(run(&["memory", "list"]), "没有符合的记忆。\n");
    assert_eq!(
        run(&["memory", "show", "7"]),
        "错误：没有编号为 7 的记忆；`kith memory list` 显示各个编号\n"
    );
    assert!(run(&["backup", "copy.db"]).starts_with("copy.db："));
    assert_has(
        run(&["backup", "copy.db"]),
        ["copy.db 已存在，不会覆盖任何文件"],
    );
    assert_has(
        run(&["restore", "copy.db"]),
        ["备份之后：忘记了 0 人，删除了 0 条消息"],
    );
    assert_has(run(&["recover"]), ["每个表都完整读出\n"]);
    let forgotten = run(&["forget", "--person", "5", "--yes"]);
    assert!(forgotten.starts_with("已忘记 5："), "{forgotten}");
    assert_has(run(&["forget", "--person", "5"]), ["这里没有人可以确认"]);
}

#[test]
fn what_keeps_it_from_starting_is_told_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let run = |settings: &str| {
        file("kith.toml", &format!("language = \"zh\"\n{settings}"));
        let ran = typed(&folder, "run");
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        ran.err
    };
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    assert_eq!(
        run(&format!("[room]\nlisten = \"{address}\"\n")),
        format!(
            "错误：页面不能开在 {address}：端口已被占用，也许是另一个 Kith；请停掉它，\
             或在 `room.listen` 中换一个端口（0 表示任选一个空闲端口）\n"
        )
    );
    let own = "[room]\nlisten = \"127.0.0.1:0\"\n[model]\nprovider = \"none\"\n";
    let metrics = run(&format!("{own}[metrics]\nlisten = \"{address}\"\n"));
    assert_has(&metrics, [format!("错误：指标不能开在 {address}：")]);
    file("occupied", "");
    let token = run(&format!("data_dir = \"occupied\"\n{own}"));
    assert_has(
        &token,
        ["错误：页面的令牌无法保存在 ", "；请检查 `data_dir`\n"],
    );
    file("prompts/zh/closing.j2", "{{ nmae }}");
    file("prompts/zh/colsing.j2", "");
    let templates = run(&format!("prompts_dir = \"prompts\"\n{own}"));
    assert_eq!(
        templates,
        "错误：prompts/zh/colsing.j2: 没有提示词用到这个文件；是不是 zh/closing.j2？\n"
    );
    fs::remove_file(folder.path().join("prompts/zh/colsing.j2")).unwrap();
    let templates = run(&format!("prompts_dir = \"prompts\"\n{own}"));
    assert_eq!(
        templates,
        "错误：prompts/zh/closing.j2:1: undefined value: `nmae` is undefined；自带文件的第一行列出了可用的值\n"
    );
    let checked = typed(&folder, "check").out;
    assert_has(
        &checked,
        ["`nmae` is undefined; 自带文件的第一行列出了可用的值\n"],
    );
}
