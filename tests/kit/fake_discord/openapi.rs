//! Discord's own OpenAPI description as a judge of what is sent and answered. It is no part of the project: it is read
//! from the folder `KITH_SHARED` names, and where that is unset nothing is judged and one line says so.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Value, json};

/// The name the description is referred to by; nothing is fetched.
const BASE: &str = "urn:discord:description";

pub struct Description {
    document: &'static Value,
    registry: Registry<'static>,
    /// Method, path in segments, and the path as it is written.
    routes: Vec<(String, Vec<String>, String)>,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl std::fmt::Debug for Description {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Discord's description, {} routes", self.routes.len())
    }
}

/// The description, if there is one on this machine. Read once in a process.
pub fn description() -> Option<&'static Description> {
    static READ: LazyLock<Option<Description>> = LazyLock::new(read);
    READ.as_ref()
}

fn read() -> Option<Description> {
    let path = crate::find_shared("discord/openapi.json")?;
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut document: Value = serde_json::from_str(&text).expect("a description in JSON");
    // It leaves out that a reference can be a forward.
    if let Some(kinds) =
        document["components"]["schemas"]["MessageReferenceType"]["oneOf"].as_array_mut()
    {
        kinds.push(json!({"title": "FORWARD", "const": 1}));
    }
    let document: &'static Value = Box::leak(Box::new(document));
    let resource = Draft::Draft202012.create_resource_ref(document);
    let registry = Registry::new()
        .add(BASE, resource)
        .and_then(|registry| registry.prepare());
    let registry = registry.expect("a description whose references resolve");
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
        for method in methods
            .as_object()
            .into_iter()
            .flatten()
            .map(|(method, _)| method)
        {
            routes.push((method.to_uppercase(), segments.clone(), path.clone()));
        }
    }
    Some(Description {
        document,
        registry,
        routes,
        validators: Mutex::default(),
    })
}

impl Description {
    pub fn check_request(&self, method: &str, path: &str, body: &Value) -> Vec<String> {
        let Some(operation) = self.operation(method, path) else {
            return vec![format!("{method} {path} is not in Discord's description")];
        };
        let place = format!("{operation}/requestBody/content/application~1json/schema");
        match self.document.pointer(&place) {
            Some(_) => self.judge(&place, body, &format!("the body of {method} {path}")),
            None if body.is_null() => Vec::new(),
            None => vec![format!("{method} {path} takes no body, but got {body}")],
        }
    }

    pub fn check_answer(&self, method: &str, path: &str, status: u16, body: &Value) -> Vec<String> {
        let Some(operation) = self.operation(method, path) else {
            return Vec::new();
        };
        let Some(answer) = self
            .document
            .pointer(&format!("{operation}/responses/{status}"))
        else {
            return vec![format!("{method} {path} never answers {status}")];
        };
        match answer.pointer("/content/application~1json/schema") {
            Some(_) => {
                let place =
                    format!("{operation}/responses/{status}/content/application~1json/schema");
                self.judge(
                    &place,
                    body,
                    &format!("the fake's {status} to {method} {path}"),
                )
            }
            None => Vec::new(),
        }
    }

    /// What a value breaks of a schema by name.
    pub fn check(&self, schema: &str, value: &Value) -> Vec<String> {
        self.judge(
            &format!("/components/schemas/{schema}"),
            value,
            &format!("the fake's {schema}"),
        )
    }

    /// Where the operation of a request stands: the route with the most words that fits.
    fn operation(&self, method: &str, path: &str) -> Option<String> {
        let asked: Vec<&str> = path.split('/').collect();
        let fits = |segments: &[String]| {
            let same =
                |(segment, asked): (&String, &&str)| segment.starts_with('{') || segment == asked;
            segments.len() == asked.len() && segments.iter().zip(&asked).all(same)
        };
        let words = |segments: &[String]| {
            segments
                .iter()
                .filter(|segment| !segment.starts_with('{'))
                .count()
        };
        let candidates = self
            .routes
            .iter()
            .filter(|(known, segments, _)| known == method && fits(segments));
        let (method, _, path) = candidates.max_by_key(|(_, segments, _)| words(segments))?;
        Some(format!(
            "/paths/{}/{}",
            path.replace('~', "~0").replace('/', "~1"),
            method.to_lowercase()
        ))
    }

    fn judge(&self, place: &str, value: &Value, what: &str) -> Vec<String> {
        let validator = self.validator(place);
        let problems = validator.iter_errors(value).take(3).map(|problem| {
            let mut shown = value.to_string();
            shown.truncate(shown.floor_char_boundary(600));
            format!(
                "{what}: {} at {}: {shown}",
                problem,
                problem.instance_path()
            )
        });
        problems.collect()
    }

    fn validator(&self, place: &str) -> Arc<Validator> {
        let mut validators = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let made = validators.entry(place.to_owned()).or_insert_with(|| {
            let fragment = place.replace('{', "%7B").replace('}', "%7D");
            let schema = json!({"$ref": format!("{BASE}#{fragment}")});
            let options = jsonschema::options()
                .with_draft(Draft::Draft202012)
                .with_registry(&self.registry);
            Arc::new(
                options
                    .build(&schema)
                    .unwrap_or_else(|error| panic!("{place}: {error}")),
            )
        });
        made.clone()
    }
}
