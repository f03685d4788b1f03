//! The tree of one whole element, read from what need not be well-formed, whatever is wrong with it: bare `<` and `&`, end tags that are missing,
//! crossed or misspelt, attributes without their quotes. Uses the same tag reader that found the element's end.

use std::ops::Range;

use super::code_span::{self, CodeContext};
use super::entity;
use super::names::{self, TagMeaning, ToolNames};
use super::repair::{Repair, Repairs};
use super::sign::find_first_sign;
use super::tag::{ParsedTag, TagKind, TagScan, TagStep};
use crate::call::ToolSpec;
use crate::schema::ParamType;

/// Elements nested deeper than this are text.
const DEEPEST: usize = 32;

/// An element, its ranges counted in the source it was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Element<'a> {
    source: &'a str,
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) nodes: Vec<ElementNode<'a>>,
    outer: Range<usize>,
    inner: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum ElementNode<'a> {
    /// Text, entities and CDATA resolved.
    Text(String),
    Element(Element<'a>),
}

impl Element<'_> {
    /// All that was written between its tags, or with them.
    pub(super) fn written_inside(&self) -> String {
        self.decode_source(&self.inner)
    }

    pub(super) fn written_whole(&self) -> String {
        self.decode_source(&self.outer)
    }

    fn decode_source(&self, range: &Range<usize>) -> String {
        entity::decode_entities(self.source.get(range.clone()).unwrap_or_default())
    }

    fn push_text(&mut self, text: &str) {
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

impl ElementNode<'_> {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            ElementNode::Text(text) => Some(text),
            ElementNode::Element(_) => None,
        }
    }
}

/// The element that `tag` starts and whose content is `content`, both ranges of `text`.
pub(super) fn read_element<'a>(
    text: &'a str,
    tag: &ParsedTag,
    content: Range<usize>,
    tool: Option<&ToolSpec>,
    names: &ToolNames,
    repairs: &mut Repairs,
) -> Element<'a> {
    let mut reader = LenientParser {
        text,
        tool,
        names,
        repairs,
        root: Element::default(),
        open: Vec::new(),
        code: None,
    };
    reader.root = reader.create_element(tag);
    reader.root.inner = content.clone();
    reader.root.outer.end = content.end;
    reader.read_content(content.clone());
    while let Some(child) = reader.open.pop() {
        reader.close_unended_child(child, content.end);
    }
    reader.root
}

struct LenientParser<'a, 't> {
    text: &'t str,
    tool: Option<&'a ToolSpec>,
    names: &'a ToolNames,
    repairs: &'a mut Repairs,
    root: Element<'t>,
    /// The children that are open, innermost last.
    open: Vec<Element<'t>>,
    /// The pieces of code in the content, once they are asked for.
    code: Option<Vec<Range<usize>>>,
}

impl<'t> LenientParser<'_, 't> {
    fn read_content(&mut self, content: Range<usize>) {
        let Some(source) = self.text.get(..content.end) else {
            return;
        };
        let mut text_from = content.start;
        let mut at = content.start;
        while let Some((start, bracket)) = find_next_bracket(source, at) {
            let mut scan = TagScan::new(start, bracket);
            let first = start + bracket.len_utf8();
            at = source.len();
            for (offset, c) in source[first..].char_indices() {
                let i = first + offset;
                let (from, to) = match scan.step(c, i) {
                    TagStep::More | TagStep::Suspect { .. } | TagStep::Cut => continue,
                    TagStep::Text => {
                        // A bracket of full width may well be written in words.
                        if bracket == '<' {
                            self.repairs.add(Repair::XmlSyntax);
                        }
                        at = i;
                        break;
                    }
                    TagStep::Done(tag) => {
                        at = tag.range.end;
                        self.flush_text(text_from..start);
                        if self.handle_tag(&tag) {
                            (at, at)
                        } else {
                            (start, at)
                        }
                    }
                    TagStep::Unfinished(tag) => {
                        let known = tag.kind == TagKind::End || self.is_param(self.tag_name(&tag));
                        self.flush_text(text_from..start);
                        if known && self.handle_tag(&tag) {
                            (i, i)
                        } else {
                            (start, i)
                        }
                    }
                    TagStep::Cdata => {
                        self.flush_text(text_from..start);
                        let after = self.read_cdata(source, i + 1);
                        (after, after)
                    }
                    TagStep::Comment => {
                        self.repairs.add(Repair::XmlSyntax);
                        self.flush_text(text_from..start);
                        (i + 1, i + 1)
                    }
                    TagStep::Instruction | TagStep::Token => (text_from, i + 1),
                };
                (text_from, at) = (from, to);
                break;
            }
        }
        self.flush_text(text_from..content.end);
    }

    fn read_cdata(&mut self, source: &str, from: usize) -> usize {
        let rest = &source[from..];
        let (inside, after) = match rest.find("]]>") {
            Some(end) => (&rest[..end], from + end + 3),
            None => {
                self.repairs.add(Repair::XmlSyntax);
                (strip_partial_cdata_end(rest.trim_end()), source.len())
            }
        };
        self.top().push_text(inside);
        after
    }

    fn top(&mut self) -> &mut Element<'t> {
        self.open.last_mut().unwrap_or(&mut self.root)
    }

    fn flush_text(&mut self, range: Range<usize>) {
        if let Some(text) = self.text.get(range).filter(|text| !text.is_empty()) {
            let (text, bare) = entity::decode_entities_checked(text);
            if bare {
                self.repairs.add(Repair::XmlSyntax);
            }
            self.top().push_text(&text);
        }
    }

    fn tag_name(&self, tag: &ParsedTag) -> &str {
        self.text.get(tag.name.clone()).unwrap_or_default()
    }

    fn is_param(&self, name: &str) -> bool {
        names::has_param(self.tool, name)
    }

    /// Takes a whole tag; false where it is text.
    fn handle_tag(&mut self, tag: &ParsedTag) -> bool {
        if tag.kind == TagKind::End {
            return self.handle_end_tag(tag);
        }
        if self.open.len() >= DEEPEST {
            self.repairs.add(Repair::XmlSyntax);
            return false;
        }
        if self.is_param(self.tag_name(tag)) && self.is_in_leaf_param() {
            self.repairs.add(Repair::XmlSyntax);
            self.close_top(tag.range.start, tag.range.start);
        }
        let child = self.create_element(tag);
        match tag.kind {
            TagKind::Empty => self.top().nodes.push(ElementNode::Element(child)),
            _ => self.open.push(child),
        }
        true
    }

    /// Whether the innermost open child is a parameter that holds no elements, so that the next one closes it.
    fn is_in_leaf_param(&self) -> bool {
        let param = self
            .open
            .last()
            .zip(self.tool)
            .and_then(|(child, tool)| names::find_param(tool, &child.name));
        param.is_some_and(|param| !matches!(param.kind, ParamType::Object | ParamType::Array))
    }

    fn handle_end_tag(&mut self, tag: &ParsedTag) -> bool {
        let folded = names::fold_name(self.tag_name(tag));
        let Some(top) = self.open.last() else {
            // An end tag of nothing that is open: markup of a known kind is dropped, anything else was meant as text.
            let word = self.names.classify_name(self.tag_name(tag));
            let known = self.is_param(self.tag_name(tag))
                || !matches!(word, TagMeaning::Other | TagMeaning::Markup);
            let ends_thoughts = matches!(word, TagMeaning::Think | TagMeaning::Thoughts)
                && !self.text[tag.range.end..self.root.inner.end]
                    .trim()
                    .is_empty();
            let before = &self.text[self.root.inner.start..tag.range.start];
            let is_quoted = CodeContext::from_open_quote(before) != CodeContext::None;
            if !known || ends_thoughts || is_quoted || self.is_in_code(tag.range.start) {
                return false;
            }
            self.repairs.add(Repair::XmlSyntax);
            return true;
        };
        let depth = self
            .open
            .iter()
            .rposition(|child| names::fold_name(&child.name) == folded);
        let crossed = self.is_param(self.tag_name(tag)) && self.is_param(&top.name);
        match depth {
            Some(depth) => {
                while self.open.len() > depth + 1 {
                    if let Some(child) = self.open.pop() {
                        self.close_unended_child(child, tag.range.start);
                    }
                }
                self.close_top(tag.range.start, tag.range.end);
                true
            }
            None if folded.is_empty()
                || crossed
                || names::is_end_tag_typo(&folded, &names::fold_name(&top.name)) =>
            {
                self.repairs.add(Repair::XmlSyntax);
                self.close_top(tag.range.start, tag.range.end);
                true
            }
            None => false,
        }
    }

    /// Whether a fence or a code span of the content stands around this place.
    fn is_in_code(&mut self, at: usize) -> bool {
        let Self {
            code, root, text, ..
        } = self;
        let content = root.inner.clone();
        let ranges = code.get_or_insert_with(|| {
            code_span::find_code_ranges(text.get(content.clone()).unwrap_or_default())
        });
        let place = at.saturating_sub(content.start);
        let next = ranges.partition_point(|range| range.end <= place);
        ranges.get(next).is_some_and(|range| range.start <= place)
    }

    fn close_top(&mut self, inner_end: usize, outer_end: usize) {
        if let Some(mut child) = self.open.pop() {
            child.inner.end = inner_end;
            child.outer.end = outer_end;
            self.top().nodes.push(ElementNode::Element(child));
        }
    }

    /// A child without an end tag: a parameter goes on to the end of its parent; anything else was text.
    fn close_unended_child(&mut self, child: Element<'t>, end: usize) {
        let in_code = self.text[..child.outer.start].ends_with('`');
        let is_param = self.tool.is_none_or(|_| self.is_param(&child.name))
            || (!in_code
                && matches!(
                    self.names.classify_name(&child.name),
                    TagMeaning::Think | TagMeaning::Thoughts
                ));
        if is_param {
            self.repairs.add(Repair::XmlSyntax);
            self.open.push(child);
            return self.close_top(end, end);
        }
        self.repairs.add(Repair::XmlSyntax);
        let tag = self
            .text
            .get(child.outer.start..child.inner.start)
            .unwrap_or_default();
        let top = self.top();
        top.push_text(tag);
        for node in child.nodes {
            match node {
                ElementNode::Text(text) => top.push_text(&text),
                ElementNode::Element(_) => top.nodes.push(node),
            }
        }
    }

    /// The element a tag starts, without its content.
    fn create_element(&mut self, tag: &ParsedTag) -> Element<'t> {
        if tag.is_faulty() {
            self.repairs.add(Repair::XmlSyntax);
        }
        let mut element = Element {
            source: self.text,
            name: self.tag_name(tag).to_owned(),
            outer: tag.range.clone(),
            inner: tag.range.end..tag.range.end,
            ..Element::default()
        };
        let text = self.text;
        for attribute in &tag.attributes {
            let name = text.get(attribute.name.clone()).unwrap_or_default().trim();
            let is_param = self.is_param(name);
            match attribute.value.clone().and_then(|range| text.get(range)) {
                // `name=\"value\"` has a backslash before its end.
                Some(value) if value.ends_with('\\') && text[tag.range.clone()].contains("=\\") => {
                    let value = entity::decode_entities(value.trim_end_matches('\\'));
                    element.attributes.push((name.to_owned(), value));
                }
                Some(value) if tag.odd_quotes => {
                    self.split_value(name, value, &mut element.attributes)
                }
                Some(value) => {
                    let (decoded, bare) = entity::decode_entities_checked(value);
                    if bare || value.contains('<') {
                        self.repairs.add(Repair::XmlSyntax);
                    }
                    element.attributes.push((name.to_owned(), decoded));
                }
                None => match element.attributes.last_mut() {
                    // `text=hello there`: the second word belongs to the value that was not quoted.
                    Some((_, value)) if tag.odd_quotes && !is_param => value.extend([" ", name]),
                    _ => element
                        .attributes
                        .push((name.to_owned(), "true".to_owned())),
                },
            }
        }
        element
    }

    /// An attribute whose closing quote is missing has swallowed the next ones: `to="12 emoji="👀"`.
    fn split_value(&self, name: &str, value: &str, attributes: &mut Vec<(String, String)>) {
        const QUOTES: [char; 7] = ['"', '\'', '“', '”', '‘', '’', '＂'];
        let mut name = name.to_owned();
        let mut rest = value;
        let mut from = 0;
        while let Some(equals) = rest
            .get(from..)
            .and_then(|part| part.find('='))
            .map(|found| found + from)
        {
            from = equals + 1;
            let before = rest[..equals].trim_end();
            let word = before
                .rsplit(|c: char| c.is_whitespace() || QUOTES.contains(&c))
                .next()
                .unwrap_or(before);
            let known = self.is_param(word);
            let after = rest[equals + 1..].trim_start();
            let quoted = after.strip_prefix(QUOTES);
            if let (true, true, Some(after)) = (known, word.len() < before.len(), quoted) {
                let kept = before[..before.len() - word.len()]
                    .trim_end()
                    .trim_end_matches(QUOTES);
                attributes.push((
                    std::mem::replace(&mut name, word.to_owned()),
                    entity::decode_entities(kept),
                ));
                (rest, from) = (after, 0);
            }
        }
        attributes.push((name, entity::decode_entities(rest)));
    }
}

fn strip_partial_cdata_end(text: &str) -> &str {
    ["]>", "]]", "]"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .unwrap_or(text)
}

fn find_next_bracket(source: &str, at: usize) -> Option<(usize, char)> {
    let (offset, bracket) = find_first_sign(source.get(at..)?, ['<', '＜'])?;
    Some((at + offset, bracket))
}
