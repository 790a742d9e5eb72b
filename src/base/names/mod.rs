//! Names as they are shown, searched and sorted. A name from a file may hold any character, and any number of them: it is kept
//! exactly as it is, and everything that prints or draws it does so through this room.

mod drawing_order;
mod elide;
mod file_name;
mod order;
mod prefix;
mod printing;
mod search;

pub use drawing_order::in_drawing_order;
pub use elide::elide_middle_until;
pub use file_name::safe_file_name;
pub use order::natural_order;
pub use prefix::{common_prefix, without_prefix};
pub use printing::{one_line, printable, printable_message, printable_path, quoted, without_hidden_characters};
pub use search::Search;
