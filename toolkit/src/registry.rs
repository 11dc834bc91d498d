//! The set of tools: discovered, listed or both, each name once, always in the order of the names.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use foldhash::HashMap;

use crate::arguments::nearest;
use crate::context::TypeMap;
use crate::dynamic::DynamicTool;
use crate::error::BuildError;
use crate::executor::contain::contain;
#[cfg(feature = "discover")]
use crate::tool::Definition;
use crate::tool::{Service, Tool, ToolSpec};

/// What `#[tool]` hands in for discovery.
#[cfg(feature = "discover")]
#[doc(hidden)]
pub struct Registered(pub &'static Definition);

#[cfg(feature = "discover")]
inventory::collect!(Registered);

/// A set of tools. Cheap to clone; the order is by name, byte by byte, and always the same.
#[derive(Clone)]
pub struct Registry(Arc<Tools>);

struct Tools {
    /// In the order of the names.
    list: Vec<Arc<ToolSpec>>,
    places: HashMap<Arc<str>, usize>,
    /// The values whose methods are tools.
    services: TypeMap,
    /// What is made of the tools and kept with them.
    memo: OnceLock<Box<dyn Any + Send + Sync>>,
    /// Whether tools were looked for in the whole program.
    discovered: bool,
}

impl Registry {
    /// Every `#[tool]` function that is linked into the program.
    ///
    /// A library whose tools nothing else refers to is not linked: write `use its_name as _;` in the program, and ask
    /// [`expect`](Self::expect) when it starts.
    ///
    /// # Errors
    /// Two tools of one name: the error names the places of both.
    #[cfg(feature = "discover")]
    pub fn discover() -> Result<Self, BuildError> {
        Self::builder().discover().build()
    }

    /// An empty set to add to.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.list.is_empty()
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.iter().map(ToolSpec::name).collect()
    }

    /// The tool of exactly this name.
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.find(name).map(|(_, spec)| spec)
    }

    /// Every tool, in the order of the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &ToolSpec> {
        self.0.list.iter().map(AsRef::as_ref)
    }

    /// The tools for which this holds.
    #[must_use]
    pub fn filter(&self, mut keep: impl FnMut(&ToolSpec) -> bool) -> Registry {
        let kept = self.0.list.iter().filter(|spec| keep(spec)).cloned().collect();
        Self::of_sorted(kept, self.0.services.clone(), self.0.discovered)
    }

    /// A check for the start of a program: every one of these tools is here. A tool that was not linked in is missing
    /// without a sound otherwise.
    ///
    /// ```
    /// # let registry = toolkit::Registry::builder().build()?;
    /// let error = registry.expect(["send_email"]).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no tool `send_email`");
    /// # Ok::<(), toolkit::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// Every name that is missing, with the nearest one that is there; and, where the tools were discovered, what to write
    /// for those of a library.
    pub fn expect<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<(), BuildError> {
        let missing: BTreeSet<&str> = names.into_iter().filter(|name| self.find(name).is_none()).collect();
        let mut problems: Vec<String> = Vec::new();
        for name in missing {
            let near = nearest(name, self.iter().map(ToolSpec::name));
            let near = near.map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
            problems.push(format!("there is no tool `{name}`{near}"));
        }
        if self.0.discovered && !problems.is_empty() {
            let help = "the tools of a library are found only where the program mentions it: `use its_name as _;`";
            problems.push(help.to_owned());
        }
        BuildError::check(problems)
    }

    /// The tool of this name and its place.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<(usize, &ToolSpec)> {
        let place = *self.0.places.get(name)?;
        Some((place, self.at(place)?))
    }

    #[inline]
    pub(crate) fn at(&self, place: usize) -> Option<&ToolSpec> {
        self.0.list.get(place).map(AsRef::as_ref)
    }

    pub(crate) fn services(&self) -> &TypeMap {
        &self.0.services
    }

    /// What another module makes of the tools and keeps with them. One type at most; `None` for a second.
    pub(crate) fn memo<T: Default + Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.memo.get_or_init(|| Box::new(T::default())).downcast_ref()
    }

    fn of_sorted(list: Vec<Arc<ToolSpec>>, services: TypeMap, discovered: bool) -> Self {
        let places = list.iter().enumerate().map(|(place, spec)| (Arc::from(spec.name()), place)).collect();
        Self(Arc::new(Tools { list, places, services, discovered, memo: OnceLock::new() }))
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Collects the tools of a [`Registry`].
#[derive(Default)]
#[must_use = "nothing is registered before `build()`"]
pub struct RegistryBuilder {
    found: Vec<Arc<ToolSpec>>,
    without: Vec<String>,
    services: TypeMap,
    problems: Vec<String>,
    discovered: bool,
}

impl RegistryBuilder {
    /// Adds every `#[tool]` function that is linked into the program.
    #[cfg(feature = "discover")]
    pub fn discover(mut self) -> Self {
        self.discovered = true;
        self.found.extend(inventory::iter::<Registered>().map(|tool| Arc::new(ToolSpec::new(tool.0))));
        self
    }

    /// Adds one tool by the type that has the function's name: `.tool::<send_email>()`. Adding it twice adds it once.
    pub fn tool<T: Tool>(mut self) -> Self {
        self.found.push(Arc::new(ToolSpec::new(T::DEFINITION)));
        self
    }

    /// Adds the tools of a value: the functions that `#[tools]` found in its impl block. An `Arc` of it does as well.
    pub fn service<S: Service + Send + Sync>(mut self, service: S) -> Self {
        let tools: Vec<_> = S::TOOLS.iter().map(|tool| Arc::new(ToolSpec::new(tool))).collect();
        // A value and an `Arc` of another one have the same tools, and only one of them could serve.
        let has = |tool: &Arc<ToolSpec>| self.found.iter().any(|other| other.is_same_tool(tool));
        let is_here = tools.first().is_some_and(has);
        self.found.extend(tools);
        if self.services.insert(service) || is_here {
            self.problems.push(format!("a service of type `{}` is given twice", std::any::type_name::<S>()));
        }
        self
    }

    /// Adds a tool that is made at run time.
    pub fn dynamic(mut self, tool: DynamicTool) -> Self {
        self.found.push(Arc::new(tool.into_spec()));
        self
    }

    /// Leaves out the tool of this name, wherever it came from.
    pub fn without(mut self, name: impl Into<String>) -> Self {
        self.without.push(name.into());
        self
    }

    /// The registry.
    ///
    /// # Errors
    /// Every name that two different tools have, with both places; every name left out that is not there; a service that
    /// is given twice; a pattern, a default or an example that cannot be used.
    pub fn build(self) -> Result<Registry, BuildError> {
        let mut problems = self.problems;
        let mut tools: BTreeMap<&str, &Arc<ToolSpec>> = BTreeMap::new();
        for spec in &self.found {
            if self.without.iter().any(|name| name == spec.name()) {
                continue;
            }
            if let Some(first) = tools.get(spec.name()).filter(|first| !first.is_same_tool(spec)) {
                let mut places = [first.location(), spec.location()];
                places.sort();
                let [a, b] = places;
                problems.push(format!("two tools are called `{}`: {a} and {b}", spec.name()));
                continue;
            }
            tools.insert(spec.name(), spec);
        }
        for name in &self.without {
            if !self.found.iter().any(|spec| spec.name() == name) {
                problems.push(format!("there is no tool `{name}` to leave out"));
            }
        }
        for spec in tools.values() {
            // The types of the arguments make their schemas, and the attribute's own expressions run, for the first time.
            problems.extend(contain(|| spec.problems()).unwrap_or_else(|panicked| {
                let (name, place) = (spec.name(), spec.location());
                vec![format!("tool `{name}`: its schema cannot be made: {}, {place}", panicked.text())]
            }));
        }
        problems.sort();
        problems.dedup();
        BuildError::check(problems)?;
        let tools = tools.into_values().cloned().collect();
        Ok(Registry::of_sorted(tools, self.services, self.discovered))
    }
}
