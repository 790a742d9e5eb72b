//! Runs readers of hostile files and fails if they take more than two seconds of the processor, or more memory than the file's size
//! justifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::HANGS_AFTER;

/// The system's allocator, which also records for each thread the largest number of bytes that are allocated at the same time.
pub struct Counting;

thread_local! {
    // A thread that frees what another has allocated counts below zero.
    static ALLOCATED_BYTES: Cell<isize> = const { Cell::new(0) };
    static MOST_BYTES: Cell<isize> = const { Cell::new(0) };
}
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

/// The number of allocations of all threads so far.
pub fn allocations() -> usize {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// Counts an allocation, or a release as a negative one. A thread that ends has no counters any more.
fn count(bytes: isize) {
    let _ = ALLOCATED_BYTES.try_with(|allocated| {
        allocated.set(allocated.get() + bytes);
        MOST_BYTES.with(|most| most.set(most.get().max(allocated.get())));
    });
    ALLOCATIONS.fetch_add(usize::from(bytes > 0), Ordering::Relaxed);
}

#[expect(unsafe_code, reason = "an allocator cannot be written without; each call is passed on unchanged")]
// SAFETY: every method calls the same method of the system's allocator with the same arguments, and counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // For a moment, both may be there.
        count(new_size as isize);
        count(-(layout.size() as isize));
        unsafe { System.realloc(pointer, layout, new_size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The longest time of the processor that a file may take. Other programs of a busy machine do not count.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The time of the processor that this thread has taken.
#[cfg(target_os = "linux")]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call, where a thread's own cannot be measured.
#[cfg(not(target_os = "linux"))]
pub fn thread_time() -> Duration {
    static FIRST: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    FIRST.elapsed()
}

/// The largest number of bytes that may be allocated to read a file of `file_bytes` bytes.
pub fn justified_bytes(file_bytes: usize) -> usize {
    (64 << 20) + 64 * file_bytes
}

/// What a reader did: its outcome, the largest number of bytes that it had allocated at the same time, and its time of the processor.
fn measured<T: Send>(work: impl FnOnce() -> T + Send) -> (T, usize, Duration) {
    // All that the work divides between threads of rayon stays on the one thread whose memory and time are measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let before = ALLOCATED_BYTES.get();
        MOST_BYTES.set(before);
        let began = thread_time();
        let outcome = work();
        (outcome, (MOST_BYTES.get() - before) as usize, thread_time() - began)
    })
}

/// Runs `work` on a thread, and returns how many bytes more than before were allocated at the same time.
pub fn peak_bytes<T: Send>(work: impl FnOnce() -> T + Send) -> (T, usize) {
    let (outcome, peak, _) = measured(work);
    (outcome, peak)
}

/// Runs `work` on a thread with the stack size of the loader's thread. Panics, naming `what`, if it panics, takes too
/// long or takes too much memory.
pub fn watch<T: Send + 'static>(what: &str, most_bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, result) = channel();
    let worker = std::thread::spawn(move || {
        // The receiver has been dropped if the work took too long.
        let _ = send.send(measured(work));
    });
    let (outcome, taken, time) = match result.recv_timeout(HANGS_AFTER) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => panic!("{what}: not done after {HANGS_AFTER:?}"),
        Err(RecvTimeoutError::Disconnected) => {
            let payload = worker.join().expect_err("it ended without an outcome");
            panic!("{what}: {}", payload.downcast_ref::<String>().map_or("panicked", String::as_str));
        }
    };
    assert!(time <= MOST_TIME, "{what}: took {time:?} of the processor");
    assert!(taken <= most_bytes, "{what}: took {} MiB, {} are justified", taken >> 20, most_bytes >> 20);
    outcome
}
