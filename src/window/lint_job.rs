//! The lint of the head in the window, on a thread of its own: a large head takes a second, and no frame waits for it.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Weak};

use crate::head::Head;
use crate::lint::{Finding, lint};

/// What was found in the head last followed.
#[derive(Debug, Default)]
pub struct LintJob {
    head: Weak<Head>,
    awaited: Option<Receiver<Vec<Finding>>>,
    findings: Option<Vec<Finding>>,
}

impl LintJob {
    /// Begins to look at a head that is new; takes what was found in one that is not. `wake` is called, from the thread, when
    /// it is done.
    pub fn follow(&mut self, head: &Arc<Head>, wake: impl FnOnce() + Send + 'static) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            let (send, awaited) = channel();
            *self = Self { head: Arc::downgrade(head), awaited: Some(awaited), findings: None };
            let head = head.clone();
            let work = move || {
                // Nobody listens any more when another head has taken the window.
                let _ = send.send(lint(&head));
                wake();
            };
            // Without a thread there is no report, and all else goes on.
            let _ = std::thread::Builder::new().name("review".into()).spawn(work);
        }
        if let Some(found) = self.awaited.as_ref().and_then(|awaited| awaited.try_recv().ok()) {
            (self.awaited, self.findings) = (None, Some(found));
        }
    }

    /// What was found; none while it is looked for.
    pub fn findings(&self) -> Option<&[Finding]> {
        self.findings.as_deref()
    }
}
