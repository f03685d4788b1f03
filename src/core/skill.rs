//! What a SKILL.md says: its front matter and its body. Pure text; where the file stands is others' business.

use kith_language::TranslatedText;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillSpec {
    pub name: String,
    /// What it is for, in one line, in the language of the prompt.
    pub description: String,
    pub has_files: bool,
    /// Whether some of these can be run.
    pub has_scripts: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillFile {
    /// Its name: that of its folder where it says none.
    pub name: String,
    /// What it is for, in one line.
    pub description: TranslatedText,
    /// What to do.
    pub body: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFlaw {
    /// The line, counted from 1.
    pub line: usize,
    pub message: String,
    pub cure: &'static str,
}

/// The tool that tells how a skill is done.
pub const ACTIVATE_SKILL: &str = "activate_skill";

/// The longest name, in characters.
const NAME_CHARACTERS: usize = 64;
/// The longest description, in characters: it stands in every prompt.
const DESCRIPTION_CHARACTERS: usize = 1_024;
/// The longest body, in characters: it stands in every round that follows.
pub const BODY_CHARACTERS: usize = 16_000;
const DESCRIPTION: &str = "description";
/// What front matter stands between.
const FENCE: &str = "---";

/// Reads a SKILL.md that stands in a folder of this name. Of the front matter it takes `name`, `description` and its
/// translations, such as `description_zh`, each a line, quoted or not, or lines below that are set in; what else stands
/// there is others'.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse_skill(text: &str, folder: &str) -> Result<SkillFile, SkillFlaw> {
    let flaw = |line: usize, message: String, cure| {
        Err(SkillFlaw {
            line,
            message,
            cure,
        })
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (front, body, behind) = split_front_matter(text)?;
    let fields = parse_fields(&front)?;
    let field = |name: &str| fields.iter().find(|field| field.name == name);
    let name = field("name").map_or_else(|| to_name(folder), |field| field.value.clone());
    let at = |name: &str| field(name).map_or(1, |field| field.line);
    if name.is_empty() || name.chars().count() > NAME_CHARACTERS || !name.chars().all(is_plain) {
        let cure = "write `name: movie-night`: letters, digits, - and _, at most 64";
        return flaw(
            at("name"),
            format!("{name:?} cannot be the name of a skill"),
            cure,
        );
    }
    let body = check_body(body, behind)?;
    let description = collect_description(&fields, &body);
    for (field, value) in description.fields(DESCRIPTION) {
        let length = value.chars().count();
        if length > DESCRIPTION_CHARACTERS {
            let message = format!("`{field}` has {length} characters and stands in every prompt");
            return flaw(at(&field), message, "shorten it to 1024 characters or less");
        }
    }
    Ok(SkillFile {
        name,
        description,
        body,
    })
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

/// The name of a skill that stands in a folder and says none.
fn to_name(folder: &str) -> String {
    let plain = |c: char| if is_plain(c) { c } else { '-' };
    folder
        .trim()
        .chars()
        .map(plain)
        .take(NAME_CHARACTERS)
        .collect()
}

/// The description with its translations; without one the beginning of what is to be done.
fn collect_description(fields: &[Field], body: &str) -> TranslatedText {
    let original = fields.iter().find(|field| field.name == DESCRIPTION);
    let original = original.map(|field| field.value.clone());
    let original = original.filter(|text| !text.is_empty());
    let original = original.unwrap_or_else(|| read_first_paragraph(body));
    let mut description = TranslatedText::from(original);
    for Field { name, value, .. } in fields {
        if let Some(language) = TranslatedText::find_language(DESCRIPTION, name) {
            description.add(language, value.clone());
        }
    }
    description
}

/// The first lines of a text that stand together and are no heading; of a text of headings, the first.
fn read_first_paragraph(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let is_told = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let from = lines.skip_while(|line| !is_told(line));
    let words: Vec<&str> = from
        .take_while(is_told)
        .flat_map(str::split_whitespace)
        .collect();
    let told = if words.is_empty() {
        text.trim_start_matches('#')
            .lines()
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    } else {
        words.join(" ")
    };
    told.chars().take(DESCRIPTION_CHARACTERS).collect()
}

/// The body in another language: a file that holds nothing else.
///
/// # Errors
/// It is empty or too long.
pub fn parse_body(text: &str) -> Result<String, SkillFlaw> {
    check_body(text.strip_prefix('\u{feff}').unwrap_or(text), 1)
}

fn check_body(text: &str, line: usize) -> Result<String, SkillFlaw> {
    let body = text.trim();
    let length = body.chars().count();
    if body.is_empty() {
        let cure = "write below the front matter what to do";
        return Err(SkillFlaw {
            line,
            message: "it says nothing".into(),
            cure,
        });
    }
    if length > BODY_CHARACTERS {
        let message = format!("it has {length} characters");
        return Err(SkillFlaw {
            line,
            message,
            cure: "shorten it to 16000, and move the rest into files beside it",
        });
    }
    Ok(body.to_owned())
}

type SkillLine<'a> = (usize, &'a str);

/// The numbered lines of the front matter, the text behind it, and the number of the line that begins with.
fn split_front_matter(text: &str) -> Result<(Vec<SkillLine<'_>>, &str, usize), SkillFlaw> {
    let mut lines = text.split_inclusive('\n');
    if lines.next().is_none_or(|first| first.trim_end() != FENCE) {
        return Ok((Vec::new(), text, 1));
    }
    let mut front = Vec::new();
    let mut rest = text
        .get(text.find('\n').map_or(text.len(), |end| end + 1)..)
        .unwrap_or_default();
    for (index, line) in lines.enumerate() {
        rest = rest.get(line.len()..).unwrap_or_default();
        if line.trim_end() == FENCE {
            return Ok((front, rest, index + 3));
        }
        front.push((index + 2, line.trim_end()));
    }
    Err(SkillFlaw {
        line: 1,
        message: "the front matter does not end".into(),
        cure: "write a line of --- behind it",
    })
}

struct Field {
    line: usize,
    name: String,
    value: String,
}

fn parse_fields(front: &[(usize, &str)]) -> Result<Vec<Field>, SkillFlaw> {
    let mut fields: Vec<Field> = Vec::new();
    for (line, text) in front {
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        if text.starts_with([' ', '\t', '-']) {
            // Belongs to what stands above it, as do the items of a list.
            if let Some(field) = fields.last_mut() {
                field.value = format!("{} {}", field.value, text.trim()).trim().to_owned();
            }
            continue;
        }
        let Some((name, value)) = text.split_once(':') else {
            let message = format!("{text:?} is no `name: value`");
            return Err(SkillFlaw {
                line: *line,
                message,
                cure: "write one, or end the front matter with ---",
            });
        };
        let name = name.trim().to_owned();
        if fields.iter().any(|field| field.name == name) {
            let message = format!("`{name}` stands there twice");
            return Err(SkillFlaw {
                line: *line,
                message,
                cure: "keep one of them",
            });
        }
        fields.push(Field {
            line: *line,
            name,
            value: parse_value(value.trim()),
        });
    }
    for field in &mut fields {
        field.value = unquote(&field.value)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
    }
    Ok(fields)
}

/// The value behind a name: nothing where it only says that lines follow, and no comment.
fn parse_value(value: &str) -> String {
    if matches!(value, ">" | "|" | ">-" | "|-" | ">+" | "|+") {
        return String::new();
    }
    let comment = if value.starts_with(['"', '\'']) {
        None
    } else {
        value.find(" #")
    };
    value
        .get(..comment.unwrap_or(value.len()))
        .unwrap_or(value)
        .trim()
        .to_owned()
}

fn unquote(value: &str) -> String {
    let between = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = between('"') {
        return text.replace("\\\"", "\"").replace("\\\\", "\\");
    }
    between('\'').map_or_else(|| value.to_owned(), |text| text.replace("''", "'"))
}
