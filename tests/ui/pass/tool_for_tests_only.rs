// A tool of the tests is none of the program's.
#![deny(warnings)]

#[cfg(test)]
mod tests {
    /// A tool.
    #[toolkit::tool(category = Read)]
    async fn test_only(n: u8) -> Result<u8, std::io::Error> {
        Ok(n)
    }
}

/// A tool.
#[toolkit::tool(category = Read)]
async fn always(n: u8) -> Result<u8, std::io::Error> {
    Ok(n)
}

fn main() {
    assert!(toolkit::Registry::discover().is_ok_and(|registry| registry.names() == ["always"]));
}
