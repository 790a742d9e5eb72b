//! The window's contents: one panel per file. Widgets edit the session; what leaves it is returned as commands.
