//! The display server that the window opens on. winit takes Wayland whenever `WAYLAND_DISPLAY` is set, and can try only
//! once.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::OnceLock;
#[cfg(target_os = "linux")]
use std::time::Duration;

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

#[cfg(target_os = "linux")]
static OPENED_ON: OnceLock<Option<[i64; 4]>> = OnceLock::new();

/// Makes the event loop. A compositor that `WAYLAND_DISPLAY` names but that does not answer, as in a terminal that has
/// outlived its session, is skipped, and the X server of `DISPLAY` is used.
pub(in crate::window) fn event_loop<T: 'static>() -> Result<EventLoop<T>, EventLoopError> {
    let mut builder = EventLoop::<T>::with_user_event();
    #[cfg(target_os = "linux")]
    if let Some(socket) = unused_wayland_socket() {
        log::warn!("no Wayland compositor answers at {}; the window opens on X11", socket.display());
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    #[cfg(target_os = "linux")]
    OPENED_ON.get_or_init(|| variable("DISPLAY").and_then(|display| file_identity(&x_socket(&display)?)));
    builder.build()
}

/// The text of an error without the place in the source of winit that it names.
pub(in crate::window) fn error_text(error: &EventLoopError) -> String {
    let text = match error {
        // winit's code for an end that has no number of the system.
        EventLoopError::ExitFailure(1) => "it was closed by the other side".into(),
        EventLoopError::ExitFailure(code) => std::io::Error::from_raw_os_error(*code).to_string(),
        error => error.to_string(),
    };
    without_place(&text).to_owned()
}

/// The cause alone of a text such as `os error at FILE:LINE: no server`, in which FILE is one of winit.
fn without_place(text: &str) -> &str {
    let after_place = text.split_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    after_place.map_or(text, |(_, cause)| cause)
}

/// Whether the window's display server no longer takes connections, or another one has taken its place. `false` if that
/// cannot be found out, as for an X server on another machine. A server that ends closes its connections before it
/// stops taking new ones, so that it is asked for two seconds.
#[cfg(target_os = "linux")]
pub(in crate::window) fn is_gone() -> bool {
    (0..40).any(|_| {
        let refuses = refuses_connections();
        if !refuses {
            std::thread::sleep(Duration::from_millis(50));
        }
        refuses
    })
}

#[cfg(target_os = "linux")]
fn refuses_connections() -> bool {
    match wayland_socket() {
        Some(socket) if unused_wayland_socket().is_none() => !answers(&socket),
        _ => variable("DISPLAY")
            .and_then(|display| x_socket(&display))
            .is_some_and(|socket| !x_answers(&socket) || is_another_server(&socket)),
    }
}

/// Whether the socket is not the one that the window opened on: servers reuse the numbers of those that have ended.
#[cfg(target_os = "linux")]
fn is_another_server(socket: &Path) -> bool {
    OPENED_ON.get().is_some_and(|opened| *opened != file_identity(socket))
}

/// Device, inode and time of creation of a file; `None` without one.
#[cfg(target_os = "linux")]
fn file_identity(path: &Path) -> Option<[i64; 4]> {
    use std::os::linux::fs::MetadataExt;
    let metadata = path.symlink_metadata().ok()?;
    let [device, inode] = [metadata.st_dev(), metadata.st_ino()].map(u64::cast_signed);
    Some([device, inode, metadata.st_ctime(), metadata.st_ctime_nsec()])
}

#[cfg(not(target_os = "linux"))]
pub(in crate::window) fn is_gone() -> bool {
    false
}

/// The socket that `WAYLAND_DISPLAY` names, if nothing answers there and `DISPLAY` names another server.
#[cfg(target_os = "linux")]
fn unused_wayland_socket() -> Option<PathBuf> {
    wayland_socket().filter(|socket| variable("DISPLAY").is_some() && !answers(socket))
}

/// The socket that `WAYLAND_DISPLAY` names. `None` if it names none, or the connection was made by a parent process.
#[cfg(target_os = "linux")]
fn wayland_socket() -> Option<PathBuf> {
    if variable("WAYLAND_SOCKET").is_some() {
        return None;
    }
    let display = variable("WAYLAND_DISPLAY")?;
    // An absolute path replaces the folder.
    Some(PathBuf::from(variable("XDG_RUNTIME_DIR").unwrap_or_default()).join(display))
}

/// The socket of a display such as `:0` or `unix:0.0`; `None` if it is on another machine.
#[cfg(target_os = "linux")]
fn x_socket(display: &OsStr) -> Option<PathBuf> {
    let number = display.to_str()?;
    let number = number.strip_prefix("unix").unwrap_or(number).strip_prefix(':')?.split('.').next()?;
    number.parse::<u32>().ok().map(|number| Path::new("/tmp/.X11-unix").join(format!("X{number}")))
}

/// X servers also listen at an abstract address of the same name, some only there.
#[cfg(target_os = "linux")]
fn x_answers(socket: &Path) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let abstract_address = SocketAddr::from_abstract_name(socket.as_os_str().as_bytes());
    answers(socket) || abstract_address.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
}

#[cfg(target_os = "linux")]
fn answers(socket: &Path) -> bool {
    std::os::unix::net::UnixStream::connect(socket).is_ok()
}

/// A variable of the environment; an empty one counts as unset.
#[cfg(target_os = "linux")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_socket_of_an_x_server_on_this_machine_is_known() {
        let socket = |display: &str| x_socket(OsStr::new(display));
        assert_eq!(socket(":75"), Some("/tmp/.X11-unix/X75".into()));
        assert_eq!(socket("unix:2.0"), Some("/tmp/.X11-unix/X2".into()));
        assert_eq!(["localhost:10.0", "", ":", "elsewhere"].map(socket), [const { None }; 4]);
    }

    #[test]
    fn a_socket_answers_until_its_server_ends() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("wayland-7");
        assert!(!answers(&socket));
        let server = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(answers(&socket));
        drop(server);
        assert!(!answers(&socket), "the file is left, but nobody listens");
        let before = file_identity(&socket);
        std::fs::remove_file(&socket).unwrap();
        assert!(before.is_some() && file_identity(&socket).is_none());
        let _next = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(answers(&socket) && file_identity(&socket) != before, "another server at the same place");
    }

    #[test]
    fn an_error_is_told_without_its_place_in_the_source() {
        assert_eq!(without_place("os error at /src/linux/mod.rs:788: Failed to open: no"), "Failed to open: no");
        assert_eq!(without_place("no server"), "no server");
        assert!(error_text(&EventLoopError::ExitFailure(32)).starts_with("Broken pipe"));
    }
}
