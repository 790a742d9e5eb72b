//! The records of a binary FBX file: nodes with properties and nodes inside.

const VERSION: u32 = 7400;
/// Closes a list of nodes.
const END_OF_LIST: [u8; 13] = [0; 13];
/// What every file of the format ends with.
const FOOTER: [u8; 16] =
    [0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e];
const LAST_BYTES: [u8; 16] =
    [0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b];

/// A node with its properties and the nodes inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    name: &'static str,
    property_count: u32,
    /// The properties, as the file has them: a letter for the type, and the value.
    properties: Vec<u8>,
    children: Vec<Self>,
}

impl Node {
    /// A node without properties.
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    fn property(mut self, kind: u8, bytes: &[u8]) -> Self {
        self.properties.push(kind);
        self.properties.extend(bytes);
        self.property_count += 1;
        self
    }

    /// Adds a number of 32 bits.
    pub(super) fn int(self, value: i32) -> Self {
        self.property(b'I', &value.to_le_bytes())
    }

    /// Adds a number of 64 bits.
    pub(super) fn long(self, value: i64) -> Self {
        self.property(b'L', &value.to_le_bytes())
    }

    /// Adds a real number.
    pub(super) fn double(self, value: f64) -> Self {
        self.property(b'D', &value.to_le_bytes())
    }

    /// Adds a truth value.
    pub(super) fn boolean(self, value: bool) -> Self {
        self.property(b'C', &[u8::from(value)])
    }

    /// Adds a text.
    pub(super) fn text(self, text: &str) -> Self {
        self.bytes_of(b'S', text.as_bytes())
    }

    /// Adds bytes.
    pub(super) fn raw(self, bytes: &[u8]) -> Self {
        self.bytes_of(b'R', bytes)
    }

    fn bytes_of(self, kind: u8, bytes: &[u8]) -> Self {
        let mut value = (bytes.len() as u32).to_le_bytes().to_vec();
        value.extend(bytes);
        self.property(kind, &value)
    }

    /// Adds a list of real numbers.
    pub(super) fn doubles(self, values: impl Iterator<Item = f64>) -> Self {
        self.list(b'd', values.map(f64::to_le_bytes))
    }

    /// Adds a list of real numbers of 32 bits.
    pub(super) fn floats(self, values: impl Iterator<Item = f32>) -> Self {
        self.list(b'f', values.map(f32::to_le_bytes))
    }

    /// Adds a list of numbers of 32 bits.
    pub(super) fn ints(self, values: impl Iterator<Item = i32>) -> Self {
        self.list(b'i', values.map(i32::to_le_bytes))
    }

    /// Adds a list of numbers of 64 bits.
    pub(super) fn longs(self, values: impl Iterator<Item = i64>) -> Self {
        self.list(b'l', values.map(i64::to_le_bytes))
    }

    /// A list is its length, 0 for no compression, its size and its bytes.
    fn list<const N: usize>(self, kind: u8, elements: impl Iterator<Item = [u8; N]>) -> Self {
        let bytes: Vec<u8> = elements.flatten().collect();
        let mut value = Vec::with_capacity(12 + bytes.len());
        value.extend(((bytes.len() / N) as u32).to_le_bytes());
        value.extend(0_u32.to_le_bytes());
        value.extend((bytes.len() as u32).to_le_bytes());
        value.extend(bytes);
        self.property(kind, &value)
    }

    /// Adds a node inside.
    pub(super) fn with(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds nodes inside.
    pub(super) fn with_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    fn write(&self, file: &mut Vec<u8>) {
        let start = file.len();
        // The end of the record is filled in once it is known.
        file.extend([0; 4]);
        file.extend(self.property_count.to_le_bytes());
        file.extend((self.properties.len() as u32).to_le_bytes());
        file.push(self.name.len() as u8);
        file.extend(self.name.as_bytes());
        file.extend(&self.properties);
        if !self.children.is_empty() || self.property_count == 0 {
            self.children.iter().for_each(|child| child.write(file));
            file.extend(END_OF_LIST);
        }
        let end = (file.len() as u32).to_le_bytes();
        file[start..start + 4].copy_from_slice(&end);
    }
}

/// A row of `Properties70`: a name, a type, a second type, flags and values.
pub(super) fn property(name: &str, kind: &str, label: &str, flags: &str) -> Node {
    Node::new("P").text(name).text(kind).text(label).text(flags)
}

/// The bytes of a file with these nodes.
pub(super) fn file(nodes: &[Node]) -> Vec<u8> {
    let mut file = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    file.extend(VERSION.to_le_bytes());
    nodes.iter().for_each(|node| node.write(&mut file));
    file.extend(END_OF_LIST);
    file.extend(FOOTER);
    file.extend([0; 4]);
    // At least one byte of padding up to a multiple of 16.
    file.resize((file.len() + 1).next_multiple_of(16), 0);
    file.extend(VERSION.to_le_bytes());
    file.extend([0; 120]);
    file.extend(LAST_BYTES);
    file
}
