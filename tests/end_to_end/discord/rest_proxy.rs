//! Processes that share what a bot may ask Discord can do it by a proxy that counts for all. One that others wrote stands
//! in between here, `@discordjs/proxy`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::discord::prelude::*;

const POSTS: &str = "POST /channels/*/messages";

/// The proxy's process, ended when it is dropped.
struct RestProxy {
    process: Child,
    port: u16,
}

impl RestProxy {
    fn start(folder: &str, fake: &FakeDiscord, port: u16) -> Self {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/end_to_end/discord/rest_proxy.cjs");
        let mut process = Command::new("node")
            .arg(script)
            .args([folder, &format!("{}/api", fake.origin()), &port.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let port = line.trim().parse().unwrap();
        Self { process, port }
    }
}

impl Drop for RestProxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `KITH_DISCORD_PROXY` is the folder in which `@discordjs/proxy` is installed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(
    clippy::disallowed_methods,
    reason = "where the proxy is, is the environment's to say"
)]
async fn behind_a_proxy_every_answer_is_said_once_also_when_it_is_limited_or_gone_for_a_while() {
    let Ok(folder) = std::env::var("KITH_DISCORD_PROXY") else {
        kith_testkit::say_skipped("KITH_DISCORD_PROXY names no folder with @discordjs/proxy");
        return;
    };
    let fake = FakeDiscord::start(World::small());
    let proxy = RestProxy::start(&folder, &fake, 0);
    let port = proxy.port;
    let url = model(|user| {
        let newest = user.lines().rfind(|line| line.contains("Anna: ")).unwrap_or_default();
        let word = newest.split(' ').next_back().unwrap_or_default();
        format!("<turn><send_message>first {word}</send_message><send_message>then {word}</send_message></turn>")
    })
    .await;
    let settings = settings(&fake, &url, "", &on(GENERAL))
        .replace(&fake.api(), &format!("http://127.0.0.1:{port}/api/v10"));
    let test = DiscordTest::with(fake, &settings, &[]).await;
    let ask = |word: &str| test.calls(GENERAL, ANNA, word);

    ask("plain");
    test.post(GENERAL, 1).await;
    test.fake
        .fault(POSTS, Fault::RouteLimit(Duration::from_millis(400)));
    ask("limited");
    test.post(GENERAL, 3).await;
    drop(proxy);
    ask("gone");
    test.kith
        .until_logged("not delivered yet, tried again in")
        .await;
    let _proxy = RestProxy::start(&folder, &test.fake, port);
    test.post(GENERAL, 5).await;

    assert_eq!(test.posts_in_peace(GENERAL).await, 6);
    let posts = test.fake.posts(GENERAL);
    let texts: Vec<&str> = posts.iter().map(|post| post.text.as_str()).collect();
    let words = ["plain", "limited", "gone"];
    let expected = words.map(|word| [format!("first {word}"), format!("then {word}")]);
    assert_eq!(texts, expected.as_flattened());
}
