//! Which part of an answer the model gets: a path such as `current.items[0].name` or `days[*].high`.

use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// `.name`
    Key(String),
    /// `[0]`
    Index(usize),
    /// `[*]`
    All,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonPath(Vec<Step>);

impl JsonPath {
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no path into an answer");
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (key, mut rest) = part.find('[').map_or((part, ""), |at| part.split_at(at));
            // A document that is a list begins with an index.
            if !key.is_empty() {
                steps.push(Step::Key(key.to_owned()));
            } else if rest.is_empty() || !steps.is_empty() {
                return Err(wrong());
            }
            while let Some((index, after)) =
                rest.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            {
                steps.push(match index {
                    "*" => Step::All,
                    index => Step::Index(index.parse().map_err(|_| wrong())?),
                });
                rest = after;
            }
            if !rest.is_empty() || key.contains(']') {
                return Err(wrong());
            }
        }
        Ok(Self(steps))
    }

    /// What stands there; none where nothing does. `[*]` gives a list of what there is.
    pub fn pick(&self, document: &Value) -> Option<Value> {
        pick_value(&self.0, document)
    }
}

fn pick_value(steps: &[Step], document: &Value) -> Option<Value> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(document.clone());
    };
    match step {
        Step::Key(key) => pick_value(rest, document.get(key)?),
        Step::Index(index) => pick_value(rest, document.get(index)?),
        Step::All => Some(
            document
                .as_array()?
                .iter()
                .filter_map(|element| pick_value(rest, element))
                .collect(),
        ),
    }
}

#[cfg(test)]
#[path = "../../tests/inside/json_path.rs"]
mod tests;
