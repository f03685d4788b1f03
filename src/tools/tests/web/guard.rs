//! Where `web_fetch` does not go, and what it does not take.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::{FakeNames, allowed, fetch, on_the_web, refused};
use crate::fake_model::{FakeModel, Reply};

fn page(text: &str) -> Reply {
    Reply::new(200, "text/html").bytes(text)
}

fn redirect(to: &str) -> Reply {
    Reply::new(302, "text/html").header("location", to)
}

#[tokio::test]
async fn an_address_that_is_not_public_is_refused_however_it_is_spelled() {
    let site = FakeModel::start().await;
    let port = site.host().rsplit(':').next().unwrap();
    let context = on_the_web(&[], FakeNames::new(&[]));
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0x7f000001",
        "１２７.0.0.1",
        "127.0.0.1.",
    ] {
        let result = fetch(&format!("http://{host}:{port}/"), &context).await;
        refused(
            &result,
            "127.0.0.1 is an address of this machine, and only public ones are fetched from",
        );
    }
    for (host, kind) in [
        ("[::1]", "an address of this machine"),
        ("[::ffff:127.0.0.1]", "an address of this machine"),
        ("[64:ff9b::7f00:1]", "an address of this machine"),
        ("[2002:7f00:1::]", "a reserved address"),
        ("[fd00:ec2::254]", "a private address"),
        ("0.0.0.0", "an unspecified address"),
        ("10.1.2.3", "a private address"),
        ("100.100.100.200", "a provider's private address"),
        ("169.254.169.254", "a link-local address"),
        ("255.255.255.255", "a reserved address"),
    ] {
        let result = fetch(&format!("http://{host}:{port}/latest/meta-data/"), &context).await;
        assert!(
            result
                .content
                .ends_with(&format!("is {kind}, and only public ones are fetched from")),
            "{result:?}"
        );
        assert!(result.is_error);
    }
    assert_eq!(site.asked().len(), 0);
}

#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_refused_without_telling_where() {
    let site = FakeModel::start().await;
    let names = FakeNames::new(&[
        ("inside.test", &["10.0.0.5"]),
        ("metadata.test", &["fd00:ec2::254"]),
        ("both.test", &["93.184.216.34", "127.0.0.1"]),
        ("localhost", &["127.0.0.1", "::1"]),
    ]);
    let context = on_the_web(&[], names.clone());
    let port = site.host().rsplit(':').next().unwrap();
    for (host, kind) in [
        ("inside.test", "a private address"),
        ("metadata.test", "a private address"),
        ("both.test", "an address of this machine"),
        ("localhost", "an address of this machine"),
    ] {
        let result = fetch(&format!("http://{host}:{port}/"), &context).await;
        refused(
            &result,
            &format!("{host} leads to {kind}, and only public ones are fetched from"),
        );
    }
    refused(
        &fetch("http://nowhere.test/", &context).await,
        "nowhere.test cannot be reached: no such host is known",
    );
    assert_eq!(site.asked().len(), 0);
}

#[tokio::test]
async fn a_name_is_looked_up_once_for_checking_and_connecting() {
    let site = FakeModel::start().await;
    site.on("GET /", page("<p>here"));
    let names = FakeNames::new(&[("site.test", &["127.0.0.1"])]);
    let port = site.host().rsplit(':').next().unwrap();
    let context = on_the_web(&[&format!("site.test:{port}")], names.clone());
    assert_eq!(
        fetch(&format!("http://site.test:{port}/"), &context)
            .await
            .content,
        "here"
    );
    assert_eq!(*names.asked.lock().unwrap(), ["site.test"]);
}

#[tokio::test]
async fn a_redirect_to_where_it_may_not_go_is_not_followed() {
    let (site, inside) = (FakeModel::start().await, FakeModel::start().await);
    let names = FakeNames::new(&[("inside.test", &["127.0.0.1"])]);
    let context = on_the_web(&[site.host()], names);
    let port = inside.host().rsplit(':').next().unwrap();
    for (path, to, why) in [
        (
            "/a",
            format!("http://{}/", inside.host()),
            "127.0.0.1 is an address of this machine",
        ),
        (
            "/b",
            format!("http://inside.test:{port}/"),
            "inside.test leads to an address of this machine",
        ),
        (
            "/c",
            format!("//0x7f.1:{port}/"),
            "127.0.0.1 is an address of this machine",
        ),
        (
            "/d",
            "http://169.254.169.254/latest".to_owned(),
            "169.254.169.254 is a link-local address",
        ),
    ] {
        site.on(&format!("GET {path}"), redirect(&to));
        let result = fetch(&format!("http://{}{path}", site.host()), &context).await;
        refused(
            &result,
            &format!("{why}, and only public ones are fetched from"),
        );
    }
    for (path, to, why) in [
        (
            "/e",
            "file:///etc/passwd",
            "only http and https addresses are fetched, not file:",
        ),
        (
            "/f",
            "http://me:word@example.test/",
            "an address with a user name in it is not fetched",
        ),
        ("/g", "http://[", "that is no web address"),
    ] {
        site.on(&format!("GET {path}"), redirect(to));
        let result = fetch(&format!("http://{}{path}", site.host()), &context).await;
        assert!(
            result.is_error && result.content.starts_with(why),
            "{result:?}"
        );
    }
    assert_eq!(inside.asked().len(), 0);
}

#[tokio::test]
async fn a_few_redirects_are_followed_and_ten_thousand_are_not() {
    let site = FakeModel::start().await;
    let base = format!("http://{}", site.host());
    (1..=5).for_each(|hop| site.on(&format!("GET /{hop}"), redirect(&format!("/{}", hop + 1))));
    site.on("GET /6", page("<title>Arrived</title>"));
    let context = allowed(&site);
    let result = fetch(&format!("{base}/1"), &context).await;
    assert_eq!(
        result.content,
        format!("Arrived\n{base}/6\n[no text without scripts]")
    );
    site.on("GET /round", redirect("/round"));
    let before = site.asked().len();
    refused(
        &fetch(&format!("{base}/round"), &context).await,
        "it redirects more than 5 times",
    );
    assert_eq!(site.asked().len() - before, 6);
}

#[tokio::test]
async fn other_schemes_and_user_names_are_refused() {
    let context = on_the_web(&[], FakeNames::new(&[]));
    for (url, why) in [
        (
            "file:///etc/passwd",
            "only http and https addresses are fetched, not file:",
        ),
        (
            "ftp://example.test/a",
            "only http and https addresses are fetched, not ftp:",
        ),
        (
            "gopher://example.test/",
            "only http and https addresses are fetched, not gopher:",
        ),
        (
            "https://anna:word@example.test/",
            "an address with a user name in it is not fetched; leave out what stands before the @",
        ),
        (
            "https://example.test@127.0.0.1/",
            "an address with a user name in it is not fetched; leave out what stands before the @",
        ),
    ] {
        refused(&fetch(url, &context).await, why);
    }
    for nonsense in [
        "",
        "http://",
        "a b",
        "javascript:alert(1)",
        "https://exa mple.test/",
        "http://1.2.3.4.5/",
    ] {
        let result = fetch(nonsense, &context).await;
        assert!(result.is_error, "{nonsense}: {result:?}");
    }
}

#[tokio::test]
async fn a_body_without_end_is_left_after_its_beginning() {
    let site = FakeModel::start().await;
    site.on(
        "GET /",
        Reply::new(200, "text/plain")
            .bytes("begins\n")
            .endless(b"word ".repeat(3_000)),
    );
    let result = fetch(&format!("http://{}/", site.host()), &allowed(&site)).await;
    assert!(
        !result.is_error && result.content.starts_with("begins\n"),
        "{result:?}"
    );
    assert!(
        result
            .content
            .contains("and the page is longer than is read"),
        "{result:?}"
    );
    let read = result.details.unwrap()["bytes"].as_u64().unwrap();
    assert_eq!(read, 2 << 20);
}

#[tokio::test]
async fn what_is_packed_is_read_within_its_bound_and_what_is_no_text_is_not() {
    let site = FakeModel::start().await;
    let gzip = |text: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    };
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(b"<p>hello").unwrap();
    let bare = zlib.finish().unwrap();
    let packed = |encoding: &str, body: &[u8]| {
        Reply::new(200, "text/html")
            .header("content-encoding", encoding)
            .bytes(body)
    };
    site.on("GET /gzip", packed("GZIP", &gzip(b"<p>hello")));
    site.on(
        "GET /silent",
        Reply::new(200, "text/html").bytes(gzip(b"<p>hello")),
    );
    site.on("GET /zlib", packed("deflate", &bare));
    site.on("GET /deflate", packed("deflate", &bare[2..bare.len() - 4]));
    site.on("GET /broken", packed("gzip", &gzip(b"<p>hello")[..20]));
    site.on("GET /bomb", packed("gzip", &gzip(&vec![b'a'; 64 << 20])));
    site.on("GET /other", packed("br", b"").endless([0; 4096]));
    site.on(
        "GET /picture",
        Reply::new(200, "image/png").endless([0; 4096]),
    );
    site.on(
        "GET /program",
        Reply::new(200, "application/octet-stream").hang(),
    );
    let context = allowed(&site);
    let url = |path: &str| format!("http://{}{path}", site.host());
    for path in ["/gzip", "/silent", "/zlib", "/deflate"] {
        let read = fetch(&url(path), &context).await;
        assert!(read.content.starts_with("hello"), "{path}: {read:?}");
    }
    assert!(!fetch(&url("/broken"), &context).await.is_error);
    let bomb = fetch(&url("/bomb"), &context).await;
    assert_eq!(bomb.details.unwrap()["bytes"].as_u64(), Some(2 << 20));
    refused(
        &fetch(&url("/other"), &context).await,
        "the answer is packed as br, although it was asked for plain",
    );
    refused(
        &fetch(&url("/picture"), &context).await,
        "it is image/png, and only text is read",
    );
    refused(
        &fetch(&url("/program"), &context).await,
        "it is application/octet-stream, and only text is read",
    );
    assert!(
        site.asked()
            .iter()
            .all(|asked| asked.headers["accept-encoding"] == "identity")
    );
}

#[tokio::test]
async fn a_head_without_end_is_not_read() {
    let site = FakeModel::start().await;
    site.on(
        "GET /many",
        (0..1_000).fold(page("a"), |reply, index| {
            reply.header(&format!("x-{index}"), "a")
        }),
    );
    site.on(
        "GET /large",
        page("a").header("x-large", &"a".repeat(2 << 20)),
    );
    let context = allowed(&site);
    for path in ["/many", "/large"] {
        let result = fetch(&format!("http://{}{path}", site.host()), &context).await;
        assert!(result.is_error, "{result:?}");
        assert!(
            result
                .content
                .starts_with("127.0.0.1 gave no proper answer: "),
            "{result:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_or_is_not_there_is_told() {
    let site = FakeModel::start().await;
    site.on("GET /", page("<p>half a").hang_up());
    let url = format!("http://{}/", site.host());
    let result = fetch(&url, &allowed(&site)).await;
    assert!(
        result
            .content
            .starts_with("127.0.0.1 gave no proper answer: "),
        "{result:?}"
    );
    let context = allowed(&site);
    drop(site);
    tokio::task::yield_now().await;
    let result = fetch(&url, &context).await;
    assert!(
        result.content.starts_with("127.0.0.1 cannot be reached: "),
        "{result:?}"
    );
}
