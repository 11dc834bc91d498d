use toolkit::tool;

/// A tool.
#[tool(category = Read, max_retry = 3)]
async fn a(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, max_retries = -1)]
async fn b(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, max_retries = 5000000000)]
async fn c(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, timeout = "soon")]
async fn d(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, name = "")]
async fn e(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, name = "has space")]
async fn f(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, name = "a", name = "b")]
async fn g(n: u8) -> u8 {
    n
}

fn main() {}
