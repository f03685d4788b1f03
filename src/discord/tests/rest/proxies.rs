//! Hosts that cannot reach Discord themselves: its name does not resolve here, only the proxy knows the way.

use std::sync::{Arc, Mutex};

use kith_core::secret::Secret;
use kith_discord::rest::{RestClient, RestError, RestRequest, RestRoute, RestSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use super::scripted::FakeModel;
use super::*;

/// A proxy for HTTP CONNECT, plain HTTP and SOCKS5 that leads every host to one server.
struct FakeProxy {
    port: u16,
    /// The hosts it was asked for.
    asked: Arc<Mutex<Vec<String>>>,
}

impl FakeProxy {
    async fn start(target: &FakeModel) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, asked) = (
            listener.local_addr().unwrap().port(),
            Arc::new(Mutex::new(Vec::new())),
        );
        let (target, hosts) = (target.host().to_owned(), asked.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(lead(stream, target.clone(), hosts.clone()));
            }
        });
        Self { port, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn lead(
    mut client: TcpStream,
    target: String,
    asked: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    let mut server = TcpStream::connect(target).await?;
    let first = client.read_u8().await?;
    if first == 5 {
        let host = socks(&mut client).await?;
        asked.lock().unwrap().push(host);
    } else {
        let mut head = vec![first];
        while !head.ends_with(b"\r\n\r\n") {
            head.push(client.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut words = head.split(' ');
        let (method, address) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        asked.lock().unwrap().push(format!("{method} {address}"));
        if method == "CONNECT" {
            client
                .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                .await?;
        } else {
            let path = address.find("/api").map_or("/", |start| &address[start..]);
            server
                .write_all(head.replacen(address, path, 1).as_bytes())
                .await?;
        }
    }
    copy_bidirectional(&mut client, &mut server)
        .await
        .map(|_| ())
}

/// The host a SOCKS5 client asks for, without authentication (RFC 1928).
async fn socks(client: &mut TcpStream) -> std::io::Result<String> {
    let mut methods = vec![0; usize::from(client.read_u8().await?)];
    client.read_exact(&mut methods).await?;
    client.write_all(&[5, 0]).await?;
    let mut request = [0; 4];
    client.read_exact(&mut request).await?;
    let kind = request[3];
    let mut host = vec![
        0;
        if kind == 3 {
            usize::from(client.read_u8().await?)
        } else {
            4
        }
    ];
    client.read_exact(&mut host).await?;
    let port = client.read_u16().await?;
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    let host = if kind == 3 {
        String::from_utf8_lossy(&host).into_owned()
    } else {
        format!("address {host:?}")
    };
    Ok(format!("{host}:{port}"))
}

fn through(proxy: &str, base: &str) -> RestClient {
    RestClient::new(RestSettings {
        pace: pace(),
        ..RestSettings::new(base, Secret::new(TOKEN), proxy)
    })
    .unwrap()
}

async fn server() -> FakeModel {
    let server = FakeModel::start().await;
    server.on("GET /api/v10/users/@me", done());
    server
}

#[tokio::test]
async fn an_http_proxy_is_asked_for_the_host_by_name() {
    let server = server().await;
    let proxy = FakeProxy::start(&server).await;
    let address = format!("http://127.0.0.1:{}", proxy.port);
    let rest = through(&address, "http://discord.invalid/api/v10");
    assert_eq!(
        id(&rest.call(RestRequest::get(RestRoute::me())).await.unwrap()),
        "7"
    );
    assert_eq!(
        proxy.asked(),
        ["GET http://discord.invalid/api/v10/users/@me"]
    );

    // The scripted server speaks no TLS: that the tunnel is asked for is what matters.
    let rest = through(&address, "https://discord.invalid/api/v10");
    assert!(
        rest.call(RestRequest::get(RestRoute::me()).timeout(std::time::Duration::from_millis(500)))
            .await
            .is_err()
    );
    assert_eq!(proxy.asked()[1], "CONNECT discord.invalid:443");
}

#[tokio::test]
async fn a_socks_proxy_resolves_the_name() {
    let server = server().await;
    let proxy = FakeProxy::start(&server).await;
    let rest = through(
        &format!("socks5://127.0.0.1:{}", proxy.port),
        "http://discord.invalid/api/v10",
    );
    assert_eq!(
        id(&rest.call(RestRequest::get(RestRoute::me())).await.unwrap()),
        "7"
    );
    assert_eq!(proxy.asked(), ["discord.invalid:80"]);
}

#[tokio::test]
async fn a_proxy_that_is_set_is_used_for_this_machine_too() {
    let server = server().await;
    let proxy = FakeProxy::start(&server).await;
    let rest = through(
        &format!("socks5://127.0.0.1:{}", proxy.port),
        "http://127.0.0.1:9/api/v10",
    );
    assert_eq!(
        id(&rest.call(RestRequest::get(RestRoute::me())).await.unwrap()),
        "7"
    );
    assert_eq!(proxy.asked().len(), 1);
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named_without_its_password() {
    let rest = through(
        "http://me:password@127.0.0.1:9",
        "http://discord.invalid/api/v10",
    );
    let error = rest
        .call(RestRequest::get(RestRoute::me()))
        .await
        .unwrap_err();
    assert!(matches!(error, RestError::Unreachable(_)), "{error}");
    assert!(!format!("{error} {error:?}").contains("password"));
}
