//! HTTP/1.1 as far as clients of a REST API need it, by hand, because a fake must be able to say nothing, hang up in the
//! middle and answer with rubbish. It knows nothing of Discord.

use std::collections::BTreeMap;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};

#[derive(Clone, Debug)]
pub struct File {
    /// The part's name: `files[0]`.
    pub part: String,
    pub name: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
pub struct Call {
    pub method: String,
    /// Decoded, from the root.
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// Lower-case names.
    pub headers: BTreeMap<String, String>,
    /// JSON, or `payload_json` of a multipart body; null where there was none.
    pub body: Value,
    pub files: Vec<File>,
    /// The body could not be read as what it says it is.
    pub malformed: bool,
}

/// Reads a request; none at the end of the connection.
pub async fn read(reader: &mut (impl AsyncBufReadExt + Unpin)) -> Option<Call> {
    let mut first = String::new();
    reader.read_line(&mut first).await.ok()?;
    let mut words = first.split_ascii_whitespace();
    let mut call = Call {
        method: words.next()?.to_owned(),
        ..Call::default()
    };
    let target = words.next()?;
    // A client that is told of an HTTP proxy writes the whole address.
    let target = match target.strip_prefix("http://") {
        Some(absolute) => absolute.find('/').map_or("/", |slash| &absolute[slash..]),
        None => target,
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    call.path = decode(path);
    let pairs = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    call.query = pairs
        .map(|(key, value)| (decode(key), decode(value)))
        .collect();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).await.ok()? == 0 {
            return None;
        }
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        call.headers
            .insert(name.to_lowercase(), value.trim().to_owned());
    }
    let bytes = read_body(reader, &call.headers).await?;
    understand(&mut call, &bytes);
    Some(call)
}

async fn read_body(
    reader: &mut (impl AsyncBufReadExt + Unpin),
    headers: &BTreeMap<String, String>,
) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    if headers
        .get("transfer-encoding")
        .is_some_and(|encoding| encoding.contains("chunked"))
    {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).await.ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let start = body.len();
            body.resize(start + size, 0);
            reader.read_exact(&mut body[start..]).await.ok()?;
            reader.read_line(&mut String::new()).await.ok()?;
            if size == 0 {
                return Some(body);
            }
        }
    }
    body.resize(
        headers
            .get("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0),
        0,
    );
    reader.read_exact(&mut body).await.ok()?;
    Some(body)
}

fn understand(call: &mut Call, bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let kind = call.headers.get("content-type").map_or("", String::as_str);
    if let Some((_, boundary)) = kind
        .split_once("boundary=")
        .filter(|_| kind.starts_with("multipart/form-data"))
    {
        let boundary = format!("\r\n--{}", boundary.trim_matches('"'));
        let whole = [b"\r\n", bytes].concat();
        call.files = parts(&whole, boundary.as_bytes());
        if let Some(place) = call
            .files
            .iter()
            .position(|file| file.part == "payload_json")
        {
            let payload = call.files.remove(place);
            call.body = serde_json::from_slice(&payload.bytes)
                .unwrap_or_else(|_| malformed(&mut call.malformed));
        }
        return;
    }
    call.body = serde_json::from_slice(bytes).unwrap_or_else(|_| malformed(&mut call.malformed));
    call.malformed |= !kind.starts_with("application/json");
}

fn malformed(flag: &mut bool) -> Value {
    *flag = true;
    Value::Null
}

fn parts(whole: &[u8], boundary: &[u8]) -> Vec<File> {
    let mut places: Vec<usize> = Vec::new();
    let mut from = 0;
    while let Some(found) = find(&whole[from..], boundary) {
        places.push(from + found);
        from += found + boundary.len();
    }
    let part = |pair: &[usize]| {
        let part = &whole[pair[0] + boundary.len()..pair[1]];
        let head_ends = find(part, b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&part[..head_ends]).into_owned();
        let between = |open: &str| {
            let (_, rest) = head.split_once(open)?;
            rest.split(['"', '\r']).next().map(str::to_owned)
        };
        Some(File {
            part: between(" name=\"")?,
            name: between("filename=\"").unwrap_or_default(),
            content_type: between("Content-Type: ")
                .or_else(|| between("content-type: "))
                .unwrap_or_default(),
            bytes: part[head_ends + 4..].to_vec(),
        })
    };
    places.windows(2).filter_map(part).collect()
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

/// Text with `%41` in it.
pub fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = (byte == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[derive(Clone, Debug)]
pub enum Body {
    Nothing,
    Json(Value),
    Other(&'static str, Vec<u8>),
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

impl Answer {
    pub fn new(status: u16, body: Body) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body,
        }
    }

    pub fn json(value: Value) -> Self {
        Self::new(200, Body::Json(value))
    }

    /// 204.
    pub fn nothing() -> Self {
        Self::new(204, Body::Nothing)
    }

    pub async fn write(self, writer: &mut (impl AsyncWriteExt + Unpin)) -> std::io::Result<()> {
        let (kind, bytes) = match self.body {
            Body::Nothing => ("", Vec::new()),
            Body::Json(value) => ("application/json", value.to_string().into_bytes()),
            Body::Other(kind, bytes) => (kind, bytes),
        };
        let mut head = format!("HTTP/1.1 {} Fake\r\n", self.status);
        if self.status != 204 {
            head.push_str(&format!("content-length: {}\r\n", bytes.len()));
        }
        if !kind.is_empty() {
            head.push_str(&format!("content-type: {kind}\r\n"));
        }
        self.headers
            .iter()
            .for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        head.push_str("\r\n");
        let mut whole = head.into_bytes();
        whole.extend(bytes);
        writer.write_all(&whole).await?;
        writer.flush().await
    }
}
