//! A disk of few kilobytes, for tests of what happens when there is no room.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The variable that names the small disk to a test that runs on it.
const VARIABLE: &str = "SMIRK_SMALL_DISK";

/// The variable that says that only the size of files is limited.
const ONLY_FILES: &str = "SMIRK_SMALL_FILES";

/// The exit code of the shell if the disk cannot be mounted.
const NOT_MOUNTED: i32 = 77;

/// Runs the test called `name` again in a process of its own, on a disk of 64 KiB. Returns the folder of the disk in that process,
/// and `None` in the first one, once the other has passed.
///
/// The disk is a tmpfs in a mount namespace of its own, which ends with the process. Where the system allows no such namespace, the
/// process may write no file larger than 64 KiB instead, which the operating system reports by another error. Which way it went is
/// printed.
pub fn enter(name: &str) -> Option<PathBuf> {
    if let Some(disk) = std::env::var_os(VARIABLE) {
        return Some(disk.into());
    }
    let folder = tempfile::tempdir().expect("a folder to mount the disk on");
    let run = |program: &str, arguments: &[&str], script: &str| {
        let test = std::env::current_exe().expect("the path of this test");
        let mut command = Command::new(program);
        command.args(arguments).args(["sh", "-c", script]).arg(folder.path()).arg(test);
        command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(VARIABLE, folder.path());
        command.stdin(Stdio::null()).output()
    };
    let mount = format!("mount -t tmpfs -o size=64k,mode=0777 none \"$0\" || exit {NOT_MOUNTED}; exec \"$@\"");
    // Root needs no user namespace, which containers often forbid; everybody else does.
    for arguments in [&["-m"][..], &["-rm"]] {
        match run("unshare", arguments, &mount) {
            Ok(output) if has_run(&output) => {
                println!("{name} ran on a tmpfs of 64 KiB");
                return passed(name, &output);
            }
            _ => {}
        }
    }
    // Blocks of 512 bytes. The signal would end the process; ignored, it becomes an error of the write.
    let limit = "trap '' XFSZ; ulimit -f 128; exec \"$@\"";
    let output = run("env", &[&format!("{ONLY_FILES}=1")], limit).expect("a shell");
    println!("no tmpfs can be mounted here: {name} ran with files of at most 64 KiB");
    passed(name, &output)
}

/// Whether the disk as a whole has no limit, but each file on it.
pub fn limits_only_files() -> bool {
    std::env::var_os(ONLY_FILES).is_some()
}

/// Whether the test began.
fn has_run(output: &std::process::Output) -> bool {
    output.status.code() != Some(NOT_MOUNTED) && String::from_utf8_lossy(&output.stdout).contains("running 1 test")
}

fn passed(name: &str, output: &std::process::Output) -> Option<PathBuf> {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("1 passed"), "{name} on a small disk: {out}\n{err}");
    None
}
