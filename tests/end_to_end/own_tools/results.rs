//! What a result looks like after filters and templates, and that no secret is in it.

use super::*;
use kith_testkit::assert_lacks;

#[tokio::test]
async fn a_filter_rewrites_a_result_and_a_template_says_what_people_see() {
    let more = "render = \"{{ arguments.place }}: {{ details.t }} °C\"\n[own.filter]\ncontent = \"{{ details.now.t }} degrees\"\n\
                details = \"details.now\"\nis_error = \"details.now.t > 60\"\n";
    let with = |t: u32| {
        Bench::of(
            &format!("echo '{{\"now\": {{\"t\": {t}}}}}'"),
            &format!("{more}{PLACE}"),
        )
    };
    let cool = with(3).run(json!({"place": "Oslo"})).await;
    assert_eq!((cool.content.as_str(), cool.is_error), ("3 degrees", false));
    assert_eq!(
        cool.details,
        Some(json!({"t": 3, "rendered": "Oslo: 3 °C"}))
    );
    assert!(with(99).run(json!({"place": "Oslo"})).await.is_error);
    let broken = Bench::of("echo '{}'", "render = \"{{ nothing() }}\"")
        .run(json!({}))
        .await;
    assert_eq!(
        (broken.content.as_str(), broken.details),
        ("{}", Some(json!({}))),
        "it falls back to plain"
    );
    let closed = Bench::of(
        "echo private",
        "[own.filter]\ncontent = \"{{ nothing() }}\"",
    )
    .run(json!({}))
    .await;
    assert!(
        closed.is_error && !closed.content.contains("private"),
        "{}",
        closed.content
    );
}

#[tokio::test]
async fn an_endless_template_ends() {
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}";
    let result = Bench::of("echo hi", &format!("render = \"{endless}\""))
        .run(json!({}))
        .await;
    assert_eq!((result.content.as_str(), result.details), ("hi", None));
}

#[tokio::test]
async fn a_secret_of_the_settings_is_in_no_result() {
    let bench = Bench::of(r#"echo '{"data": {"k-123456": "k-123456"}}'"#, "");
    let result = bench.run(json!({})).await;
    let all = format!("{} {:?}", result.content, result.details);
    assert_lacks(&all, [Secret::new("k-123456").expose()]);
}

#[tokio::test]
async fn no_form_of_any_secret_comes_back_however_it_is_written() {
    let json = r#"echo '{"content": "it is \"sk-of\/the+model\"", "details": {"a": ["sk-of/the+model"], "sk-of/the+model": 1}}'"#;
    for script in [
        "echo the key sk-of/the+model!",
        "printf sk-of/; sleep 0.1; printf the+; sleep 0.1; echo model",
        "printf 'x%sy' sk-of/the+model | base64",
        "printf %s sk-of/the+model | base64",
        "printf %s xxsk-of/the+modelxx | base64 | tr '+/' '-_'",
        "printf %s sk-of/the+model | od -An -tx1 | tr -d ' \\n'",
        "echo '?key=sk-of%2Fthe%2Bmodel&x=sk-of%2fthe%2bmodel'",
        "echo sk-of/the+model >&2; exit 1",
        r#"echo '{"error": "refused: sk-of/the+model"}'"#,
        r#"echo '{"pending": {"preview": "sk-of/the+model", "params": {"n": 3}}}'"#,
        r#"echo '{"pending": {"params": {"n": "sk-of/the+model"}}}'"#,
        r#"echo '{"progress": "sk-of/the+model"}'; echo '{"publish": {"name": "sk-of/the+model", "data": {"sk-of/the+model": 1}}}'"#,
        json,
    ] {
        let bench = Bench::of(script, "");
        let result = bench.run(json!({})).await;
        let told = format!("{} {:?} {:?}", result.content, result.details, bench.news());
        assert!(
            told.contains("<redacted>") || told.contains("with a secret among"),
            "{script}: {told}"
        );
        let parts = [
            "sk-of", "the+", "model", "c2stb2Y", "NrLW9m", "zay1vZi", "736b2d", "%2F", "%2f",
        ];
        assert!(
            !parts.iter().any(|part| told.contains(part)),
            "{script}: {told}"
        );
    }
}

#[tokio::test]
async fn a_secret_is_taken_out_before_a_result_is_cut_or_filtered() {
    let filter = "[own.filter]\ncontent = \"{{ content[:9] | upper }} {{ details.k | upper }}\"\n";
    let bench = Bench::of(
        r#"echo '{"content": "sk-of/the+model", "details": {"k": "k-123456"}}'"#,
        filter,
    );
    assert_eq!(bench.run(json!({})).await.content, "<REDACTED <REDACTED>");
    let long = format!("printf '%0190d' 0; echo sk-of/the+model{}", "x".repeat(200));
    let bench = Bench::of(&long, "result_characters = 199");
    let result = bench.run(json!({})).await.content;
    assert_lacks(&result, ["sk-"]);
    let bench = Bench::of(&format!("{{ {long}; }} >&2; exit 1"), "");
    let result = bench.run(json!({})).await.content;
    assert_lacks(&result, ["sk-"]);
}

#[test]
fn the_model_is_told_in_its_language_and_in_the_order_of_the_file() {
    let definitions = "[zoo]\ndescription = \"Animals.\"\ndescription_zh = \"动物。\"\nprimary = \"kind\"\n\
        parameters = { z = { description = \"last letter\", description_zh = \"末字母\" }, kind = { required = true, enum = [\"cat\", \"dog\"] }, a = { type = \"boolean\" } }\n\
        command = { argv = [\"./own.sh\"] }\n[ant]\ndescription = \"One.\"\ncommand = { argv = [\"./own.sh\"] }\n";
    let registry = Bench::with(definitions, "echo")
        .settings
        .build_registry(Vec::new());
    let lines = |language| {
        let specs = registry.specs(language);
        let own = specs
            .iter()
            .filter(|spec| ["zoo", "ant"].contains(&spec.name.as_str()));
        own.map(|spec| {
            kith_tools::tool_rendering::render_tool(
                spec,
                kith_core::policy::OutputProtocol::Xml,
                language,
            )
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(Language::EN),
        [
            "<zoo>cat|dog</zoo> Animals. Optional: z (last letter), a (true|false)",
            "<ant/> One."
        ]
    );
    assert_eq!(
        lines(Language::ZH)[0],
        "<zoo>cat|dog</zoo> 动物。可选：z (末字母), a (true|false)"
    );
}
