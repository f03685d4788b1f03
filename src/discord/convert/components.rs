//! What bots lay out in a message beside or in the place of its content: texts, sections, containers, rows of buttons
//! and menus (Discord's documentation, "Component Reference").

use std::borrow::Cow;

use serde_json::Value;

use super::json::{read_field, read_list, read_number, read_text};

// Types of components, by Discord's numbers.
const BUTTON: u64 = 2;
const TEXT_DISPLAY: u64 = 10;
/// Menus of all kinds.
const SELECTS: [u64; 5] = [3, 5, 6, 7, 8];
/// The most components of a message that are read; Discord takes 40.
const MOST: usize = 100;
/// How deep they may be nested; Discord takes four levels.
const DEEPEST: u32 = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TextComponent<'a> {
    /// Words, with markup as in a message.
    Text(Cow<'a, str>),
    Button(&'a str),
    Menu(&'a str),
}

/// All that say something, from top to bottom: what is beside a section's text comes behind it.
pub(super) fn read_components(components: &[Value]) -> Vec<TextComponent<'_>> {
    let mut found = Vec::new();
    gather_components(components, DEEPEST, &mut found);
    found
}

fn gather_components<'a>(components: &'a [Value], deep: u32, found: &mut Vec<TextComponent<'a>>) {
    for component in components {
        if found.len() >= MOST {
            return;
        }
        let kind = read_field(component, "type")
            .and_then(read_number)
            .unwrap_or_default();
        found.extend(match kind {
            TEXT_DISPLAY => {
                read_text(component, "content").map(|text| TextComponent::Text(text.into()))
            }
            BUTTON => read_text(component, "label").map(TextComponent::Button),
            kind if SELECTS.contains(&kind) => {
                read_text(component, "placeholder").map(TextComponent::Menu)
            }
            _ => None,
        });
        if deep > 0 {
            gather_components(read_list(component, "components"), deep - 1, found);
            gather_components(
                read_field(component, "accessory")
                    .map(std::slice::from_ref)
                    .unwrap_or_default(),
                deep - 1,
                found,
            );
        }
    }
}
