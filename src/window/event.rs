//! Events that other threads send to the window's event loop.

use egui_winit::accesskit_winit;
use winit::event_loop::EventLoopProxy;

use super::abnormal_end;
use smirk_base::interrupt;
use smirk_graphics::gpu::{DeviceError, Gpu};

#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A job has ended or begun its next step.
    Job,
    /// A service has something that it takes at once, also while the window is hidden and has no frames.
    Service,
    Graphics(DeviceError),
    /// A screen reader, or another program that reads or operates the widgets, asks for something.
    Accessibility(accesskit_winit::WindowEvent),
    Interrupted,
}

impl From<accesskit_winit::Event> for Event {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event.window_event)
    }
}

/// Sends events from other threads. Once the event loop has ended, they are lost, which harms nothing.
#[derive(Clone)]
pub(super) struct EventSender(pub EventLoopProxy<Event>);

impl EventSender {
    /// A function for [`smirk_base::job::Job::spawn`].
    pub(super) fn job_notifier(&self) -> impl Fn() + Clone + Send + 'static {
        let proxy = self.0.clone();
        move || drop(proxy.send_event(Event::Job))
    }

    /// A function for a service, which calls it when something has arrived.
    pub(super) fn service_notifier(&self) -> impl Fn() + Send + Sync + 'static {
        let proxy = self.0.clone();
        move || drop(proxy.send_event(Event::Service))
    }

    pub(super) fn forward_signals(&self) {
        let proxy = self.0.clone();
        interrupt::set_window(move || drop(proxy.send_event(Event::Interrupted)), write_unsaved_work);
    }

    pub(super) fn forward_errors(&self, gpu: &Gpu) {
        let proxy = self.0.clone();
        gpu.report_errors(move |error| drop(proxy.send_event(Event::Graphics(error))));
    }
}

/// What is done if the window does not close in time after the program was asked to end.
fn write_unsaved_work() {
    // A window that is closed has written its work, and only waits for the graphics driver.
    if !abnormal_end::is_closed() {
        let signal = interrupt::received().unwrap_or("a signal");
        abnormal_end::report(&format!("Ended by {signal}; the window did not close in time"));
    }
}
