//! rmcp's router, as its server calls it, without the transport and the session around it. The text becomes the map that
//! the router takes inside of the time, since the bare side reads the text too; the name, the request and its context are
//! made outside. No time limit, no report, no guard against panics; the arguments are checked by serde.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, CallToolResponse, NumberOrString};
use rmcp::service::{RequestContext, RoleServer, RunningService, serve_directly};
use rmcp::{ServerHandler, tool, tool_router};

use crate::work::{Large, Small, placed, status};
use crate::{Round, timed};

struct Server;

#[tool_router]
impl Server {
    /// Looks up an order.
    #[tool]
    async fn check_order(&self, Parameters(Small { order_id, include_items }): Parameters<Small>) -> String {
        status(order_id, include_items).await
    }

    /// Takes an order.
    #[tool]
    async fn place_order(&self, Parameters(Large { customer, address, items, express }): Parameters<Large>) -> String {
        placed(customer, address, items, express).await
    }
}

impl ServerHandler for Server {}

pub struct Rmcp {
    router: ToolRouter<Server>,
    /// Whose peer every request names.
    running: RunningService<RoleServer, Server>,
}

impl Rmcp {
    /// Inside of a runtime.
    pub fn new() -> Self {
        let (ours, _) = tokio::io::duplex(64);
        let running = serve_directly::<RoleServer, _, _, _, _>(Server, ours, None);
        Self { router: Server::tool_router(), running }
    }
}

impl Round for Rmcp {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || {
            let context = RequestContext::new(NumberOrString::Number(1), self.running.peer().clone());
            (CallToolRequestParams::new(tool.to_owned()), text.to_owned(), context)
        };
        timed(call, async |(call, text, context)| {
            let Ok(arguments) = serde_json::from_str(&text) else { return false };
            let context = ToolCallContext::new(self.running.service(), call.with_arguments(arguments), context);
            match self.router.call(context).await {
                Ok(CallToolResponse::Complete(result)) => result.is_error != Some(true),
                _ => false,
            }
        })
        .await
    }
}
