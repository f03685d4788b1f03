//! `[web]`: what is refused of it, and where a search is missing.

use kith_core::persona::Language;
use kith_tools::ToolRegistry;

use crate::settings::{channel, complains, load_text};

#[test]
fn a_place_that_is_no_host_is_told_with_its_line() {
    complains(
        "[web]\nallow_private = [\"wiki.lan\", \"10.0.0.0/8\"]",
        &[],
        "kith.toml:2: error: `web.allow_private` cannot be used: \"10.0.0.0/8\" is no host; write it like \
         \"wiki.lan\", \"10.0.0.5\" or \"[::1]:8080\"; compare it with the example file",
    );
}

#[test]
fn a_search_needs_an_address_that_may_be_asked() {
    complains(
        "[web.search]\nkind = \"searxng\"",
        &[],
        "kith.toml:1: error: `web.search.url` is no http address; write it like \"https://search.example.org\"",
    );
    complains(
        "[web.search]\nkind = \"searxng\"\nurl = \"http://127.0.0.1:8888/\"",
        &[],
        "kith.toml:3: error: `web.search.url` cannot be asked: 127.0.0.1 is an address of this machine, and only public \
         ones are fetched from; add \"127.0.0.1:8888\" to `web.allow_private`",
    );
    complains(
        "[web.search]\nkind = \"searxng\"\nurl = \"http://localhost:8888/\"",
        &[],
        "kith.toml:3: error: `web.search.url` is this machine; add \"localhost:8888\" to `web.allow_private`",
    );
    let home = "[web]\nallow_private = [\"127.0.0.1:8888\"]\n\
                [web.search]\nkind = \"searxng\"\nurl = \"http://127.0.0.1:8888/\"";
    complains(home, &[], "");
}

#[test]
fn a_key_is_named_and_never_repeated() {
    complains(
        "[web.search]\nkind = \"brave\"",
        &[],
        "kith.toml:1: error: `web.search.key` is missing, and Brave wants one; name it under [secrets] and write key = \
         \"NAME\"",
    );
    complains(
        "[web.search]\nkind = \"brave\"\nkey = \"BSA-the-key-itself\"",
        &[],
        "kith.toml:3: error: `web.search.key` names a secret that [secrets] does not have; write NAME = { file = … } \
         under [secrets] and that name here; the key itself has no place here",
    );
    complains(
        "[secrets]\nbrave = { env = \"BRAVE\" }\n[web.search]\nkind = \"brave\"\nkey = \"brave\"",
        &[("BRAVE", "BSA-12")],
        "",
    );
}

#[test]
fn a_search_is_offered_only_where_there_is_one() {
    let lists = "tools = [\"default\", \"web_search\"]\n[channel.8]\ntools = [\"web_search\"]";
    complains(
        lists,
        &[],
        "kith.toml:1: warning: `tools` names \"web_search\", and there is nobody to ask; write a table [web.search]; \
         until then it is left out\n\
         kith.toml:3: warning: `channel.8.tools` names \"web_search\", and there is nobody to ask; write a table \
         [web.search]; until then it is left out",
    );
    let offered = |toml: &str| -> Vec<String> {
        let settings = load_text(toml, &[]).unwrap();
        let tools =
            settings.resolve_tools(&channel(8, 7), &ToolRegistry::load_builtin(), Language::EN);
        tools.iter().map(|tool| tool.name.clone()).collect()
    };
    assert_eq!(offered(lists), [""; 0]);
    let search = "[web.search]\nkind = \"searxng\"\nurl = \"https://search.example.org\"";
    assert_eq!(offered(&format!("{lists}\n{search}")), ["web_search"]);
}
