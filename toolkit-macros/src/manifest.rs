//! What the user's crate calls the toolkit.
//!
//! A crate that gives the toolkit another name has to say so with `crate = …`. Where it does not, the compiler would
//! look for a crate `toolkit` and say nothing of the key. So the manifest is asked, and believed only where it says
//! plainly that the toolkit is there under another name alone.

use std::path::Path;

/// The name under which the manifest of the crate at hand has the toolkit, where that is not its own.
pub(crate) fn other_name() -> Option<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let manifest = std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).ok()?;
    renamed(&manifest)
}

/// `tk = { package = "toolkit", … }`, or a table `[dependencies.tk]` that holds `package = "toolkit"`.
fn renamed(manifest: &str) -> Option<String> {
    let mut table = "";
    let mut found = None;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.split(']').next().unwrap_or_default();
        }
        let (section, in_table) = table.rsplit_once('.').unwrap_or(("", table));
        let in_dependencies = table.ends_with("dependencies");
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.split('.').next().unwrap_or_default().trim().trim_matches('"');
        if (in_dependencies && key == "toolkit") || (section.ends_with("dependencies") && in_table == "toolkit") {
            return None;
        }
        let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if !compact.contains("package=\"toolkit\"") {
            continue;
        }
        if in_dependencies && value.trim_start().starts_with('{') {
            found = Some(key);
        } else if section.ends_with("dependencies") {
            found = Some(in_table);
        }
    }
    found.map(|name| name.replace('-', "_")).filter(|name| syn::parse_str::<syn::Ident>(name).is_ok())
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn another_name_is_found() {
        for manifest in [
            "[dependencies]\ntk = { package = \"toolkit\", version = \"1\" }",
            "[dependencies]\ntk = {version = \"1\",package=\"toolkit\"}",
            "[dependencies.tk]\nversion = \"1\"\npackage = \"toolkit\"\n",
            "[dev-dependencies]\n\"tk\" = { path = \"x\", package = \"toolkit\" }",
            "[target.'cfg(unix)'.dependencies]\ntk = { package = \"toolkit\" }",
            "[package]\nname = \"app\"\n[dependencies]\nserde = \"1\"\ntk = { package = \"toolkit\" }\n[features]\nx = []",
        ] {
            assert_eq!(renamed(manifest).as_deref(), Some("tk"), "{manifest}");
        }
        let dashed = "[dependencies]\nmy-tools = { package = \"toolkit\" }";
        assert_eq!(renamed(dashed).as_deref(), Some("my_tools"));
    }

    #[test]
    fn anything_else_is_left_to_the_compiler() {
        for manifest in [
            "",
            "[dependencies]\ntoolkit = \"1\"",
            "[dependencies]\ntoolkit.workspace = true",
            "[dependencies.toolkit]\nversion = \"1\"",
            "[dependencies]\nfacade = \"1\"",
            "[dependencies]\ntk = { package = \"toolkit-two\" }",
            "[dependencies]\ntk = { package = \"toolkit\" }\n[dev-dependencies]\ntoolkit = \"1\"",
            "[workspace.dependencies]\ntoolkit = { path = \"x\" }\ntk = { package = \"toolkit\" }",
            "[package.metadata]\ntk = { package = \"toolkit\" }",
            "[[[\n=\n]]]\n[a.b.c",
        ] {
            assert_eq!(renamed(manifest), None, "{manifest}");
        }
    }
}
