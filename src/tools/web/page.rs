//! What a person would read of a page: title, headings, paragraphs, lists, tables, as plain text. Navigation, scripts and
//! forms are left out, links are their words. Nothing that a page holds can make it fail or take more than one look.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// Elements nobody reads.
const NEVER: &[&[u8]] = &[
    b"script",
    b"style",
    b"template",
    b"noscript",
    b"svg",
    b"math",
    b"iframe",
    b"object",
    b"canvas",
    b"audio",
    b"video",
];
/// Elements around what a page is about.
const AROUND: &[&[u8]] = &[
    b"nav",
    b"footer",
    b"aside",
    b"button",
    b"select",
    b"textarea",
    b"dialog",
];
/// Elements that stand apart.
const APART: &[&[u8]] = &[
    b"p",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"ul",
    b"ol",
    b"dl",
    b"table",
    b"blockquote",
    b"pre",
    b"article",
    b"section",
    b"figure",
    b"hr",
];
/// Elements on a line of their own.
const LINE: &[&[u8]] = &[
    b"div",
    b"li",
    b"tr",
    b"dt",
    b"dd",
    b"br",
    b"caption",
    b"figcaption",
    b"summary",
    b"details",
    b"header",
    b"footer",
    b"main",
    b"nav",
    b"aside",
    b"form",
    b"fieldset",
    b"legend",
    b"option",
    b"address",
    b"body",
];
/// Less text than this, in characters, is not what a page is about.
const LITTLE: usize = 200;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WebPage {
    pub title: String,
    /// What it says it is about, on one line.
    pub description: String,
    pub text: String,
}

pub(super) fn parse_page(html: &str) -> WebPage {
    let page = Reader::new(true).read_page(html);
    if page.text.chars().nth(LITTLE).is_some() {
        return page;
    }
    // Perhaps everything stands in what was taken for navigation.
    let all = Reader::new(false).read_page(html);
    if all.text.len() > page.text.len() * 2 {
        all
    } else {
        page
    }
}

/// The text of a few words with tags in them, on one line.
pub(super) fn html_to_line(html: &str) -> String {
    to_one_line(&Reader::new(false).read_page(html).text)
}

fn to_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between two pieces of text; the larger of two counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Separator {
    None,
    Space,
    Cell,
    Line,
    Paragraph,
}

impl Separator {
    fn as_str(self) -> &'static str {
        match self {
            Separator::None => "",
            Separator::Space => " ",
            Separator::Cell => " | ",
            Separator::Line => "\n",
            Separator::Paragraph => "\n\n",
        }
    }
}

struct Reader {
    skips_navigation: bool,
    page: WebPage,
    /// The element that is being left out, and how many of its kind are open.
    left_out: Option<(Vec<u8>, usize)>,
    in_title: bool,
    /// How many `pre` are open.
    preformatted: usize,
    /// How many `main` and `article` are open, since where in the text, and the stretches that were closed.
    inside: usize,
    inside_from: usize,
    stretches: Vec<(usize, usize)>,
    gap: Separator,
    /// What begins the next piece of text: `- `, `## `.
    mark: String,
}

impl Reader {
    fn new(skips_navigation: bool) -> Self {
        Self {
            skips_navigation,
            page: WebPage::default(),
            left_out: None,
            in_title: false,
            preformatted: 0,
            inside: 0,
            inside_from: 0,
            stretches: Vec::new(),
            gap: Separator::None,
            mark: String::new(),
        }
    }

    fn read_page(mut self, html: &str) -> WebPage {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(html, emitter) {
            match token {
                Ok(Token::StartTag(tag)) => self.start_element(&tag),
                Ok(Token::EndTag(tag)) => self.end_element(&tag.name),
                Ok(Token::String(text)) => self.add_text(&String::from_utf8_lossy(&text)),
                Ok(_) => {}
                Err(never) => match never {},
            }
        }
        self.finish()
    }

    fn start_element(&mut self, tag: &StartTag<()>) {
        let name: &[u8] = &tag.name;
        if let Some((left_out, open)) = &mut self.left_out {
            *open += usize::from(left_out == name);
            return;
        }
        let is_around = AROUND.contains(&name) || name == b"header" && self.inside == 0;
        if NEVER.contains(&name) || self.skips_navigation && is_around {
            // Of all of them only these can close themselves.
            if !(tag.self_closing && matches!(name, b"svg" | b"math")) {
                self.left_out = Some((name.to_vec(), 1));
            }
            return;
        }
        match name {
            b"title" => self.in_title = self.page.title.is_empty(),
            b"meta" => self.read_meta(tag),
            b"main" | b"article" => {
                if self.inside == 0 {
                    self.inside_from = self.page.text.len();
                }
                self.inside += 1;
            }
            b"pre" => self.preformatted += 1,
            b"td" | b"th" => self.gap = self.gap.max(Separator::Cell),
            _ => {}
        }
        // A paragraph in a list item stands beside its mark.
        if self.mark.is_empty() {
            self.separate_element(name);
        }
        match name {
            b"li" => "- ".clone_into(&mut self.mark),
            [b'h', level @ b'1'..=b'6'] => {
                self.mark = format!("{} ", "#".repeat(usize::from(level - b'0')))
            }
            _ => {}
        }
    }

    fn end_element(&mut self, name: &[u8]) {
        if let Some((left_out, open)) = &mut self.left_out {
            *open -= usize::from(left_out == name);
            if *open == 0 {
                self.left_out = None;
            }
            return;
        }
        match name {
            b"title" => self.in_title = false,
            b"main" | b"article" if self.inside > 0 => {
                self.inside -= 1;
                if self.inside == 0 {
                    self.stretches
                        .push((self.inside_from, self.page.text.len()));
                }
            }
            b"pre" => self.preformatted = self.preformatted.saturating_sub(1),
            _ => {}
        }
        if self.separate_element(name) {
            self.mark.clear();
        }
    }

    /// Keeps an element apart from its neighbours; answers whether it is one that does.
    fn separate_element(&mut self, name: &[u8]) -> bool {
        let gap = match name {
            _ if APART.contains(&name) => Separator::Paragraph,
            _ if LINE.contains(&name) => Separator::Line,
            _ => return false,
        };
        self.gap = self.gap.max(gap);
        true
    }

    fn read_meta(&mut self, tag: &StartTag<()>) {
        let value =
            |name: &[u8]| Some(String::from_utf8_lossy(tag.attributes.get(name)?).into_owned());
        let meta_name = value(b"name")
            .or_else(|| value(b"property"))
            .unwrap_or_default()
            .to_ascii_lowercase();
        if self.page.description.is_empty()
            && matches!(meta_name.as_str(), "description" | "og:description")
        {
            self.page.description = to_one_line(&value(b"content").unwrap_or_default());
        }
    }

    fn add_text(&mut self, text: &str) {
        if self.left_out.is_some() {
            return;
        }
        let clean = |c: &char| !c.is_control() || c.is_whitespace();
        if self.in_title {
            self.page.title.extend(text.chars().filter(clean));
        } else if self.preformatted > 0 {
            self.begin_text();
            self.page
                .text
                .extend(text.chars().filter(clean).filter(|c| *c != '\r'));
        } else {
            if text.starts_with(char::is_whitespace) {
                self.gap = self.gap.max(Separator::Space);
            }
            for word in text.split_whitespace() {
                self.begin_text();
                self.page.text.extend(word.chars().filter(clean));
                self.gap = Separator::Space;
            }
            if !text.ends_with(char::is_whitespace) && self.gap == Separator::Space {
                self.gap = Separator::None;
            }
        }
    }

    fn begin_text(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Separator::None);
        if !self.page.text.is_empty() {
            self.page.text.push_str(gap.as_str());
        }
        self.page.text.push_str(&std::mem::take(&mut self.mark));
    }

    fn finish(mut self) -> WebPage {
        if self.inside > 0 {
            self.stretches
                .push((self.inside_from, self.page.text.len()));
        }
        let stretches = self
            .stretches
            .iter()
            .filter_map(|(from, to)| self.page.text.get(*from..*to));
        let inside: Vec<&str> = stretches
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .collect();
        let inside = inside.join("\n\n");
        if self.skips_navigation && inside.chars().nth(LITTLE).is_some() {
            self.page.text = inside;
        }
        self.page.text.truncate(self.page.text.trim_end().len());
        self.page.title = to_one_line(&self.page.title);
        self.page
    }
}

#[cfg(test)]
#[path = "../tests/inside/page.rs"]
mod tests;
