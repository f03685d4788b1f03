//! Replay as a workbench, from the command line: sweeps, the plot, comparisons, and what is
//! said about wrong arguments and files.

use std::fs;
use std::path::Path;
use std::process::Command;

use kith_replay::sweep::SweepLevels;
use kith_testkit::assert_has;
use serde_json::{Value, json};
use tempfile::TempDir;

struct ProgramRun {
    code: Option<i32>,
    out: String,
    err: String,
}

fn replay(folder: &Path, args: &str) -> ProgramRun {
    let ran = Command::new(env!("CARGO_BIN_EXE_kith"))
        .arg("replay")
        .args(args.split(' '))
        .current_dir(folder)
        .env_clear()
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    ProgramRun {
        code: ran.status.code(),
        out: text(ran.stdout),
        err: text(ran.stderr),
    }
}

fn line(id: u32, author: &str, text: &str) -> Value {
    json!({
        "id": id.to_string(), "ts": format!("2024-05-31T18:{:02}:{:02}Z", id / 60, id % 60), "channel": "#den",
        "author": {"id": author, "name": author}, "content": text,
    })
}

/// A folder with a chat of three, of whom Mia answers every question of Tom, and gold points that say so.
fn den() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (mut log, mut points) = (String::new(), String::new());
    for round in 0..40 {
        let first = round * 40;
        let question = line(first, "tom", "does anybody know how to mend the kernel?");
        let aside = line(first + 20, "joe", "lol");
        let answer = line(first + 5, "mia", "yes, the manual says how");
        log += &format!("{question}\n{answer}\n{aside}\n");
        let turn = (first + 5).to_string();
        let asked = json!({"f": "log.jsonl", "p": "mia", "id": first.to_string(), "y": 1, "trig": 1, "turn": turn,
                           "addr": "none"});
        let left = json!({"f": "log.jsonl", "p": "mia", "id": (first + 20).to_string(), "y": 0, "trig": 0,
                          "turn": null, "addr": "none"});
        points += &format!("{asked}\n{left}\n");
    }
    fs::write(folder.path().join("log.jsonl"), log).unwrap();
    fs::create_dir(folder.path().join("eval")).unwrap();
    fs::write(folder.path().join("eval/x.points.jsonl"), points).unwrap();
    let people = json!([{"file": "log.jsonl", "persona": "mia", "names": ["mia"], "rank": 1}]);
    fs::write(folder.path().join("eval/personas.json"), people.to_string()).unwrap();
    folder
}

fn numbers(table: &str) -> Vec<Vec<f64>> {
    let rows = table.lines().skip(1);
    rows.map(|row| {
        row.split_whitespace()
            .map(|cell| cell.parse().unwrap())
            .collect()
    })
    .collect()
}

#[test]
fn levels_are_a_range_in_tenths_or_a_list() {
    let levels = |text: &str| text.parse::<SweepLevels>().map(|levels| levels.0);
    assert_eq!(
        levels("talkativeness=0.1..0.9"),
        Ok(vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    );
    assert_eq!(levels("talkativeness=0.35..0.5"), Ok(vec![0.35, 0.45]));
    assert_eq!(levels("talkativeness=0,0.25, 1"), Ok(vec![0.0, 0.25, 1.0]));
    for wrong in [
        "",
        "0.1..0.9",
        "mood=0.1",
        "talkativeness=",
        "talkativeness=0.9..0.1",
        "talkativeness=0..2",
    ] {
        assert!(levels(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_sweep_tells_on_how_many_messages_it_would_speak_at_each_level() {
    let den = den();
    let ran = replay(
        den.path(),
        "log.jsonl --as mia --sweep talkativeness=0.1..0.9",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert!(
        ran.out
            .starts_with("talkativeness  would speak on  of messages\n          0.1  "),
        "{}",
        ran.out
    );
    let rows = numbers(&ran.out);
    assert_eq!(rows.len(), 9);
    assert!(
        rows.iter().all(|row| row.len() == 3 && row[2] == 80.0),
        "{}",
        ran.out
    );
    assert!(
        rows.windows(2).all(|pair| pair[0][1] <= pair[1][1]) && rows[0][1] < rows[8][1],
        "{}",
        ran.out
    );
}

#[test]
fn a_comparison_shows_what_differs_with_the_lines_before_and_both_sides() {
    let den = den();
    let mut log = fs::read_to_string(den.path().join("log.jsonl")).unwrap();
    for (second, who) in [(1640, "ann"), (1660, "bob"), (1680, "cyd")] {
        log += &format!("{}\n", line(second, who, "what a day"));
    }
    log += &format!("{}\n", line(2180, "tom", "Zed, does \u{1b}[1mit\nboot?"));
    fs::write(den.path().join("log.jsonl"), log).unwrap();
    fs::write(
        den.path().join("a.toml"),
        "name = \"Mia\"\ntalkativeness = 0.0\n",
    )
    .unwrap();
    fs::write(
        den.path().join("b.toml"),
        "name = \"Zed\"\ntalkativeness = 0.0\n",
    )
    .unwrap();
    fs::write(den.path().join("c.toml"), "persona = \"b.toml\"\n").unwrap();
    for other in ["b.toml", "c.toml"] {
        let ran = replay(
            den.path(),
            &format!("log.jsonl --as mia --persona a.toml --compare {other}"),
        );
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        assert_has(
            &ran.out,
            [" of 84 decisions differ\na.toml would speak on "],
        );
        let (_, last) = ran
            .out
            .split_once("message 2180, 2024-05-31 18:36:20 UTC\n")
            .unwrap();
        let said = "    ann: what a day\n    bob: what a day\n    cyd: what a day\n  \
                    > tom: Zed, does  [1mit boot?\n    a.toml  silent  ";
        assert!(last.starts_with(said), "{last}");
        assert_has(last, [format!("\n    {other}  speaks  ")]);
        assert_has(
            last,
            [
                ", spoken to\n",
                "\n    +0.0 and +",
                "  they call it by name",
            ],
        );
    }
    let ran = replay(
        den.path(),
        "log.jsonl --as mia --persona a.toml --compare a.toml",
    );
    assert!(
        ran.out.starts_with("0 of 84 decisions differ\n"),
        "{}",
        ran.out
    );
}

#[test]
fn what_cannot_be_swept_or_compared_is_said_with_its_cure() {
    let den = den();
    let wrong = |args: &str| {
        let ran = replay(den.path(), args);
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.err);
        ran.err
    };
    let err = wrong("log.jsonl --as mia --sweep mood=0.1..0.9");
    assert_has(
        &err,
        ["only talkativeness can be swept; expected talkativeness=0.1..0.9 or "],
    );
    wrong("log.jsonl --as mia --plot pr.svg");
    wrong("log.jsonl --as mia --sweep talkativeness=0.5 --compare b.toml");
    wrong("log.jsonl --as mia --sweep talkativeness=0.5 --out x.jsonl");
    wrong("--points eval/x.points.jsonl --root . --compare b.toml");
    let failed = |args: &str| {
        let ran = replay(den.path(), args);
        assert_eq!(ran.code, Some(1), "{args}: {}", ran.err);
        ran.err
    };
    let err = failed("log.jsonl --as mia --compare nowhere.toml");
    assert_has(&err, ["nowhere.toml: error: there is no such file"]);
    fs::write(
        den.path().join("cargo.toml"),
        "[package]\nversion = \"1\"\n",
    )
    .unwrap();
    let err = failed("log.jsonl --as mia --compare cargo.toml");
    assert_has(
        &err,
        [
            "cargo.toml:1: error: ",
            "if it is a persona, give it a name",
        ],
    );
    fs::write(
        den.path().join("persona.toml"),
        "name = \"Zed\"\nidentiti = \"x\"\n",
    )
    .unwrap();
    let err = failed("log.jsonl --as mia --compare persona.toml");
    assert_has(&err, ["persona.toml:2: error: ", "identiti"]);
    let args = "log.jsonl --as mia --sweep talkativeness=0.5 --plot no/such/levels.svg";
    assert_has(failed(args), ["no/such/levels.svg: cannot be written"]);
}

#[test]
fn who_is_the_companion_is_found_by_name_or_said_not_to_be_there_at_once() {
    let den = den();
    let named = |id: &str, name: &str, number: u32| {
        let mut line = line(number, id, "hm");
        line["author"]["name"] = name.into();
        format!("{line}\n")
    };
    let log = named("42", "Anna", 1)
        + &named("43", "Ben", 2)
        + &named("44", "ben", 3)
        + &named("43", "Ben", 4);
    fs::write(den.path().join("named.jsonl"), log).unwrap();
    let by_id = replay(den.path(), "named.jsonl --as 42");
    let by_name = replay(den.path(), "named.jsonl --as anna");
    assert_eq!(
        (by_id.code, by_name.code),
        (Some(0), Some(0)),
        "{}",
        by_name.err
    );
    let counts = |ran: &ProgramRun| ran.out.lines().next().unwrap().to_owned();
    assert_eq!(counts(&by_id), counts(&by_name));
    let refused = |who: &str| {
        let ran = replay(den.path(), &format!("named.jsonl --as {who}"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        ran.err
    };
    assert_eq!(
        refused("Cleo"),
        "error: nobody there has the id or the name \"Cleo\"; who wrote most: Ben (43), Anna (42), ben (44)\n"
    );
    assert_eq!(
        refused("Ben"),
        "error: 2 people there are called \"Ben\"; give one's id: 43, 44\n"
    );
}

#[test]
fn the_plot_shows_how_often_it_would_speak() {
    let den = den();
    let args = "log.jsonl --as mia --sweep talkativeness=0.2,0.9 --plot levels.svg";
    let ran = replay(den.path(), args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let svg = fs::read_to_string(den.path().join("levels.svg")).unwrap();
    assert_has(
        &svg,
        ["<title>80 messages, spoken on at each talkativeness</title>"],
    );
    assert_has(&svg, [">share of the messages it would speak on</text>"]);
    let mut reader = quick_xml::Reader::from_str(&svg);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    assert_has(&svg, ["prefers-color-scheme:dark"]);
    assert_eq!(
        svg.matches("<circle").count(),
        3,
        "two levels and the legend"
    );
}
