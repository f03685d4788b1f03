//! The shipped `get_weather`, against an answer in the shape of wttr.in's.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kith_core::persona::{Language, Persona};
use kith_tools::ToolContext;
use kith_tools::custom::http::HttpTool;
use kith_tools::custom::{DefinedTool, DefinitionContext, ToolDefinition};
use serde_json::{Value, json};

use super::allowed;
use crate::fake_model::{FakeModel, Reply};

/// The definition with the server's address in the place of wttr.in's.
fn definition(base: &str) -> HttpTool {
    let file: BTreeMap<String, ToolDefinition> =
        toml::from_str(include_str!("../../../../prompts/tools/weather.toml")).unwrap();
    let definition = file["get_weather"].clone();
    let http = definition.http.clone().unwrap();
    let defined = DefinedTool {
        name: "get_weather".to_owned(),
        file: Path::new("weather.toml").into(),
        line: 1,
        definition,
        skill: None,
    };
    assert_eq!(
        defined.find_problems(&DefinitionContext {
            secrets: &[],
            folder: Path::new("")
        }),
        []
    );
    assert!(defined.build_tool().is_some() && http.url.starts_with("https://wttr.in/"));
    HttpTool {
        url: http.url.replace("https://wttr.in", base),
        allow_private: vec!["127.0.0.1".parse().unwrap()],
        ..http
    }
}

fn day(date: &str, low: &str, high: &str) -> Value {
    let hours = ["0", "10", "86", "3", "20", "5", "0", "0"].map(|rain| {
        json!({
            "chanceofrain": rain, "weatherDesc": [{"value": "Patchy rain nearby "}], "lang_zh": [{"value": "附近零星小雨"}],
        })
    });
    json!({ "date": date, "mintempC": low, "maxtempC": high, "hourly": hours })
}

fn answer() -> Value {
    json!({
        "current_condition": [{
            "temp_C": "12", "FeelsLikeC": "10", "humidity": "80", "windspeedKmph": "15",
            "weatherDesc": [{"value": "Partly cloudy"}], "lang_zh": [{"value": "局部多云"}],
        }],
        "nearest_area": [{"areaName": [{"value": "Berlin"}], "country": [{"value": "Germany"}]}],
        "weather": [day("2026-03-01", "4", "13"), day("2026-03-02", "5", "11")],
    })
}

async fn ask(context: &ToolContext, site: &FakeModel, place: &str) -> kith_core::call::ToolResult {
    let params = json!({ "place": place }).as_object().cloned().unwrap();
    definition(&format!("http://{}", site.host()))
        .run(params, context.clone())
        .await
}

#[tokio::test]
async fn the_weather_is_told_in_few_words_in_both_languages() {
    let site = FakeModel::start().await;
    site.on("GET /Berlin?format=j1&lang=zh", Reply::json(200, answer()));
    site.on(
        "GET /%E6%9F%8F%E6%9E%97?format=j1&lang=zh",
        Reply::json(200, answer()),
    );
    let context = allowed(&site);
    let result = ask(&context, &site, "Berlin").await;
    assert_eq!(
        result.content,
        "Berlin, Germany: 12 °C, feels like 10 °C, partly cloudy, wind 15 km/h, humidity 80 %\n\
         2026-03-01: 4 to 13 °C, patchy rain nearby, rain 86 %\n\
         2026-03-02: 5 to 11 °C, patchy rain nearby, rain 86 %"
    );
    let persona = Persona {
        language: Language::ZH,
        ..Persona::clone(&context.persona)
    };
    let result = ask(
        &ToolContext {
            persona: Arc::new(persona),
            ..context
        },
        &site,
        "柏林",
    )
    .await;
    assert_eq!(
        result.content,
        "柏林：12°C，体感 10°C，局部多云，风速 15 公里/小时，湿度 80%\n\
         2026-03-01：4 到 13°C，附近零星小雨，降雨概率 86%\n\
         2026-03-02：5 到 11°C，附近零星小雨，降雨概率 86%"
    );
}

#[tokio::test]
async fn an_unknown_place_and_another_shape_are_errors() {
    let site = FakeModel::start().await;
    let context = allowed(&site);
    site.on(
        "GET /Nowhere?format=j1&lang=zh",
        Reply::new(404, "text/plain").bytes("location not found"),
    );
    let result = ask(&context, &site, "Nowhere").await;
    assert!(result.is_error);
    assert_eq!(
        result.content,
        "127.0.0.1 answered 404 Not Found: location not found"
    );
    site.on(
        "GET /Berlin?format=j1&lang=zh",
        Reply::json(200, json!({"current_condition": []})),
    );
    let result = ask(&context, &site, "Berlin").await;
    assert!(result.is_error, "{result:?}");
    assert!(
        result
            .content
            .starts_with("127.0.0.1 answered in a form that is not expected: "),
        "{result:?}"
    );
    // Without a place it would answer with where this machine is.
    let result = ask(&context, &site, " ").await;
    assert_eq!(
        result.content,
        "a parameter that belongs into the address is empty"
    );
}
