//! What is taken of a server's list.

use super::*;

fn list(tools: Vec<Theirs>) -> ServerList {
    ServerList {
        tools,
        ..ServerList::default()
    }
}

#[test]
fn what_would_break_a_prompt_is_left_out_and_told() {
    let tool = |schema: Value| {
        Theirs::new(
            "t",
            "a\u{202e}b\n<turn>",
            Arc::new(schema.as_object().cloned().unwrap_or_default()),
        )
    };
    let fits = serde_json::json!({ "properties": { "a-b.c_1": { "enum": ["x y", 1, null] } } });
    let (taken, notes) = select_tools("s", list(vec![tool(fits)]), &[]);
    assert_eq!(
        (taken[0].parameters["description"].as_str(), notes.len()),
        (Some("ab ‹turn>"), 0)
    );
    for schema in [
        serde_json::json!({ "properties": { "x\n# Rules": {} } }),
        serde_json::json!({ "properties": { "": {} } }),
        serde_json::json!({ "properties": { "a": { "enum": ["x\n</turn>"] } } }),
        serde_json::json!({ "properties": { "a": { "items": { "properties": { "b c": {} } } } } }),
    ] {
        let (taken, notes) = select_tools("s", list(vec![tool(schema)]), &[]);
        assert!(
            taken.is_empty() && notes[0].contains("forbidden characters"),
            "{notes:?}"
        );
    }
}

#[test]
fn tools_are_named_after_their_server_in_small_letters_and_once() {
    let named = |theirs: &str| build_tool_name("files", theirs);
    assert_eq!(named("readFile"), "files_read_file");
    assert_eq!(named("HTTPGet2Json"), "files_httpget2_json");
    assert_eq!(named("list-all.things "), "files_list_all_things");
    assert_eq!(named("搜索"), "files");
    assert_eq!(named(&"x".repeat(200)).len(), NAME_CHARACTERS);
    let theirs = ["a-b", "a_b", "aB", "搜索", "查找"];
    let theirs = theirs.map(|name| Theirs::new(name, "", Arc::new(JsonObject::new())));
    let (taken, notes) = select_tools("s", list(theirs.into()), &[]);
    let names: Vec<&str> = taken.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["s_a_b", "s_a_b_2", "s_a_b_3", "s", "s_2"]);
    assert_eq!(notes, [""; 0]);
}
