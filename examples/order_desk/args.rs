//! The command line.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use crate::DEFAULT_ORDERS;
use crate::words::Lang;

pub(crate) const HELP: &str = "\
An agent at an order desk: a model, its tools, and services that fail.

Usage: cargo run --example order_desk -- [OPTIONS]

Options:
  --ask TEXT        what the customer asks for; the built-in model understands order numbers
                    (ORD10000684), days (2026-03-02), e-mail addresses and `cancel`
  --lang en|zh      the language of the request, the labels and what the model is told [default: en]
  --json            write the whole record as one JSON document instead of the transcript
  --outbox DIR      where the mail is written [default: a new folder under the system's temporary one]
  --orders FILE     the orders [default: the example's data file]
  --listen ADDRESS  where the shipping service listens [default: 127.0.0.1:0, a free port]
  --help            this text

With OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL set, the model that answers there serves the
customer; without them, a scripted model in this process does, over the same protocol.";

#[derive(Debug, PartialEq)]
pub(crate) struct Args {
    pub(crate) ask: Option<String>,
    pub(crate) lang: Lang,
    pub(crate) json: bool,
    pub(crate) outbox: Option<PathBuf>,
    pub(crate) orders: PathBuf,
    pub(crate) listen: SocketAddr,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Run(Args),
    Help,
}

pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut args = Args {
        ask: None,
        lang: Lang::En,
        json: false,
        outbox: None,
        orders: DEFAULT_ORDERS.into(),
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
    };
    let mut arguments = arguments.into_iter();
    while let Some(flag) = arguments.next() {
        let flag = text(flag)?;
        let (name, inline) = match flag.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(OsString::from(value))),
            _ => (flag.as_str(), None),
        };
        if matches!(name, "--json" | "--help" | "-h") {
            if inline.is_some() {
                return Err(format!("{name} takes no value"));
            }
            if name != "--json" {
                return Ok(Command::Help);
            }
            args.json = true;
            continue;
        }
        if !matches!(name, "--ask" | "--lang" | "--outbox" | "--orders" | "--listen") {
            return Err(format!("unknown argument `{name}`; --help lists them"));
        }
        let value = inline.or_else(|| arguments.next()).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| format!("{name} needs a value"))?;
        match name {
            "--outbox" => args.outbox = Some(value.into()),
            "--orders" => args.orders = value.into(),
            "--ask" => args.ask = Some(text(value)?),
            "--listen" => {
                let address = text(value)?;
                let parsed = address.parse();
                args.listen =
                    parsed.map_err(|_| format!("--listen takes an address such as 127.0.0.1:8080, not `{address}`"))?;
            }
            _ => {
                args.lang = match text(value)?.as_str() {
                    "en" => Lang::En,
                    "zh" => Lang::Zh,
                    other => return Err(format!("--lang takes en or zh, not `{other}`")),
                }
            }
        }
    }
    Ok(Command::Run(args))
}

fn text(value: OsString) -> Result<String, String> {
    value.into_string().map_err(|value| format!("`{}` is not UTF-8 text", value.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Result<Command, String> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn reads_every_option() {
        let Ok(Command::Run(args)) =
            of(&["--ask", "a=b", "--lang=zh", "--json", "--outbox", "d", "--listen=127.0.0.1:80"])
        else {
            panic!("these are all known");
        };
        assert_eq!((args.ask.as_deref(), args.lang, args.json), (Some("a=b"), Lang::Zh, true));
        assert_eq!((args.outbox, args.listen.port()), (Some("d".into()), 80));
        assert_eq!(of(&["--lang", "en", "--help"]), Ok(Command::Help));
        assert!(matches!(of(&[]), Ok(Command::Run(_))));
    }

    #[test]
    fn a_mistake_is_one_line_that_names_it() {
        for (arguments, named) in [
            (&["--verbose"][..], "--verbose"),
            (&["ask"], "ask"),
            (&["--ask"], "--ask needs"),
            (&["--ask", ""], "--ask needs"),
            (&["--lang", "fr"], "`fr`"),
            (&["--json=1"], "--json takes no value"),
            (&["--listen", "here"], "`here`"),
        ] {
            let line = of(arguments).expect_err("a mistake");
            assert!(line.contains(named) && !line.contains('\n'), "{line}");
        }
    }
}
