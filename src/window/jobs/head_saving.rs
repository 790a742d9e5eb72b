//! Heads that are saved as .glb beside the window: a large head takes seconds, which no frame can wait for.

use std::path::PathBuf;
use std::sync::Arc;

use crate::export::{HeadError, HeadExport, OutputPath};
use crate::head::Head;
use crate::job::{Job, JobError, OnDrop};

/// The heads that are being saved.
#[derive(Default)]
pub(crate) struct HeadSaving {
    jobs: Vec<(PathBuf, Job<Result<u64, HeadError>>)>,
}

impl HeadSaving {
    /// Begins to save a head. `notify` is called on the job's thread when it is done.
    pub(crate) fn start(&mut self, head: Arc<Head>, output: OutputPath, notify: impl Fn() + Send + 'static) {
        let path = output.path().to_owned();
        let export = HeadExport::new(head, output);
        let save =
            move |control: &_| export.run(&|stage, fraction| crate::job::JobControl::report(control, stage, fraction));
        self.jobs.push((path, Job::spawn("save head", OnDrop::Join, notify, save)));
    }

    /// A head that is saved, or why it is not; none of those that were cancelled.
    pub(crate) fn take_ended(&mut self) -> Option<Result<PathBuf, String>> {
        let ended = |(index, (_, job)): (usize, &mut (PathBuf, Job<_>))| Some((index, job.poll()?));
        let (index, result): (usize, Result<Result<u64, HeadError>, JobError>) =
            self.jobs.iter_mut().enumerate().find_map(ended)?;
        let (path, _) = self.jobs.remove(index);
        match result {
            Ok(Ok(_)) => Some(Ok(path)),
            Ok(Err(HeadError::Cancelled)) => self.take_ended(),
            Ok(Err(error)) => Some(Err(error.to_string())),
            Err(error) => Some(Err(format!("cannot save {}: {error}", path.display()))),
        }
    }

    /// Cancels everything.
    pub(crate) fn cancel(&self) {
        self.jobs.iter().for_each(|(_, job)| job.cancel());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::head::Asset;
    use crate::head::Mesh;

    #[test]
    fn a_head_is_saved_beside_the_window_and_the_end_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let head = Arc::new(Head::new(Asset { meshes: vec![Mesh::default()], ..Asset::default() }));
        let (mut saving, (send, ended)) = (HeadSaving::default(), channel());
        let mut save = |path: PathBuf| {
            let send = send.clone();
            saving.start(head.clone(), OutputPath::new(path), move || {
                // The test may have ended.
                let _ = send.send(());
            });
            let mut result = None;
            while result.is_none() {
                ended.recv_timeout(Duration::from_secs(20)).unwrap();
                result = saving.take_ended();
            }
            assert!(saving.take_ended().is_none());
            result.unwrap()
        };
        let path = folder.path().join("a.glb");
        assert_eq!(save(path.clone()), Ok(path.clone()));
        assert!(std::fs::read(&path).unwrap().starts_with(b"glTF"));
        let refused = save(folder.path().join("no/a.glb")).unwrap_err();
        assert!(refused.contains("there is no folder"), "{refused}");
    }
}
