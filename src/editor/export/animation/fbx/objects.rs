//! The objects of a file and their connections.

use super::node::Node;
use crate::export::animation::scene::printable;

/// Identifies an object within a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectId(pub i64);

impl ObjectId {
    /// The root of the scene, which is no object of the file.
    pub(super) const ROOT: Self = Self(0);
}

/// The objects of a file and their connections.
#[derive(Default)]
pub(super) struct Objects {
    pub nodes: Vec<Node>,
    pub connections: Vec<Node>,
    /// The kind of each object, in the order of `nodes`.
    pub kinds: Vec<&'static str>,
}

impl Objects {
    /// The number of the first object. Others follow.
    const FIRST: i64 = 1_000_000;

    /// Adds an object with its name and class, a subclass and nodes inside.
    pub(super) fn add(&mut self, kind: &'static str, name: &str, subclass: &str, inside: Vec<Node>) -> ObjectId {
        let id = ObjectId(Self::FIRST + self.nodes.len() as i64);
        self.nodes.push(Node::new(kind).long(id.0).text(name).text(subclass).with_all(inside));
        self.kinds.push(kind);
        id
    }

    /// Makes an object a part of another.
    pub(super) fn connect(&mut self, part: ObjectId, whole: ObjectId) {
        self.connections.push(Node::new("C").text("OO").long(part.0).long(whole.0));
    }

    /// Makes an object drive a property of another.
    pub(super) fn connect_to_property(&mut self, part: ObjectId, whole: ObjectId, property: &str) {
        self.connections.push(Node::new("C").text("OP").long(part.0).long(whole.0).text(property));
    }
}

/// The name of an object with its class, as FBX joins them.
pub(super) fn named(name: &str, class: &str) -> String {
    format!("{}\0\u{1}{class}", printable(name))
}
