//! The tree of one whole element. One without a bracket in it is read here, for there is nothing left to find; any other
//! by `lenient_element.rs`. Never nests deeper than [`DEEPEST`].

use std::ops::Range;

use super::entity;
use super::sign_search::find_first_sign;
use super::tag::ParsedTag;

/// Elements nested deeper than this are text.
pub(super) const DEEPEST: usize = 32;

/// An element, its ranges counted in the source it was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) nodes: Vec<ElementNode>,
    /// With its tags.
    pub(super) outer: Range<usize>,
    /// Without its tags.
    pub(super) inner: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum ElementNode {
    /// Text, entities and CDATA resolved.
    Text(String),
    Element(Element),
}

impl Element {
    pub(super) fn push_text(&mut self, text: &str) {
        match self.nodes.last_mut() {
            Some(ElementNode::Text(last)) => last.push_str(text),
            _ => self.nodes.push(ElementNode::Text(text.to_owned())),
        }
    }

    /// Its own text, without that of its children.
    pub(super) fn into_text(self) -> String {
        let mut text = String::new();
        for node in self.nodes {
            if let ElementNode::Text(piece) = node {
                append_text(&mut text, piece);
            }
        }
        text
    }
}

/// Adds a piece to a text; the first is the text and not copied.
pub(super) fn append_text(text: &mut String, piece: String) {
    match text.is_empty() {
        true => *text = piece,
        false => text.push_str(&piece),
    }
}

impl ElementNode {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            ElementNode::Text(text) => Some(text),
            ElementNode::Element(_) => None,
        }
    }
}

/// An element without a bracket in it, from its tag as it was read when the element was found; none where anything about
/// it is not well-formed.
pub(super) fn read_flat_element(
    text: &str,
    tag: &ParsedTag,
    content: Range<usize>,
) -> Option<Element> {
    let odd = tag.odd_quotes
        || tag.full_width
        || tag.unfinished
        || !text.get(tag.range.clone())?.ends_with('>');
    if odd || find_first_sign(text.get(tag.name.start..content.end)?, ['<', '＜']).is_some() {
        return None;
    }
    let clear = |range: Range<usize>| {
        let (decoded, bare) = entity::decode_entities_checked(text.get(range)?);
        (!bare).then_some(decoded)
    };
    let attributes = tag.attributes.iter().map(|attribute| {
        let name = text.get(attribute.name.clone())?.trim().to_owned();
        Some((name, clear(attribute.value.clone()?)?))
    });
    Some(Element {
        name: text.get(tag.name.clone())?.to_owned(),
        attributes: attributes.collect::<Option<_>>()?,
        nodes: if content.is_empty() {
            Vec::new()
        } else {
            vec![ElementNode::Text(clear(content.clone())?)]
        },
        outer: tag.range.start..content.end,
        inner: content,
    })
}
