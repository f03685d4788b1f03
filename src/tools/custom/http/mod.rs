//! Tools of the kind `http`: one request, its parts filled in from the parameters, and what of the answer the model
//! gets. Goes to the web by the guarded client only; a secret leaves it in a request and never in a result.

mod check;
mod json_path;
mod request_template;

use kith_language::{LocalizedMessage, TranslatedText, custom_tools};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use minijinja::value::{Serde, Value as Filled};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use self::json_path::JsonPath;
use self::request_template::{DATA, SECRET, TemplatePosition};
use super::translated_fields::TranslationReader;
use crate::ToolContext;
use crate::tool_news::redact_result;
use crate::web::{
    HostPattern, TextKind, WebRequest, WebResponse, extract_readable_text, shorten_line,
};
use kith_core::call::ToolResult;

/// How much of an answer is read, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// How long a request may take where its tool is given longer.
const LONGEST: Duration = Duration::from_secs(60);
/// How much of an error's body is told, in characters.
const OF_ERROR: usize = 200;
/// The headers that the client sets itself.
const OWN_HEADERS: [&str; 6] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
    "expect",
];

/// The field for what the model reads; `answer_zh` and the like translate it.
const ANSWER: &str = "answer";

/// `[NAME.http]`: a request, and what of the answer is told.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct HttpTool {
    #[serde(default)]
    pub method: HttpMethod,
    /// Where: a template in which every value is percent-encoded. The host is written out.
    pub url: String,
    /// What is added to the address: templates. One that comes to nothing is left out.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    /// Templates. One that comes to nothing is left out.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What is sent, as text: a template.
    #[serde(default)]
    pub body: Option<String>,
    /// What is sent, as JSON whose texts are templates.
    #[serde(default)]
    pub json: Option<Value>,
    #[serde(default)]
    pub pick: Option<String>,
    /// What the model reads: a template of `data` and the parameters; without it, the part itself.
    #[serde(default)]
    pub answer: TranslatedText,
    /// The places in private networks that it may go to.
    #[serde(default)]
    pub allow_private: Vec<HostPattern>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum HttpMethod {
    #[default]
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl From<HttpMethod> for Method {
    fn from(verb: HttpMethod) -> Self {
        match verb {
            HttpMethod::Get => Method::GET,
            HttpMethod::Post => Method::POST,
            HttpMethod::Put => Method::PUT,
            HttpMethod::Patch => Method::PATCH,
            HttpMethod::Delete => Method::DELETE,
        }
    }
}

impl<'de> Deserialize<'de> for HttpTool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut translations = TranslatedText::default();
        let reader = TranslationReader::new(deserializer, ANSWER, &mut translations);
        let mut tool = Self::deserialize(reader)?;
        tool.answer.add_all(translations);
        Ok(tool)
    }
}

impl HttpTool {
    /// All templates: the path below the tool's table, the text, and where it stands.
    fn templates(&self) -> Vec<(String, &str, TemplatePosition)> {
        let mut templates = vec![(
            "http.url".to_owned(),
            self.url.as_str(),
            TemplatePosition::Url,
        )];
        for (table, entries) in [("query", &self.query), ("headers", &self.headers)] {
            templates.extend(entries.iter().map(|(name, text)| {
                (
                    format!("http.{table}.{name}"),
                    text.as_str(),
                    TemplatePosition::Text,
                )
            }));
        }
        templates.extend(self.body.iter().map(|text| {
            (
                "http.body".to_owned(),
                text.as_str(),
                TemplatePosition::Text,
            )
        }));
        if let Some(json) = &self.json {
            collect_texts("http.json".to_owned(), json, &mut templates);
        }
        let answers = self
            .answer
            .fields(ANSWER)
            .filter(|(_, text)| !text.is_empty());
        templates.extend(
            answers.map(|(field, text)| (format!("http.{field}"), text, TemplatePosition::Answer)),
        );
        templates
    }

    /// Makes the request. Whatever goes wrong is a result that the model can read, and no result holds a secret.
    pub async fn run(&self, params: Map<String, Value>, context: ToolContext) -> ToolResult {
        let result = match self.build_request(&params, &context) {
            Ok(request) => match context.web.fetch(request).await {
                Ok(answer) => self.build_result(answer, &params, &context).await,
                Err(trouble) => Err(trouble.into()),
            },
            Err(problem) => Err(problem),
        };
        let result = result.unwrap_or_else(|why| context.build_error(why));
        redact_result(result, &context.redactor, context.language())
    }

    fn build_request(
        &self,
        params: &Map<String, Value>,
        context: &ToolContext,
    ) -> Result<WebRequest, LocalizedMessage> {
        let values = Filled::from(Serde(params));
        let mut url = request_template::fill_url(&self.url, &values)?;
        let secret_values = self.add_secrets(params, context)?;
        request_template::fill_query(&mut url, &self.query, &secret_values)?;
        let mut headers = request_template::fill_headers(&self.headers, &secret_values)?;
        let body = match (&self.json, &self.body) {
            (Some(json), _) => {
                headers
                    .entry(CONTENT_TYPE)
                    .or_insert(HeaderValue::from_static("application/json"));
                request_template::fill_json(json, &secret_values)?
            }
            (None, Some(body)) => request_template::fill_body(body, &secret_values)?,
            (None, None) => String::new(),
        };
        Ok(WebRequest {
            method: self.method.into(),
            url,
            headers,
            body,
            private_hosts: self.allow_private.clone().into(),
            most_bytes: MOST_BYTES,
            time_out: LONGEST,
        })
    }

    /// The parameters, and the secrets that the templates name: no parameter chooses another.
    fn add_secrets(
        &self,
        params: &Map<String, Value>,
        context: &ToolContext,
    ) -> Result<Filled, LocalizedMessage> {
        let templates = self.templates();
        let names = templates
            .iter()
            .filter(|(_, _, at)| *at == TemplatePosition::Text)
            .map(|(_, text, _)| request_template::list_template_names(text));
        let names: BTreeSet<String> = names
            .collect::<Result<Vec<_>, String>>()?
            .into_iter()
            .flatten()
            .collect();
        let mut named = BTreeMap::new();
        for name in names
            .iter()
            .filter_map(|name| name.strip_prefix(SECRET)?.strip_prefix('.'))
        {
            let secret = context
                .secrets
                .get(name)
                .ok_or_else(|| custom_tools::no_secret(name))?;
            named.insert(name, secret.expose());
        }
        let mut values = params.clone();
        values.insert(SECRET.to_owned(), json!(named));
        Ok(Filled::from(Serde(&values)))
    }

    async fn build_result(
        &self,
        answer: WebResponse,
        params: &Map<String, Value>,
        context: &ToolContext,
    ) -> Result<ToolResult, LocalizedMessage> {
        let host = answer.url.host_str().unwrap_or_default().to_owned();
        let details = Some(
            json!({ "host": host, "status": answer.status.as_u16(), "bytes": answer.text.len() }),
        );
        // What is cut, picked or put into a template is rid of secrets before: of what comes out they may not be known.
        let redactor = &context.redactor;
        if !answer.status.is_success() {
            let said = shorten_line(
                &redactor.redact(&extract_readable_text(&answer).await),
                OF_ERROR,
            );
            let (code, status) = (answer.status.as_str().to_owned(), answer.status.to_string());
            let answered = custom_tools::answered_with_status(code, host, said, status);
            let error = context.build_error(answered);
            return Ok(ToolResult { details, ..error });
        }
        if !answer.is_whole {
            return Err(custom_tools::answer_too_large(host, MOST_BYTES >> 10));
        }
        let template =
            Some(self.answer.in_language(context.language())).filter(|text| !text.is_empty());
        if answer.kind != TextKind::Json && self.pick.is_none() && template.is_none() {
            return Ok(ToolResult {
                details,
                ..ToolResult::ok(extract_readable_text(&answer).await)
            });
        }
        let Ok(data) = serde_json::from_str::<Value>(&answer.text) else {
            let said = shorten_line(
                &redactor.redact(&extract_readable_text(&answer).await),
                OF_ERROR,
            );
            return Err(custom_tools::answer_no_json(host, said));
        };
        let mut data = redactor.redact_json(data);
        if let Some(path) = &self.pick {
            data = JsonPath::parse(path)?
                .pick(&data)
                .ok_or_else(|| custom_tools::answer_without_path(&host, path))?;
        }
        let content = match (template, data) {
            (Some(template), data) => {
                let mut values = params.clone();
                values.insert(DATA.to_owned(), data);
                let filled = request_template::fill_text(
                    template,
                    &Filled::from(Serde(&values)),
                    TemplatePosition::Answer,
                );
                filled.map_err(|problem| custom_tools::answer_unexpected(host, problem))?
            }
            (None, Value::String(text)) => text,
            (None, data) => data.to_string(),
        };
        Ok(ToolResult {
            details,
            ..ToolResult::ok(content.trim())
        })
    }
}

/// The texts in a JSON document, each with its path.
fn collect_texts<'a>(
    at: String,
    json: &'a Value,
    into: &mut Vec<(String, &'a str, TemplatePosition)>,
) {
    match json {
        Value::String(text) => into.push((at, text, TemplatePosition::Text)),
        Value::Array(elements) => {
            elements
                .iter()
                .enumerate()
                .for_each(|(index, element)| collect_texts(format!("{at}.{index}"), element, into));
        }
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, field)| collect_texts(format!("{at}.{name}"), field, into));
        }
        _ => {}
    }
}
