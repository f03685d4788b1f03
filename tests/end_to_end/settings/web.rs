//! `[web]`: what is refused of it, and where a search is missing.

use kith_core::persona::Language;
use kith_tools::ToolRegistry;

use crate::settings::{channel, complains, load_text};

#[test]
fn a_search_needs_an_address_that_may_be_asked() {
    let home = "[web]\nallow_private = [\"127.0.0.1:8888\"]\n\
                [web.search]\nkind = \"searxng\"\nurl = \"http://127.0.0.1:8888/\"";
    complains(home, &[], "");
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
