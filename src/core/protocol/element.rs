//! The tree of one whole element. Well-formed ones are read here: by quick-xml where they hold others, else there is
//! nothing left to find. What it refuses is left to `forgiving.rs`. Never nests deeper than [`DEEPEST`].

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::entity;
use super::find::first_sign;
use super::repair::{Repair, Repairs};
use super::tag::Tag;

/// Elements nested deeper than this are text.
pub(super) const DEEPEST: usize = 32;

/// An element, its ranges counted in the source it was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) nodes: Vec<Node>,
    /// With its tags.
    pub(super) outer: Range<usize>,
    /// Without its tags.
    pub(super) inner: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Text, entities and CDATA resolved.
    Text(String),
    Element(Element),
}

impl Element {
    pub(super) fn text(&mut self, text: &str) {
        match self.nodes.last_mut() {
            Some(Node::Text(last)) => last.push_str(text),
            _ => self.nodes.push(Node::Text(text.to_owned())),
        }
    }

    /// Its own text, without that of its children.
    pub(super) fn into_text(self) -> String {
        let mut text = String::new();
        for node in self.nodes {
            if let Node::Text(piece) = node {
                join(&mut text, piece);
            }
        }
        text
    }
}

/// Adds a piece to a text; the first is the text and not copied.
pub(super) fn join(text: &mut String, piece: String) {
    match text.is_empty() {
        true => *text = piece,
        false => text.push_str(&piece),
    }
}

impl Node {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            Node::Element(_) => None,
        }
    }
}

/// An element without a bracket in it, from its tag as it was read when the element was found; none where anything about
/// it is not well-formed.
pub(super) fn flat(text: &str, tag: &Tag, content: Range<usize>) -> Option<Element> {
    let odd = tag.odd_quotes || tag.full_width || tag.unfinished || !text.get(tag.range.clone())?.ends_with('>');
    if odd || first_sign(text.get(tag.name.start..content.end)?, ['<', '＜']).is_some() {
        return None;
    }
    let clear = |range: Range<usize>| {
        let (decoded, bare) = entity::read(text.get(range)?);
        (!bare).then_some(decoded)
    };
    let attributes = tag.attributes.iter().map(|attribute| {
        let name = text.get(attribute.name.clone())?.trim().to_owned();
        Some((name, clear(attribute.value.clone()?)?))
    });
    Some(Element {
        name: text.get(tag.name.clone())?.to_owned(),
        attributes: attributes.collect::<Option<_>>()?,
        nodes: if content.is_empty() { Vec::new() } else { vec![Node::Text(clear(content.clone())?)] },
        outer: tag.range.start..content.end,
        inner: content,
    })
}

/// Reads a well-formed element; none where anything about it is not. With what has to be named all the same: bare signs,
/// which change nothing, and comments.
pub(super) fn strict(source: &str, base: usize) -> Option<(Element, Repairs)> {
    let mut reader = Reader::from_str(source);
    let mut bare = false;
    let mut repairs = Repairs::default();
    let mut open: Vec<Element> = Vec::new();
    loop {
        let start = base + usize::try_from(reader.buffer_position()).ok()?;
        let event = reader.read_event().ok()?;
        let end = base + usize::try_from(reader.buffer_position()).ok()?;
        let closed = match event {
            Event::Start(tag) if open.len() < DEEPEST => {
                open.push(Element { outer: start..end, inner: end..end, ..named(&tag, &mut bare)? });
                continue;
            }
            Event::Empty(tag) => Element { outer: start..end, inner: end..end, ..named(&tag, &mut bare)? },
            Event::End(_) => {
                let mut element = open.pop()?;
                element.outer.end = end;
                element.inner.end = start;
                element
            }
            Event::Text(text) => {
                let text = text.into_inner();
                bare |= text.contains('&');
                open.last_mut()?.text(&text);
                continue;
            }
            Event::CData(text) => {
                open.last_mut()?.text(&text.into_inner());
                continue;
            }
            Event::GeneralRef(name) => {
                let name = name.into_inner();
                match entity::resolve(&name) {
                    Some(c) => open.last_mut()?.text(c.encode_utf8(&mut [0; 4])),
                    None => open.last_mut()?.text(&format!("&{name};")),
                }
                continue;
            }
            Event::Comment(_) => {
                repairs.add(Repair::Comment);
                continue;
            }
            _ => return None,
        };
        match open.last_mut() {
            Some(parent) => parent.nodes.push(Node::Element(closed)),
            None => {
                if bare {
                    repairs.add(Repair::BareMarkup);
                }
                return Some((closed, repairs));
            }
        }
    }
}

fn named(tag: &BytesStart, bare: &mut bool) -> Option<Element> {
    let name = tag.name().0.to_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || !name.chars().all(plain) {
        return None;
    }
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        let (value, has_bare) = entity::read(&attribute.value);
        *bare |= has_bare || attribute.value.contains('<');
        attributes.push((attribute.key.0.to_owned(), value));
    }
    Some(Element { name, attributes, ..Element::default() })
}
