//! Names as they are shown, searched and sorted. A name from a file may hold any character, and any number of them: it
//! is kept exactly as it is, and everything that prints or draws it does so through this room.

mod drawing_order;
mod file_name;
mod free_name;
mod printing;
mod search;

pub use drawing_order::in_drawing_order;
pub use file_name::{around_last_number, common_prefix, safe_file_name, without_prefix};
pub use free_name::free_name;
pub use printing::{
    elide_middle_until, one_line, printable, printable_message, printable_path, quoted, without_hidden_characters,
};
pub use search::{Search, natural_order};
