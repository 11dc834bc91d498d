//! The embedded model's server: the Chat Completions protocol on loopback, as strict as the real one.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

use crate::http::{Reply, Request, listen, read_request, write_reply};
use crate::model::Endpoint;
use crate::script::next_message;

const MODEL: &str = "scripted";
const PATH: &str = "/v1/chat/completions";
const MAX_TOOLS: usize = 128;

/// Starts the server and says where it answers. It ends with the runtime.
pub(crate) async fn start() -> io::Result<Endpoint> {
    let (listener, address) = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    tokio::spawn(accept(listener));
    Ok(Endpoint { base_url: format!("http://{address}/v1"), api_key: "none".to_owned(), model: MODEL.to_owned() })
}

async fn accept(listener: TcpListener) {
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    }
}

async fn serve(mut stream: TcpStream) {
    let reply = match read_request(&mut stream).await {
        Ok(None) => return,
        Ok(Some(request)) => answer(&request).unwrap_or_else(Refusal::reply),
        Err(refusal) => refusal,
    };
    write_reply(&mut stream, &reply).await;
}

/// A request that the protocol does not allow.
#[derive(Debug)]
struct Refusal {
    status: u16,
    param: Option<String>,
    message: String,
}

impl Refusal {
    fn new(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self { status: 400, param: Some(param.into()), message: message.into() }
    }

    fn status(status: u16, message: &str) -> Self {
        Self { status, param: None, message: message.to_owned() }
    }

    fn reply(self) -> Reply {
        let error = json!({
            "message": self.message, "type": "invalid_request_error", "param": self.param, "code": null,
        });
        Reply::json(self.status, json!({ "error": error }).to_string())
    }
}

fn answer(request: &Request) -> Result<Reply, Refusal> {
    if request.path != PATH {
        return Err(Refusal::status(404, "there is nothing at this address"));
    }
    if request.method != "POST" {
        return Err(Refusal::status(405, "POST only"));
    }
    if !request.header("authorization").is_some_and(|value| value.starts_with("Bearer ")) {
        return Err(Refusal::status(401, "no API key in the Authorization header"));
    }
    let body: Value = serde_json::from_slice(&request.body)
        .map_err(|error| Refusal::status(400, &format!("the body is not JSON: {error}")))?;
    check(&body)?;
    let message = next_message(&body);
    let calls = message.get("tool_calls").is_some();
    let reply = json!({
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": if calls { "tool_calls" } else { "stop" },
        }],
    });
    Ok(Reply::json(200, reply.to_string()))
}

/// Refuses what the real API refuses, with the place of the mistake.
fn check(body: &Value) -> Result<(), Refusal> {
    if body["model"].as_str().is_none_or(str::is_empty) {
        return Err(Refusal::new("model", "you must provide a model parameter"));
    }
    let messages = body["messages"].as_array().filter(|messages| !messages.is_empty());
    let messages = messages.ok_or_else(|| Refusal::new("messages", "a non-empty array is expected"))?;
    let mut open: Vec<&str> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let at = |field: &str| format!("messages[{place}]{field}");
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let Some(answered) = open.iter().position(|call| *call == id) else {
                return Err(Refusal::new(at(".tool_call_id"), format!("`{id}` answers no open call before it")));
            };
            open.remove(answered);
        } else if !open.is_empty() {
            return Err(unanswered(&at(""), &open));
        }
        let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
        let may_be_silent = role == "assistant" && calls.is_some();
        if !may_be_silent && !is_content(&message["content"]) {
            return Err(Refusal::new(at(".content"), "a string or an array of parts is expected"));
        }
        match (role, calls) {
            ("assistant", Some(calls)) => open = check_calls(calls, &at(".tool_calls"))?,
            ("system" | "developer" | "user" | "assistant" | "tool", None) => {}
            (_, Some(_)) => return Err(Refusal::new(at(".tool_calls"), "only an assistant message calls tools")),
            _ => return Err(Refusal::new(at(".role"), format!("`{role}` is not a role"))),
        }
    }
    if !open.is_empty() {
        return Err(unanswered("messages", &open));
    }
    match body.get("tools") {
        None => Ok(()),
        Some(tools) => check_tools(tools),
    }
}

fn unanswered(place: &str, open: &[&str]) -> Refusal {
    let message = format!("every call needs a tool message directly after it; without one: {}", open.join(", "));
    Refusal::new(place, message)
}

fn is_content(content: &Value) -> bool {
    content.is_string() || content.as_array().is_some_and(|parts| parts.iter().all(|part| part["type"].is_string()))
}

/// The ids of the calls, which are now to be answered.
fn check_calls<'a>(calls: &'a Value, place: &str) -> Result<Vec<&'a str>, Refusal> {
    let calls = calls.as_array().filter(|calls| !calls.is_empty());
    let calls = calls.ok_or_else(|| Refusal::new(place, "a non-empty array is expected"))?;
    let mut ids = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let at = |field: &str| format!("{place}[{index}]{field}");
        let id = call["id"].as_str().filter(|id| !id.is_empty() && !ids.contains(id));
        ids.push(id.ok_or_else(|| Refusal::new(at(".id"), "an id of its own is expected"))?);
        if call["type"] != "function" {
            return Err(Refusal::new(at(".type"), "`function` is expected"));
        }
        if !is_name(&call["function"]["name"]) {
            return Err(Refusal::new(at(".function.name"), "1 to 64 letters, digits, `_` or `-` are expected"));
        }
        if !call["function"]["arguments"].is_string() {
            return Err(Refusal::new(at(".function.arguments"), "a string of JSON is expected, not the JSON itself"));
        }
    }
    Ok(ids)
}

fn check_tools(tools: &Value) -> Result<(), Refusal> {
    let tools = tools.as_array().filter(|tools| (1..=MAX_TOOLS).contains(&tools.len()));
    let tools = tools.ok_or_else(|| Refusal::new("tools", "an array of 1 to 128 tools is expected"))?;
    for (index, tool) in tools.iter().enumerate() {
        let at = |field: &str| format!("tools[{index}]{field}");
        let function = &tool["function"];
        if tool["type"] != "function" {
            return Err(Refusal::new(at(".type"), "`function` is expected"));
        }
        if !is_name(&function["name"]) {
            return Err(Refusal::new(at(".function.name"), "1 to 64 letters, digits, `_` or `-` are expected"));
        }
        if tools[..index].iter().any(|earlier| earlier["function"]["name"] == function["name"]) {
            return Err(Refusal::new(at(".function.name"), "an earlier tool has this name"));
        }
        if function.get("description").is_some_and(|description| !description.is_string()) {
            return Err(Refusal::new(at(".function.description"), "a string is expected"));
        }
        if let Some(schema) = function.get("parameters")
            && (schema["type"] != "object" || !schema["properties"].is_object())
        {
            let message = "a schema of type `object` with `properties` is expected";
            return Err(Refusal::new(at(".function.parameters"), message));
        }
    }
    Ok(())
}

fn is_name(name: &Value) -> bool {
    name.as_str().is_some_and(|name| {
        (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    })
}

#[cfg(test)]
mod tests {
    use toolkit::Model;

    use super::*;
    use crate::model::ChatClient;

    fn call(id: &str) -> Value {
        json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}})
    }

    fn refused(messages: &Value) -> String {
        let refusal = check(&json!({"model": "m", "messages": messages})).expect_err("not allowed");
        format!("{}: {}", refusal.param.unwrap_or_default(), refusal.message)
    }

    #[test]
    fn every_call_is_to_be_answered_by_its_id() {
        let user = json!({"role": "user", "content": "hi"});
        let calls = json!({"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")]});
        let tool = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "done"});
        assert!(check(&json!({"model": "m", "messages": [user, calls, tool("b"), tool("a")]})).is_ok());
        assert!(refused(&json!([user, calls, tool("a")])).ends_with("without one: b"));
        assert!(refused(&json!([user, calls, tool("a"), user])).starts_with("messages[3]: every call"));
        assert!(refused(&json!([user, calls, tool("c")])).contains("`c` answers no open call"));
        assert!(refused(&json!([user, tool("a")])).contains("`a` answers no open call"));
        assert!(
            refused(&json!([{"role": "assistant", "content": null, "tool_calls": [call("a"), call("a")]}]))
                .contains(".id")
        );
        assert!(refused(&json!([{"role": "assistant", "content": null}])).contains(".content"));
        assert!(refused(&json!([{"role": "robot", "content": ""}])).contains("not a role"));
        assert!(refused(&json!([])).contains("non-empty"));
    }

    #[test]
    fn tools_are_to_be_well_formed() {
        let check = |tools: Value| {
            check(&json!({"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": tools}))
                .map_err(|refusal| refusal.param.unwrap_or_default())
        };
        let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}});
        assert!(check(json!([tool("a"), tool("b")])).is_ok());
        assert_eq!(check(json!([])), Err("tools".to_owned()));
        assert_eq!(check(json!([tool("a"), tool("a")])), Err("tools[1].function.name".to_owned()));
        assert_eq!(check(json!([tool("a b")])), Err("tools[0].function.name".to_owned()));
        assert_eq!(
            check(json!([{"type": "function", "function": {"name": "a", "parameters": {"type": "object"}}}])),
            Err("tools[0].function.parameters".to_owned())
        );
    }

    #[tokio::test]
    async fn the_client_and_the_server_speak_the_same_protocol() {
        let client = ChatClient::new(&start().await.expect("a free port")).expect("a client");
        let body = json!({"model": client.model(), "messages": [{"role": "user", "content": "hi"}]});
        let answer = client.send(&body).await.expect("an answer");
        assert_eq!(answer["choices"][0]["finish_reason"], "stop");
        assert!(answer["choices"][0]["message"]["content"].is_string());
        let error = client.send(&json!({"model": "m", "messages": []})).await.expect_err("refused").to_string();
        assert!(error.contains("status 400") && error.contains("non-empty array"), "{error}");
    }
}
