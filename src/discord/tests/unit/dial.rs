//! How the way to the gateway is found.

use super::*;

fn dialer(url: &str) -> GatewayDialer {
    GatewayDialer::new(url, &Secret::default()).unwrap()
}

#[test]
fn a_session_is_resumed_only_at_the_gateways_own_domain() {
    let discord = dialer("wss://gateway.discord.gg");
    for sibling in [
        "wss://gateway-us-east1-b.discord.gg",
        "wss://gateway.discord.gg/?v=10",
    ] {
        assert!(discord.check_resume_url(sibling).is_some(), "{sibling}");
    }
    for stranger in [
        "ws://gateway-us-east1-b.discord.gg",
        "wss://discord.gg.example.org",
        "wss://gg",
        "https://x.discord.gg",
        "",
    ] {
        assert!(discord.check_resume_url(stranger).is_none(), "{stranger}");
    }
    let local = dialer("ws://127.0.0.1:4000");
    assert!(local.check_resume_url("ws://127.0.0.1:4000/?x").is_some());
    for stranger in [
        "ws://127.0.0.1:4001",
        "ws://9.0.0.1:4000",
        "wss://gateway.discord.gg",
    ] {
        assert!(local.check_resume_url(stranger).is_none(), "{stranger}");
    }
    assert!(
        dialer("ws://localhost:1")
            .check_resume_url("ws://elsewhere:1")
            .is_none()
    );
    assert!(
        dialer("wss://example.org")
            .check_resume_url("wss://other.org")
            .is_none()
    );
}

#[test]
fn a_proxy_that_cannot_be_understood_is_an_error_and_never_the_direct_way() {
    for url in [
        "ftp://proxy:1",
        "https://proxy:1",
        "proxy:1",
        "socks5://",
        "http://",
        "?",
        "a proxy",
    ] {
        let dialer = GatewayDialer::new("wss://gateway.discord.gg", &Secret::new(url));
        assert!(matches!(dialer, Err(DialError::Proxy)), "{url}");
    }
    let dialer = GatewayDialer::new(
        "wss://gateway.discord.gg",
        &Secret::new("socks5://name:word@127.0.0.1"),
    )
    .unwrap();
    assert_eq!(
        dialer.proxy.as_ref().unwrap().uri().port_u16(),
        Some(SOCKS_PORT)
    );
    assert!(!format!("{dialer:?}").contains("word"));
}

#[tokio::test]
async fn a_secure_address_is_spoken_to_in_tls_only() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dialer = dialer(&format!("wss://{}", listener.local_addr().unwrap()));
    let heard = async {
        let mut first = [0];
        let mut stream = listener.accept().await.unwrap().0;
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut first)
            .await
            .unwrap();
        first[0]
    };
    let (dialed, first) = tokio::join!(dialer.dial(None), heard);
    // A handshake record: RFC 8446, 5.1.
    assert_eq!(first, 22);
    assert!(matches!(dialed, Err(DialError::Upgrade(_))));
}

#[test]
fn only_web_sockets_are_gateways() {
    for url in [
        "https://gateway.discord.gg",
        "gateway.discord.gg",
        "",
        "wss://",
    ] {
        assert!(
            matches!(
                GatewayDialer::new(url, &Secret::default()),
                Err(DialError::Address(_))
            ),
            "{url}"
        );
    }
}
