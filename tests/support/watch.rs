//! Runs what hostile files are fed to: not longer than two seconds, and in no more memory than the file justifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The system's allocator, with an eye on how much is allocated at most.
pub struct Counting;

static ALLOCATED_BYTES: AtomicUsize = AtomicUsize::new(0);
static MOST_BYTES: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// How often anything has been allocated so far.
pub fn allocations() -> usize {
    ALLOCATIONS.load(Ordering::Relaxed)
}

fn count(bytes: usize) {
    let allocated = ALLOCATED_BYTES.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST_BYTES.fetch_max(allocated, Ordering::Relaxed);
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator cannot be written without; each call is handed on as it is")]
// SAFETY: every method does what the system's allocator does, and counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        ALLOCATED_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Nothing takes longer: somebody waits for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// What reading a file of so many bytes may take at most.
pub fn justified_bytes(file_bytes: usize) -> usize {
    (64 << 20) + 64 * file_bytes
}

/// Runs `work` on a thread with the stack that the loader's has. Panics, naming `what`, where it panics, takes too long or
/// too much memory. One at a time, or they would count each other's memory.
pub fn watch<T: Send + 'static>(what: &str, most_bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = ALLOCATED_BYTES.load(Ordering::Relaxed);
    MOST_BYTES.store(before, Ordering::Relaxed);
    let (send, result) = channel();
    let worker = std::thread::spawn(move || {
        let outcome = work();
        // Nobody listens any more if it took too long.
        let _ = send.send(outcome);
    });
    let outcome = match result.recv_timeout(PATIENCE) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Timeout) => panic!("{what}: not done after {PATIENCE:?}"),
        Err(RecvTimeoutError::Disconnected) => {
            let payload = worker.join().expect_err("it ended without an outcome");
            panic!("{what}: {}", payload.downcast_ref::<String>().map_or("panicked", String::as_str));
        }
    };
    let taken = MOST_BYTES.load(Ordering::Relaxed).saturating_sub(before);
    drop(turn);
    assert!(taken <= most_bytes, "{what}: took {} MiB, {} are justified", taken >> 20, most_bytes >> 20);
    outcome
}
