//! Which entries of lore a chat calls for.

use kith_core::chat::MessageId;
use kith_core::lore::{LoreKey, LoreKeyError, Lorebook, ScannedMessage, select_entries};

fn book(text: &str) -> Lorebook {
    toml::from_str(text).expect("the lore of the test is valid")
}

/// The names of what comes in when these lines were said, the oldest first.
fn names(lore: &str, lines: &[&str]) -> Vec<String> {
    names_at(lore, lines, 100)
}

fn names_at(lore: &str, lines: &[&str], first: u64) -> Vec<String> {
    let ids = (first..).map(MessageId);
    let mut said: Vec<ScannedMessage<'_>> = ids
        .zip(lines)
        .map(|(id, text)| ScannedMessage { id, text })
        .collect();
    said.reverse();
    let books = [book(lore)];
    let found = select_entries(&books, &said);
    found.iter().map(|entry| entry.name.clone()).collect()
}

fn entry(fields: &str) -> String {
    format!("[[entries]]\nname = \"it\"\ntext = \"something\"\n{fields}\n")
}

#[test]
fn a_key_stands_as_a_word_of_its_own_in_any_case() {
    let lore = entry("keys = [\"moss\", \"old  Mill\"]");
    for said in ["MOSS is here", "the moss.", "at the Old mill", "moss"] {
        assert_eq!(names(&lore, &[said]), ["it"], "{said}");
    }
    for said in ["mossy", "at the mill", ""] {
        assert_eq!(names(&lore, &[said]), [""; 0], "{said}");
    }
    let anywhere = entry("keys = [\"moss\"]\nwhole_words = false");
    assert_eq!(names(&anywhere, &["all mossy"]), ["it"]);
    let exact = entry("keys = [\"Moss\"]\ncase_sensitive = true");
    assert_eq!(names(&exact, &["moss"]), [""; 0]);
    assert_eq!(names(&exact, &["that is Moss"]), ["it"]);
    assert_eq!(names(&exact, &["Mossy"]), [""; 0]);
}

#[test]
fn a_chinese_key_stands_anywhere_also_beside_latin_letters() {
    let lore = entry("keys = [\"灯塔\", \"KPI\"]");
    for said in ["我们去灯塔吧", "明天KPI考核", "灯塔OK"] {
        assert_eq!(names(&lore, &[said]), ["it"], "{said}");
    }
    assert_eq!(names(&lore, &["灯和塔"]), [""; 0]);
}

#[test]
fn an_expression_between_slashes_knows_the_flags_of_javascript() {
    let lore = entry("keys = ['/^ship\\s+\\d+$/im']");
    assert_eq!(names(&lore, &["look:\nSHIP 12"]), ["it"]);
    assert_eq!(names(&lore, &["ship twelve"]), [""; 0]);
    let strict = entry("keys = ['/Ship/']");
    assert_eq!(names(&strict, &["ship"]), [""; 0]);
    assert_eq!(
        LoreKey::try_from("/a/iy".to_owned()).unwrap_err(),
        LoreKeyError::UnknownFlag('y')
    );
    for (written, told) in [
        ("/(?=a)/", "look-around"),
        ("/(((((\\w{90}){90}){90}){90}){90})/", "size limit"),
        ("/(a/", "unclosed group"),
        ("  ", "empty"),
    ] {
        let error = LoreKey::try_from(written.to_owned()).unwrap_err();
        assert!(error.to_string().contains(told), "{written}: {error}");
    }
    assert!(LoreKey::try_from("a".repeat(301)).is_err());
    assert!(
        LoreKey::try_from("/usr/my files".to_owned()).is_ok(),
        "a path is a phrase"
    );
}

#[test]
fn secondary_keys_decide_by_their_logic() {
    let secondary = |logic: &str| {
        entry(&format!(
            "keys = [\"boat\"]\nsecondary_keys = [\"red\", \"old\"]\nsecondary_logic = \"{logic}\""
        ))
    };
    let table = [
        ("any_of", [false, true, true]),
        ("all_of", [false, false, true]),
        ("none_of", [true, false, false]),
        ("not_all_of", [true, true, false]),
    ];
    for (logic, wanted) in table {
        let comes = ["a boat", "a red boat", "a red old boat"]
            .map(|said| !names(&secondary(logic), &[said]).is_empty());
        assert_eq!(comes, wanted, "{logic}");
        assert_eq!(names(&secondary(logic), &["red, old"]), [""; 0], "{logic}");
    }
}

#[test]
fn only_the_newest_messages_count_as_deep_as_file_and_entry_say() {
    let lore = format!("scan_depth = 2\n{}", entry("keys = [\"moss\"]"));
    assert_eq!(names(&lore, &["moss", "b"]), ["it"]);
    assert_eq!(names(&lore, &["moss", "b", "c"]), [""; 0]);
    let deeper = format!(
        "scan_depth = 2\n{}",
        entry("keys = [\"moss\"]\nscan_depth = 3")
    );
    assert_eq!(names(&deeper, &["moss", "b", "c"]), ["it"]);
}

#[test]
fn what_is_constant_comes_first_then_the_highest_order() {
    let lore = "[[entries]]\nname = \"low\"\ntext = \"x\"\nkeys = [\"a\"]\norder = 1\n\
                [[entries]]\nname = \"high\"\ntext = \"x\"\nkeys = [\"a\"]\norder = 200\n\
                [[entries]]\nname = \"always\"\ntext = \"x\"\nconstant = true\norder = 5\n\
                [[entries]]\nname = \"off\"\ntext = \"x\"\nconstant = true\nenabled = false\n\
                [[entries]]\nname = \"without a text\"\ntext = \" \"\nconstant = true\n";
    assert_eq!(names(lore, &["a"]), ["always", "high", "low"]);
    assert_eq!(names(lore, &["b"]), ["always"]);
}

#[test]
fn an_entry_brings_in_others_as_many_steps_as_are_allowed() {
    let chain: String = ["one", "two", "three", "four", "five"]
        .windows(2)
        .map(|pair| {
            format!(
                "[[entries]]\nname = \"{0}\"\nkeys = [\"{0}\"]\ntext = \"then {1}\"\n",
                pair[0], pair[1]
            )
        })
        .collect::<String>()
        + "[[entries]]\nname = \"five\"\nkeys = [\"five\"]\ntext = \"end\"\n";
    assert_eq!(names(&chain, &["one"]), ["one", "two", "three", "four"]);
    let shut = format!("recursive = false\n{chain}");
    assert_eq!(names(&shut, &["one"]), ["one"]);
    let silent = chain.replacen(
        "text = \"then two\"",
        "text = \"then two\"\nleads_to_entries = false",
        1,
    );
    assert_eq!(names(&silent, &["one"]), ["one"]);
    let deaf = chain.replacen(
        "text = \"then three\"",
        "text = \"then three\"\nreached_by_entries = false",
        1,
    );
    assert_eq!(names(&deaf, &["one"]), ["one"]);
    assert_eq!(names(&deaf, &["two"]), ["two", "three", "four", "five"]);
}

#[test]
fn chance_belongs_to_the_message_that_holds_the_key() {
    let lore = entry("keys = [\"moss\"]\nprobability = 40");
    let comes = |first: u64| !names_at(&lore, &["moss"], first).is_empty();
    let drawn = (0..1_000).filter(|first| comes(*first)).count();
    assert!((340..460).contains(&drawn), "{drawn} of 1000 with 40 %");
    for first in 0..50 {
        let later = !names_at(&lore, &["moss", "b", "c"], first).is_empty();
        assert_eq!(
            comes(first),
            later,
            "it neither comes nor goes while its message stays"
        );
    }
    assert_eq!(
        names(&entry("keys = [\"a\"]\nprobability = 0"), &["a"]),
        [""; 0]
    );
}

#[test]
fn of_pasted_texts_only_so_much_is_searched() {
    let lore = format!("scan_depth = 50\n{}", entry("keys = [\"moss\"]"));
    let long = "word ".repeat(1_000);
    let said = |before: usize| {
        let mut lines = vec!["moss"];
        lines.extend(vec![long.as_str(); before]);
        names(&lore, &lines)
    };
    assert_eq!(said(7), ["it"]);
    assert_eq!(said(9), [""; 0], "eight thousand bytes are enough");
    assert_eq!(names(&lore, &[&format!("{long} moss")]), [""; 0]);
}
