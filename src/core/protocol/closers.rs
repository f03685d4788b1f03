//! The end of a JSON document that a model wrote into its last text: it closed the text with another quote, or none.

/// How many brackets that nothing opened are an end of a document in the middle of a text …
const FEWEST_WITHIN: usize = 3;
/// … and at its end.
const FEWEST_AT_END: usize = 2;

/// The text up to the brackets that close a document around it: `hi”}}]} and more`, `hi}}`. None where it has none: what
/// the text itself opened is its own, and so is code.
pub(super) fn strip_closers(text: &str) -> Option<&str> {
    if text.contains('`') || !text.contains('}') {
        return None;
    }
    let mut open = 0_usize;
    let mut run: Option<Run> = None;
    for (at, c) in text.char_indices() {
        match c {
            '}' | ']' if run.is_none() && open > 0 => open -= 1,
            '}' | ']' => run
                .get_or_insert(Run {
                    from: at,
                    braces: 0,
                    brackets: 0,
                })
                .count_bracket(c),
            ' ' | '\n' => {}
            _ => {
                if let Some(run) = run.take().filter(Run::can_close_mid_text) {
                    return run.cut_text_before(text);
                }
                open += usize::from(matches!(c, '{' | '['));
            }
        }
    }
    run.filter(|run| run.can_close_at_end(text))
        .and_then(|run| run.cut_text_before(text))
}

/// Brackets side by side that nothing opened.
struct Run {
    from: usize,
    braces: usize,
    brackets: usize,
}

impl Run {
    fn count_bracket(&mut self, c: char) {
        if c == '}' {
            self.braces += 1
        } else {
            self.brackets += 1
        }
    }

    fn can_close_mid_text(&self) -> bool {
        self.braces > 0 && self.brackets > 0 && self.braces + self.brackets >= FEWEST_WITHIN
    }

    /// A face has one eye and any number of mouths.
    fn can_close_at_end(&self, text: &str) -> bool {
        let is_face = text[..self.from].ends_with([':', ';', '=', '8']);
        self.braces > 0 && self.braces + self.brackets >= FEWEST_AT_END && !is_face
    }

    /// The text before it, without the quote that was meant to end it, if there is any.
    fn cut_text_before<'a>(&self, text: &'a str) -> Option<&'a str> {
        let before = text[..self.from].trim_end();
        let before = before
            .strip_suffix(['\'', '"', '”', '“', '’', '‘', '」', '』'])
            .unwrap_or(before)
            .trim_end();
        before.contains(char::is_alphanumeric).then_some(before)
    }
}
