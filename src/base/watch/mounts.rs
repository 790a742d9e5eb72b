//! Which folders are on a network. Linux reports no event for what another computer writes there.

use std::path::Path;

/// Kinds of file systems whose files other computers write.
const NETWORK: &[&str] = &[
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.sshfs",
    "fuse.s3fs",
    "gfs2",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
];

/// The kind of the file system of a folder, if it is one of a network. None where the system does not say.
pub(super) fn network_of(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    kind_in(&mounts, &folder).filter(|kind| NETWORK.contains(kind)).map(str::to_owned)
}

/// The kind of the file system of a folder, by the text of `/proc/self/mountinfo`: that of the longest path above it, and of
/// several mounted there the last.
fn kind_in<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        // Spaces in paths are written as octal numbers.
        let place = before.split(' ').nth(4)?.replace("\\040", " ");
        folder.starts_with(&place).then_some((place.len(), after.split(' ').next()?))
    });
    mounts.max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_counts() {
        let mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                      40 22 0:35 / /show rw shared:2 - nfs4 farm:/show rw\n\
                      41 40 0:36 / /show/my\\040cache rw - tmpfs tmpfs rw\n";
        let kind = |folder: &str| kind_in(mounts, Path::new(folder));
        assert_eq!(
            [kind("/home/ada"), kind("/show/heads"), kind("/show/my cache/x")],
            [Some("ext4"), Some("nfs4"), Some("tmpfs")]
        );
        assert_eq!((kind("/shows"), kind_in("", Path::new("/"))), (Some("ext4"), None));
        assert!(NETWORK.contains(&"nfs4") && !NETWORK.contains(&"ext4"));
    }
}
