mod deeper {
    /// In a module of a module.
    #[toolkit::tool(category = Read)]
    async fn plug_deep() -> &'static str {
        "deep"
    }
}
