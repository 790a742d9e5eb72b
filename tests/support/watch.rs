//! Runs readers of hostile files and fails if they take more than two seconds of the processor, or more memory than the file's size
//! justifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The system's allocator, which also records the largest number of bytes that are allocated at the same time.
pub struct Counting;

static ALLOCATED_BYTES: AtomicUsize = AtomicUsize::new(0);
static MOST_BYTES: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The number of allocations so far.
pub fn allocations() -> usize {
    ALLOCATIONS.load(Ordering::Relaxed)
}

fn count(bytes: usize) {
    let allocated = ALLOCATED_BYTES.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST_BYTES.fetch_max(allocated, Ordering::Relaxed);
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator cannot be written without; each call is passed on unchanged")]
// SAFETY: every method calls the same method of the system's allocator with the same arguments, and counts.
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

/// The longest time of the processor that a file may take. Other programs of a busy machine do not count.
const MOST_TIME: Duration = Duration::from_secs(2);
/// After so long, a reader counts as one that never ends.
const HANG: Duration = Duration::from_secs(120);

/// The time of the processor that this thread has taken.
#[cfg(target_os = "linux")]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call, where a thread's own cannot be measured.
#[cfg(not(target_os = "linux"))]
fn thread_time() -> Duration {
    static FIRST: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    FIRST.elapsed()
}

/// The largest number of bytes that may be allocated to read a file of `file_bytes` bytes.
pub fn justified_bytes(file_bytes: usize) -> usize {
    (64 << 20) + 64 * file_bytes
}

/// Memory is counted for the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// While it lives, no other test of the process is watched.
pub struct Alone(#[expect(dead_code, reason = "it is held")] MutexGuard<'static, ()>);

/// Waits until no other test is watched.
pub fn alone() -> Alone {
    Alone(ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs `work`, and returns how many bytes more than before were allocated at the same time.
pub fn peak_bytes<T>(_alone: &Alone, work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATED_BYTES.load(Ordering::Relaxed);
    MOST_BYTES.store(before, Ordering::Relaxed);
    let outcome = work();
    (outcome, MOST_BYTES.load(Ordering::Relaxed).saturating_sub(before))
}

/// Runs `work` on a thread with the stack size of the loader's thread. Panics, naming `what`, if it panics, takes too
/// long or takes too much memory. Only one runs at a time, because memory is counted for the whole process.
pub fn watch<T: Send + 'static>(what: &str, most_bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    let lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let before = ALLOCATED_BYTES.load(Ordering::Relaxed);
    MOST_BYTES.store(before, Ordering::Relaxed);
    let (send, result) = channel();
    let worker = std::thread::spawn(move || {
        let began = thread_time();
        let outcome = work();
        // The receiver has been dropped if the work took too long.
        let _ = send.send((outcome, thread_time() - began));
    });
    let (outcome, time) = match result.recv_timeout(HANG) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => panic!("{what}: not done after {HANG:?}"),
        Err(RecvTimeoutError::Disconnected) => {
            let payload = worker.join().expect_err("it ended without an outcome");
            panic!("{what}: {}", payload.downcast_ref::<String>().map_or("panicked", String::as_str));
        }
    };
    let taken = MOST_BYTES.load(Ordering::Relaxed).saturating_sub(before);
    drop(lock);
    assert!(time <= MOST_TIME, "{what}: took {time:?} of the processor");
    assert!(taken <= most_bytes, "{what}: took {} MiB, {} are justified", taken >> 20, most_bytes >> 20);
    outcome
}
