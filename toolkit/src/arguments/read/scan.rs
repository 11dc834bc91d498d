//! The reader itself: one pass, no look-back, nesting bounded.

mod literal;

use std::borrow::Cow;

use super::super::node::{Entries, Node, beginning};
use super::super::shorten;

/// How deep lists and objects may stand in one another.
const DEEPEST: usize = 128;

/// What is wrong, and at which byte.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) kind: FaultKind,
}

/// English and Chinese.
type Words = (&'static str, &'static str);

#[derive(Clone, Debug)]
pub(super) enum FaultKind {
    /// The text ends in the middle.
    CutOff,
    Expected(Words),
    NotAValue,
    NotFinite,
    BadEscape,
    LoneSurrogate,
    TooDeep,
    /// Another value follows the first.
    SecondValue,
    /// Something else follows it.
    TextAfter,
    /// A key that says two things.
    TwoValues(String, String, String),
    /// Something that can be read in one way only, and is not JSON.
    Odd(Words),
}

pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// How many entries the last object had: that of the next one of a list is like it.
    entries: usize,
    /// The first thing that is not JSON and was read all the same.
    oddity: Option<Fault>,
}

/// A fault is in a box, since what is read moves from hand to hand together with what may be wrong.
type Read<T> = Result<T, Box<Fault>>;

impl<'a> Scan<'a> {
    /// A text that stands so many levels deep in another one.
    pub(super) fn new(text: &'a str, depth: usize) -> Self {
        Self { text, at: 0, depth, entries: 0, oddity: None }
    }

    /// What was passed over, where anything was.
    pub(super) fn oddity(self) -> Option<Fault> {
        self.oddity
    }

    /// The one value of the text; `None` where the text is blank.
    pub(super) fn document(&mut self) -> Read<Option<Node<'a>>> {
        if self.take("\u{feff}") {
            self.odd(0, ("a byte-order mark is", "字节顺序标记"));
        }
        self.space()?;
        let fenced = self.fence();
        self.space()?;
        if self.rest().is_empty() {
            return if fenced { self.fail(FaultKind::CutOff) } else { Ok(None) };
        }
        let value = self.value()?;
        self.after(fenced)?;
        Ok(Some(value))
    }

    /// An opening code fence and the name of its language.
    fn fence(&mut self) -> bool {
        let at = self.at;
        if !self.take("```") {
            return false;
        }
        self.odd(at, ("a code fence is", "代码围栏"));
        let name = self.rest().find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest().len());
        self.at += name;
        true
    }

    /// What may follow the value: the end of its fence, and the remains of a model's own format.
    fn after(&mut self, fenced: bool) -> Read<()> {
        self.space()?;
        if fenced && self.take("```") {
            self.space()?;
        }
        let mut braces = 0;
        loop {
            let at = self.at;
            let dropped = if self.take("</tool_call>") || self.take(";") {
                true
            } else if braces == 0 && self.take("}") {
                braces += 1;
                true
            } else {
                false
            };
            if !dropped {
                break;
            }
            self.odd(at, ("what follows the object is", "对象之后的内容"));
            self.space()?;
        }
        match self.peek() {
            None => Ok(()),
            Some('{' | '[') => self.fail(FaultKind::SecondValue),
            Some(_) => self.fail(FaultKind::TextAfter),
        }
    }

    fn value(&mut self) -> Read<Node<'a>> {
        self.space()?;
        match self.byte() {
            None => self.fail(FaultKind::CutOff),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(quote @ (b'"' | b'\'')) => Ok(Node::Text(self.quoted(quote)?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Read<Node<'a>>) -> Read<Node<'a>> {
        if self.depth >= DEEPEST {
            return self.fail(FaultKind::TooDeep);
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Read<Node<'a>> {
        let mut entries = Known::default();
        let like = self.entries;
        loop {
            self.space()?;
            if self.take_byte(b'}') {
                return Ok(Node::Object(entries.all));
            }
            let at = self.at;
            let key = self.key()?;
            self.space()?;
            self.expect(b':', ("`:` after a key", "键之后的 `:`"))?;
            let value = self.value()?;
            match entries.get(&key) {
                Some(first) if *first == value => {}
                Some(first) => {
                    let show = |node: &Node<'_>| beginning(node, 60);
                    let kind = FaultKind::TwoValues(shorten(&key, 64).into_owned(), show(first), show(&value));
                    return Err(Fault { at, kind }.into());
                }
                None => {
                    if entries.all.is_empty() {
                        entries.all.reserve(like);
                    }
                    entries.push(key, value);
                }
            }
            if self.separator(b'}')? {
                self.entries = entries.all.len().min(Known::FEW);
                return Ok(Node::Object(entries.all));
            }
        }
    }

    fn list(&mut self) -> Read<Node<'a>> {
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.take_byte(b']') {
                return Ok(Node::List(items));
            }
            items.push(self.value()?);
            if self.separator(b']')? {
                return Ok(Node::List(items));
            }
        }
    }

    /// A comma, or the end; says whether it was the end. A comma before the end is passed over.
    fn separator(&mut self, end: u8) -> Read<bool> {
        self.space()?;
        let comma = self.at;
        if self.take_byte(b',') {
            self.space()?;
            if self.byte() != Some(end) {
                return Ok(false);
            }
            self.odd(comma, ("a comma before the end is", "末尾的逗号"));
        }
        self.expect(end, if end == b'}' { ("`,` or `}`", "`,` 或 `}`") } else { ("`,` or `]`", "`,` 或 `]`") })?;
        Ok(true)
    }

    fn key(&mut self) -> Read<Cow<'a, str>> {
        if let Some(quote @ (b'"' | b'\'')) = self.byte() {
            return self.quoted(quote);
        }
        match self.peek() {
            None => self.fail(FaultKind::CutOff),
            Some(c) if is_word(c) => {
                let at = self.at;
                let word = self.take_word();
                // A word at the very end may have been the beginning of a longer one.
                if self.rest().is_empty() {
                    return self.fail(FaultKind::CutOff);
                }
                self.odd(at, ("a key without quotes is", "没有引号的键"));
                Ok(word.into())
            }
            Some(_) => self.fail(FaultKind::Expected(("a key in quotes", "带引号的键"))),
        }
    }

    /// `true`, `false` and `null`, also as Python writes them.
    fn word(&mut self) -> Read<Node<'a>> {
        let at = self.at;
        let word = self.take_word();
        let value = match word {
            "true" => return Ok(Node::Bool(true)),
            "false" => return Ok(Node::Bool(false)),
            "null" => return Ok(Node::Null),
            "True" => Node::Bool(true),
            "False" => Node::Bool(false),
            "None" => Node::Null,
            "NaN" | "Infinity" => return Err(Fault { at, kind: FaultKind::NotFinite }.into()),
            _ => {
                let cut = self.rest().is_empty()
                    && !word.is_empty()
                    && ["true", "false", "null"].iter().any(|full| full.starts_with(word));
                let kind = if cut { FaultKind::CutOff } else { FaultKind::NotAValue };
                return Err(Fault { at, kind }.into());
            }
        };
        self.odd(at, ("`True`, `False` and `None` are", "`True`、`False` 和 `None` "));
        Ok(value)
    }

    /// White space and comments.
    #[inline]
    fn space(&mut self) -> Read<()> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
        // What else may be passed over begins with one of these.
        if self.byte().is_some_and(|byte| byte == b'/' || !byte.is_ascii()) { self.odd_space() } else { Ok(()) }
    }

    /// White space of other kinds, and a comment.
    #[cold]
    fn odd_space(&mut self) -> Read<()> {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', '\u{a0}', '\u{3000}']).len();
            let json = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
            if json < blank {
                self.odd(self.at + json, ("a space of another kind is", "特殊空格"));
            }
            self.at += blank;
            let at = self.at;
            let end = if self.take("//") {
                self.rest().find('\n').map_or(self.rest().len(), |line| line + 1)
            } else if self.take("/*") {
                match self.rest().find("*/") {
                    Some(end) => end + 2,
                    None => return self.fail(FaultKind::CutOff),
                }
            } else if self.rest() == "/" {
                // The first half of what begins a comment.
                return self.fail(FaultKind::CutOff);
            } else {
                return Ok(());
            };
            self.at += end;
            self.odd(at, ("a comment is", "注释"));
        }
    }

    fn expect(&mut self, byte: u8, what: Words) -> Read<()> {
        match self.byte() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            None => self.fail(FaultKind::CutOff),
            Some(_) => self.fail(FaultKind::Expected(what)),
        }
    }

    fn take_word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn take_byte(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn left(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn odd(&mut self, at: usize, what: Words) {
        self.oddity.get_or_insert(Fault { at, kind: FaultKind::Odd(what) });
    }

    fn fail<T>(&self, kind: FaultKind) -> Read<T> {
        Err(Fault { at: self.at, kind }.into())
    }
}

/// The entries of an object, found by their keys.
#[derive(Default)]
struct Known<'t> {
    all: Entries<'t>,
    /// Their places, where they are more than a look at each takes.
    places: foldhash::HashMap<Cow<'t, str>, usize>,
}

impl<'t> Known<'t> {
    const FEW: usize = 16;

    fn get(&self, key: &str) -> Option<&Node<'t>> {
        let found = if self.places.is_empty() {
            self.all.iter().find(|(name, _)| name == key)
        } else {
            self.places.get(key).and_then(|place| self.all.get(*place))
        };
        found.map(|(_, value)| value)
    }

    fn push(&mut self, key: Cow<'t, str>, value: Node<'t>) {
        if self.all.len() == Self::FEW {
            self.places.extend(self.all.iter().enumerate().map(|(place, (name, _))| (name.clone(), place)));
        }
        if self.all.len() >= Self::FEW {
            self.places.insert(key.clone(), self.all.len());
        }
        self.all.push((key, value));
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-')
}
