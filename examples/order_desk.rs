//! An order desk: an agent serves a customer's request over a database, a shipping service that fails, and real mail.
//!
//! `cargo run --example order_desk` runs it to its end. Read `order_desk/tools.rs` first, then `order_desk/agent.rs`:
//! these two use the toolkit. The rest are the parts that it works on.

#[path = "order_desk/agent.rs"]
mod agent;
#[path = "order_desk/args.rs"]
mod args;
#[path = "order_desk/correction.rs"]
mod correction;
#[path = "order_desk/http.rs"]
mod http;
#[path = "order_desk/mail.rs"]
mod mail;
#[path = "order_desk/model.rs"]
mod model;
#[path = "order_desk/orders_file.rs"]
mod orders_file;
#[path = "order_desk/report.rs"]
mod report;
#[path = "order_desk/script.rs"]
mod script;
#[path = "order_desk/scripted.rs"]
mod scripted;
#[path = "order_desk/shipping.rs"]
mod shipping;
#[path = "order_desk/shop.rs"]
mod shop;
#[path = "order_desk/terminal.rs"]
mod terminal;
#[path = "order_desk/tools.rs"]
mod tools;
#[path = "order_desk/transcript.rs"]
mod transcript;
#[path = "order_desk/wishes.rs"]
mod wishes;
#[path = "order_desk/words.rs"]
mod words;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::args::{Args, Command};
use crate::mail::Outbox;
use crate::model::{ChatClient, Endpoint};
use crate::shipping::ShippingService;
use crate::shop::Shop;
use crate::tools::ShippingClient;
use crate::transcript::{Done, Step, Transcript, Who};

const DEFAULT_ORDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/orders.csv");
const FAILURE: u8 = 1;
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let args = match args::parse(std::env::args_os().skip(1)) {
        Ok(Command::Run(args)) => args,
        Ok(Command::Help) => {
            // Nobody is left to read it where this fails.
            let _ = writeln!(io::stdout(), "{}", args::HELP);
            return ExitCode::SUCCESS;
        }
        Err(line) => return failed(&line, USAGE),
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.to_string(), FAILURE),
    };
    match runtime.block_on(run(args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => failed(&error.to_string(), FAILURE),
    }
}

fn failed(line: &str, status: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "order_desk: {line}");
    ExitCode::from(status)
}

/// Whoever reads the transcript may stop reading, as `head` does.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn run(args: Args) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let words = args.lang.words();
    let given = Endpoint::from_variables(|name| std::env::var(name).ok())?;
    let shop = Arc::new(Shop::open(&args.orders)?);
    let shipping = ShippingService::start(args.listen).await?;
    let outbox = Arc::new(Outbox::open(args.outbox.unwrap_or_else(Outbox::temporary))?);
    let endpoint = match given {
        Some(endpoint) => endpoint,
        None => scripted::start().await?,
    };
    let client = ChatClient::new(&endpoint)?;

    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let model = format!("{} ({})", client.model(), client.host());
    let mut transcript = Transcript::new(args.lang, args.json, colour, model, io::stdout());
    transcript.title(shop.count()?, shipping.address());
    let ask = args.ask.as_deref().unwrap_or(words.request);
    transcript.step(Step::Said { who: Who::Customer, text: ask.to_owned() });
    let transcript = Arc::new(Mutex::new(transcript));

    let base_url = format!("http://{}", shipping.address());
    let parcels = ShippingClient { http: model::http_client(&base_url)?, base_url };
    let executor = agent::executor(args.lang, Arc::clone(&shop), parcels, Arc::clone(&outbox))?;
    let served = agent::serve(&executor, &client, args.lang, ask, Arc::clone(&transcript)).await;

    // What was done is told even where the model gave up in the middle: the mails are sent all the same.
    transcript.lock().unwrap_or_else(PoisonError::into_inner).end(&Done {
        rows_read: shop.rows_read(),
        rows_changed: shop.rows_changed(),
        outbox: outbox.folder().display().to_string(),
        mails: outbox.sent(),
        shipping_requests: shipping.requests(),
        duration: started.elapsed(),
    })?;
    served
}
