//! Finds the next sign in a text that may mean something. Answers are long stretches of text between few such signs, so
//! whole blocks without one are passed over at once.

/// How many bytes are looked at together.
const BLOCK: usize = 16;

/// Where the first byte is that is looked for. Where `is` does not branch (`|`, not `||`), a block takes a few vector
/// instructions.
pub(super) fn first_byte(text: &str, is: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let empty = |block: &&[u8; BLOCK]| !block.iter().fold(false, |any, byte| any | is(*byte));
    let passed = BLOCK * blocks.iter().take_while(empty).count();
    bytes[passed..].iter().position(|byte| is(*byte)).map(|offset| passed + offset)
}

/// Where the first of `signs` is, and which it is.
pub(super) fn first_sign<const N: usize>(text: &str, signs: [char; N]) -> Option<(usize, char)> {
    let leads = signs.map(|sign| sign.encode_utf8(&mut [0; 4]).as_bytes()[0]);
    let mut from = 0;
    loop {
        let at =
            from + first_byte(text.get(from..)?, |byte| leads.iter().fold(false, |any, lead| any | (byte == *lead)))?;
        let c = text[at..].chars().next()?;
        if signs.contains(&c) {
            return Some((at, c));
        }
        from = at + c.len_utf8();
    }
}
