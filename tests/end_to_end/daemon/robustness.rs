//! What would bring the process down, or keep it from ending.

use std::sync::atomic::{AtomicUsize, Ordering};

use kith_testkit::test_database::is_skipped_off_the_file;
use kith_testkit::{assert_has, assert_lacks};

use super::kith_process::{KithProcess, build_kith_command};
use super::*;

/// Each of these once ended the process, or kept a core busy and the process from ending.
const HOSTILE: [&str; 5] = [
    r"(\x. x x)(\x. x x)",
    r"f = \x. f x; f 1",
    "1 << 100000000000000",
    "9^9^9^9^9",
    "99999999999!",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_model_calculates_the_daemon_goes_on_and_ends_when_it_is_told_to() {
    let asked = AtomicUsize::new(0);
    let url = model(move |user| match user.contains("you called calculate") {
        true => "<turn><send_message>done</send_message></turn>".into(),
        false => {
            let expression =
                HOSTILE[asked.fetch_add(1, Ordering::Relaxed) % HOSTILE.len()].replace('<', "&lt;");
            format!("<turn><calculate>{expression}</calculate></turn>")
        }
    })
    .await;
    let mut kith = KithProcess::open(&settings(&url, "tools = [\"default\", \"calculate\"]")).await;
    for number in 1..=HOSTILE.len() {
        kith.says(&format!("@Juno sum {number}")).await;
        let answered = |history: &[Value]| {
            (history.iter().filter(|line| own(line)).count() == number).then_some(())
        };
        kith.until("an answer", answered).await;
    }
    assert_eq!(kith.ends_on("TERM"), Some(0));
}

/// What the calculator's own process prints for an expression; nothing where its limits ended it.
#[cfg(unix)]
fn calculate(expression: &str) -> String {
    let task = json!({ "expression": expression, "language": "en" }).to_string();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kith"))
        .arg("--calculate")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, task.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_lacks(&complaint, ["notation.rs"]);
    assert!(output.stdout.len() < 2_000, "{expression}");
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn the_calculator_leaves_no_picture_of_its_memory() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kith"))
        .arg("--calculate")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    let most = || {
        let limits = std::fs::read_to_string(&limits).unwrap();
        let core = limits
            .lines()
            .find(|line| line.starts_with("Max core file size"))
            .unwrap()
            .to_owned();
        core.split_whitespace().nth_back(1).unwrap().to_owned()
    };
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    while most() != "0" {
        assert!(kith_system::clock::monotonic() < end, "{}", most());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    drop(child.stdin.take());
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn the_calculator_ends_whatever_it_is_given_within_its_memory() {
    let mut hostile: Vec<String> = HOSTILE.map(str::to_owned).to_vec();
    hostile.extend(
        [
            "1e999999",
            "pi to 1000000 dp",
            "f = x => f x; f 1",
            "2^(2^40)",
            "(1/3)^(10^9)",
            "3!!!!!!",
            "10^(10^8) mod 7",
        ]
        .map(str::to_owned),
    );
    for piece in [
        "(", "-(", "sqrt(", "2^", "max(1,", "round(1,", "9!", "1/", "%", "1 m ", "5' ", "1 in ",
    ] {
        hostile.push(piece.repeat(500 / piece.len()));
        hostile.push(piece.repeat(499 / piece.len()) + "1");
    }
    for expression in hostile {
        calculate(&expression);
    }
    assert_eq!(calculate("12 * 7"), "{\"content\":\"84\"}\n");
}

#[cfg(unix)]
proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]
    #[test]
    fn the_calculator_reads_any_text(text in "[ -~]{0,40}|\\PC{0,40}|([0-9.,]{0,3}[ %()+/^a-z°']{0,3}){0,20}") {
        calculate(&text);
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_whose_answer_ends_the_process_is_tried_twice_then_given_up_and_told_and_the_next_is_answered()
 {
    let url = model(|user| match newest_line(user).contains("fatal") {
        true => "<turn><own/></turn>".into(),
        false => "<turn><send_message>still here</send_message></turn>".into(),
    })
    .await;
    let kith = settings(&url, "tool_paths = [\"own.toml\"]");
    let own = "[own]\ndescription = \"what the host made\"\n[own.command]\nargv = [\"sh\", \"./own.sh\"]\n";
    // The pause is for the address to be printed.
    let script = "echo ran >> ran\nsleep 0.3\nkill -9 $PPID\n";
    let mut kith = KithProcess::furnished(
        &[("kith.toml", &kith), ("own.toml", own), ("own.sh", script)],
        &[],
    )
    .await;
    kith.says("@Juno do the fatal thing").await;
    kith.until_dead().await;
    kith.start();
    kith.until_dead().await;
    assert_lacks(kith.log(), ["it is given up"]);
    kith.start();
    let told = |history: &[Value]| (history[0]["reactions"][0]["emoji"] == "⚠️").then_some(());
    kith.until("a word that there is no answer", told).await;
    kith.until_logged(
        "answering this message was begun twice and the process ended without being told to",
    )
    .await;
    kith.says("@Juno are you there?").await;
    let answered = |history: &[Value]| {
        history
            .iter()
            .any(|line| text(line) == "still here")
            .then_some(())
    };
    kith.until("an answer to the next", answered).await;
    kith.kill();
    kith.start();
    kith.says("@Juno and now?").await;
    let twice = |history: &[Value]| {
        (history.iter().filter(|line| super::own(line)).count() == 2).then_some(())
    };
    kith.until("one more", twice).await;
    let ran = std::fs::read_to_string(kith.dir.path().join("data/tools/own/ran")).unwrap();
    assert_eq!(ran, "ran\nran\n", "{}", kith.log());
    assert_eq!(
        kith.log().matches("it is given up").count(),
        1,
        "{}",
        kith.log()
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_writes_is_for_nobody_else_on_the_machine() {
    use std::os::unix::fs::PermissionsExt;
    if is_skipped_off_the_file() {
        return;
    }
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno hello").await;
    kith.until_answers(1).await;
    let mut seen = 0;
    let mut paths = vec![kith.dir.path().join("data")];
    while let Some(path) = paths.pop() {
        let about = std::fs::metadata(&path).unwrap();
        assert_eq!(about.permissions().mode() & 0o077, 0, "{}", path.display());
        seen += 1;
        if about.is_dir() {
            paths.extend(
                std::fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    assert!(
        seen >= 4,
        "the folder, the database, its log and its lock: {seen}"
    );
}

#[test]
fn the_unit_that_ships_lets_nobody_else_read_what_it_writes() {
    let unit = std::fs::read_to_string("deploy/kith.service").unwrap();
    assert!(unit.lines().any(|line| line == "UMask=0077"), "{unit}");
}

/// Runs `kith recover` in a `kith`'s folder; answers with exit code and standard output.
fn recover(kith: &KithProcess) -> (Option<i32>, String) {
    let ran = build_kith_command(kith.dir.path())
        .arg("recover")
        .output()
        .unwrap();
    (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_database_is_not_used_and_there_is_a_way_out() {
    if is_skipped_off_the_file() {
        return;
    }
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno hello").await;
    kith.until_answers(1).await;
    kith.stop();
    let file = kith.dir.path().join("data/kith.db");
    let mut bytes = std::fs::read(&file).unwrap();
    // The list of free pages leads nowhere.
    bytes[32..40].copy_from_slice(&[0, 0, 0, 3, 0, 0, 0, 9]);
    std::fs::write(&file, bytes).unwrap();
    let (code, told) = run_to_the_end(kith.dir.path());
    assert_eq!(code, Some(1), "{told}");
    assert_has(&told, ["is damaged", "run `kith recover`"]);
    let (code, told) = recover(&kith);
    assert_eq!(code, Some(0), "{told}");
    assert_has(
        &told,
        ["messages: 2 rows\n", "every table could be read to its end"],
    );
    kith.start();
    let history = kith.history().await;
    assert_eq!(
        history.iter().map(text).collect::<Vec<_>>(),
        ["@Juno hello", "hi"]
    );
    kith.says("@Juno still there?").await;
    kith.until_answers(2).await;
    // While it runs nothing is recovered under its feet.
    assert_eq!(recover(&kith).0, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_that_is_found_in_a_large_database_after_the_start_ends_it_with_the_way_out() {
    if is_skipped_off_the_file() {
        return;
    }
    let mut kith = KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await;
    kith.stop();
    let file = kith.dir.path().join("data/kith.db");
    let conn = rusqlite::Connection::open(&file).unwrap();
    conn.execute_batch(
        "CREATE TABLE large (x BLOB); INSERT INTO large VALUES (zeroblob(17 * 1024 * 1024))",
    )
    .unwrap();
    drop(conn);
    let mut bytes = std::fs::read(&file).unwrap();
    let end = bytes.len() - 4096;
    // A page of the large value says that it goes on where the list of tables is.
    bytes[end - 4096..end - 4092].copy_from_slice(&[0, 0, 0, 1]);
    std::fs::write(&file, bytes).unwrap();
    let (code, told) = run_to_the_end(kith.dir.path());
    assert_eq!(code, Some(1), "{told}");
    assert_has(&told, ["run `kith recover`"]);
}
