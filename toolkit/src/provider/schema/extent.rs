//! How much of something a schema holds.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value};

use crate::schema::{Keywords as _, transform_subschemas};

/// How much there is of what providers limit.
#[derive(Debug, Default)]
pub(in crate::provider) struct Extent {
    pub(in crate::provider) properties: usize,
    /// Properties that may be left out.
    pub(in crate::provider) optional: usize,
    /// Properties with several types or alternatives.
    pub(in crate::provider) unions: usize,
    pub(in crate::provider) values: usize,
    /// The characters of all names, definitions and listed values.
    pub(in crate::provider) characters: usize,
    /// Objects within one another, as far as no reference leads.
    pub(in crate::provider) levels: usize,
    /// Whether there are references.
    pub(in crate::provider) refers: bool,
    level: usize,
}

/// The levels of objects, through references too.
pub(in crate::provider) fn levels(schema: &Schema, extent: &Extent) -> usize {
    if !extent.refers {
        return extent.levels;
    }
    let mut whole = schema.clone();
    super::inlined(&mut whole);
    Extent::of(&mut whole).levels
}

impl Extent {
    /// That of a schema, which stays as it is.
    pub(in crate::provider) fn of(schema: &mut Schema) -> Self {
        let mut extent = Self::default();
        extent.transform(schema);
        extent
    }

    /// Counts what a schema holds itself. What is returned is for [`leave`](Self::leave), after the schemas within it.
    pub(in crate::provider) fn enter(&mut self, node: &Schema) -> usize {
        let properties = node.keyword("properties").and_then(Value::as_object);
        let required = node.keyword("required").and_then(Value::as_array);
        let is_required = |key: &str| required.is_some_and(|all| all.iter().any(|name| name == key));
        for (key, property) in properties.into_iter().flatten() {
            self.properties += 1;
            self.characters += key.chars().count();
            self.optional += usize::from(!is_required(key));
            let several = property.keyword("type").is_some_and(Value::is_array) || property.keyword("anyOf").is_some();
            self.unions += usize::from(several);
        }
        let listed = node.keyword("enum").and_then(Value::as_array);
        self.values += listed.map_or(0, Vec::len);
        let constant = node.keyword("const").into_iter();
        let texts = listed.into_iter().flatten().chain(constant).filter_map(Value::as_str);
        self.characters += texts.map(|text| text.chars().count()).sum::<usize>();
        let definitions = node.keyword("$defs").and_then(Value::as_object);
        self.characters += definitions.into_iter().flat_map(Map::keys).map(|name| name.chars().count()).sum::<usize>();
        self.refers |= node.keyword("$ref").is_some();
        let outside = self.level;
        self.level += usize::from(super::may_be(node, "object"));
        self.levels = self.levels.max(self.level);
        outside
    }

    /// The schema in hand has ended.
    pub(in crate::provider) fn leave(&mut self, outside: usize) {
        self.level = outside;
    }
}

impl Transform for Extent {
    fn transform(&mut self, node: &mut Schema) {
        let outside = self.enter(node);
        transform_subschemas(self, node);
        self.leave(outside);
    }
}

/// Whether a definition, or the whole, leads back to itself.
pub(in crate::provider) fn is_recursive(root: &Schema, extent: &Extent) -> bool {
    if !extent.refers {
        return false;
    }
    let whole = root.as_value();
    let mut names: Vec<String> = vec!["#".to_owned()];
    for key in ["$defs", "definitions"] {
        let all = root.get(key).and_then(Value::as_object).into_iter().flat_map(Map::keys);
        names.extend(all.map(|name| format!("#/{key}/{}", name.replace('~', "~0").replace('/', "~1"))));
    }
    names.iter().any(|name| {
        let mut seen: Vec<String> = Vec::new();
        let mut open = vec![name.clone()];
        while let Some(path) = open.pop() {
            let Some(target) = path.strip_prefix('#').and_then(|path| whole.pointer(path)) else { continue };
            for next in references(target) {
                if next == *name {
                    return true;
                }
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    open.push(next);
                }
            }
        }
        false
    })
}

/// The references in a schema, those in its definitions apart.
fn references(schema: &Value) -> Vec<String> {
    struct Collect(Vec<String>);
    impl Transform for Collect {
        fn transform(&mut self, node: &mut Schema) {
            self.0.extend(node.keyword("$ref").and_then(Value::as_str).map(str::to_owned));
            node.remove("$defs");
            node.remove("definitions");
            transform_subschemas(self, node);
        }
    }
    let mut collect = Collect(Vec::new());
    if let Ok(mut schema) = Schema::try_from(schema.clone()) {
        collect.transform(&mut schema);
    }
    collect.0
}
