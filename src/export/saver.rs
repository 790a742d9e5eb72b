//! Writes a picture on a thread of its own.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;

use image::RgbaImage;

use super::picture_queue::SheetFailure;
use super::png::{PngError, save_png};

/// A picture being written. Dropped, it waits until the file is whole: a program that ends leaves no half of one behind.
pub struct Saver {
    path: PathBuf,
    answer: Receiver<Result<(), PngError>>,
    thread: Result<JoinHandle<()>, String>,
}

impl Saver {
    /// Begins; `wake` is called when there is an answer.
    pub fn start(picture: RgbaImage, path: PathBuf, wake: Box<dyn FnOnce() + Send>) -> Self {
        let (send, answer) = channel();
        let place = path.clone();
        let write = move || {
            // Nobody may be left to hear it.
            let _ = send.send(save_png(&place, &picture));
            wake();
        };
        let thread = std::thread::Builder::new().name("saver".into()).spawn(write).map_err(|error| error.to_string());
        Self { path, answer, thread }
    }

    /// How it ended, if it has.
    pub fn poll(&mut self) -> Option<Result<PathBuf, SheetFailure>> {
        let path = self.path.clone();
        match self.answer.try_recv() {
            Ok(saved) => Some(saved.map(|()| path).map_err(SheetFailure::from)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                let reason = self.thread.as_ref().err().cloned().unwrap_or("the thread writing it ended early".into());
                Some(Err(SheetFailure::NoThread { path, reason }))
            }
        }
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        if let Ok(thread) = std::mem::replace(&mut self.thread, Err(String::new())) {
            // It has said what it had to say.
            let _ = thread.join();
        }
    }
}
