//! Which running program a recovery file belongs to. A lock alone cannot tell on every file system: some have no locks, and on
//! some network folders each machine sees its own locks only. So the lock file also describes the program that holds it.

use std::fs;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// A running program, described so that another one can find out whether it still runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// The name of its machine.
    host: String,
    /// The number that the system gave the machine when it was installed.
    machine: Option<String>,
    /// A number that is drawn at every start of the system.
    boot: Option<String>,
    /// The numbering of processes: every container has its own.
    numbering: Option<String>,
    process: u32,
    /// When the process started, in ticks since the start of the system: the same number may be given to another one later.
    started: Option<u64>,
}

/// Whether a program still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Running,
    Ended,
    /// It ran on another machine, or on a system that does not tell.
    Unknown,
}

static THIS_PROGRAM: LazyLock<Owner> = LazyLock::new(|| {
    let read = |path: &str| {
        let text = fs::read_to_string(path).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let variable = || std::env::var("COMPUTERNAME").or_else(|_| std::env::var("HOSTNAME")).ok();
    let numbering = fs::read_link("/proc/self/ns/pid").ok();
    Owner {
        host: read("/proc/sys/kernel/hostname").or_else(variable).unwrap_or_default(),
        machine: read("/etc/machine-id"),
        boot: read("/proc/sys/kernel/random/boot_id"),
        numbering: numbering.map(|link| link.to_string_lossy().into_owned()),
        process: std::process::id(),
        started: start_of(std::process::id()),
    }
});

impl Owner {
    pub(super) fn this_program() -> &'static Self {
        &THIS_PROGRAM
    }

    pub(super) fn life(&self) -> Life {
        let this = Self::this_program();
        if self.boot.is_none() || this.boot.is_none() || !self.is_on_this_machine() {
            return Life::Unknown;
        }
        if self.boot != this.boot {
            return Life::Ended;
        }
        if self.numbering != this.numbering || self.started.is_none() {
            return Life::Unknown;
        }
        if start_of(self.process) == self.started { Life::Running } else { Life::Ended }
    }

    /// Whether it sees the same locks as this program.
    pub(super) fn is_on_this_machine(&self) -> bool {
        let this = Self::this_program();
        if self.boot.is_some() && self.boot == this.boot {
            return true;
        }
        match (&self.machine, &this.machine) {
            (Some(machine), Some(this)) => machine == this,
            _ => self.host == this.host,
        }
    }

    /// The program in words.
    pub(super) fn text(&self) -> String {
        let host = if self.host.is_empty() { "another computer" } else { &self.host };
        format!("process {} on {host}", self.process)
    }
}

/// When a process started; `None` if it does not run, or the system does not tell.
fn start_of(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the process comes second, in parentheses, and may itself hold spaces and parentheses.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    // A process that has ended is listed until its parent has asked for the result.
    if matches!(state, "Z" | "X" | "x") { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_life_of_a_program_is_known_on_its_own_machine_only() {
        let this = Owner::this_program().clone();
        assert_eq!(this.life(), Life::Running);
        assert_eq!(Owner { started: Some(1), ..this.clone() }.life(), Life::Ended, "the number of another process now");
        let rebooted = Owner { boot: Some("before".into()), ..this.clone() };
        assert_eq!(rebooted.life(), Life::Ended);
        let elsewhere = Owner { host: "other".into(), machine: Some("other".into()), ..rebooted };
        assert_eq!((elsewhere.life(), elsewhere.is_on_this_machine()), (Life::Unknown, false));
        let in_container = Owner { numbering: Some("pid:[1]".into()), ..this };
        assert_eq!((in_container.life(), in_container.is_on_this_machine()), (Life::Unknown, true));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_was_killed_has_ended_even_before_its_parent_asks() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let started = start_of(child.id());
        assert!(started.is_some());
        child.kill().unwrap();
        while start_of(child.id()).is_some() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
