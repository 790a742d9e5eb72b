//! The order of input on slow frames.

use std::collections::{HashSet, VecDeque};

use egui::{Event, Key};

/// Input that waits for its frame.
///
/// egui reads all events of a frame against the keyboard focus that the last of them leave. If a slow frame receives
/// what a user did over several moments, such as a word and the click after it, the click takes the focus before the
/// word is read. So typing and what may move the focus come in frames of their own, in the order in which they were
/// done.
///
/// A mouse button that is pressed and released within one frame would never be seen as held, so that a quick click on a
/// ruler would do nothing: the release waits for the next frame. Further clicks come with it, so that a double-click
/// stays one.
///
/// egui also reads all events of a frame against the last place of the pointer. A movement waits for the frame after
/// that of a button, which would otherwise press or release what is at the end of the movement; and a release waits for
/// the frame after that of a movement, which would otherwise be no part of the drag that ends, so that a slider would
/// stay behind the pointer. A key waits as well: what it acts on is what was under the pointer in the frame before. One
/// that is held down does not wait, so that whoever moves the mouse while it repeats does not let the queue grow.
#[derive(Default)]
pub(super) struct InputQueue {
    events: VecDeque<Event>,
    held: HashSet<Key>,
    /// Number of frames since a mouse button was pressed that is still held.
    frames_since_press: Option<u32>,
    /// The longest time from pressing a button to releasing it that is a click in the frame, in seconds.
    longest_click_secs: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Text, and keys that act where the focus is.
    Typing,
    MovesFocus,
}

impl InputQueue {
    /// The longest time from pressing a button to releasing it that egui takes for a click.
    const LONGEST_CLICK_SECS: f64 = 0.8;
    /// A release within so many frames of the press is a click however long these took: a release that was done at once
    /// comes in the next frame, or after a movement in the one after that.
    const CLICK_FRAMES: u32 = 2;

    /// Adds events, and removes those of the next frame.
    pub(super) fn next_frame(&mut self, events: Vec<Event>) -> Vec<Event> {
        for mut event in events {
            match &mut event {
                Event::Key { key, pressed: true, repeat, .. } => *repeat |= !self.held.insert(*key),
                Event::Key { key, pressed: false, .. } => _ = self.held.remove(key),
                Event::WindowFocused(false) => self.held.clear(),
                _ => {}
            }
            self.events.push_back(event);
        }
        let mut kind = None;
        let mut first_button = None;
        let mut is_moved = false;
        let later = self.events.iter().position(|event| {
            match event {
                Event::PointerMoved(_) if first_button.is_some() => return true,
                Event::PointerMoved(_) => is_moved = true,
                Event::PointerButton { pressed, .. } => {
                    let begins_with_press = *first_button.get_or_insert(*pressed);
                    if !pressed && (begins_with_press || is_moved) {
                        return true;
                    }
                }
                _ => {}
            }
            if is_moved && is_first_press(event) {
                return true;
            }
            match Kind::from_event(event) {
                Some(other) => *kind.get_or_insert(other) != other,
                None => false,
            }
        });
        let events: Vec<Event> = self.events.drain(..later.unwrap_or(self.events.len())).collect();
        self.longest_click_secs = Self::LONGEST_CLICK_SECS;
        self.frames_since_press = self.frames_since_press.map(|frames| frames + 1);
        for event in &events {
            let Event::PointerButton { pressed, .. } = event else { continue };
            if *pressed {
                self.frames_since_press = Some(0);
            } else if self.frames_since_press.take().is_some_and(|frames| frames <= Self::CLICK_FRAMES) {
                self.longest_click_secs = f64::INFINITY;
            }
        }
        events
    }

    /// The longest time from pressing a button to releasing it that is a click in the frame whose events were removed
    /// last, in seconds.
    pub(super) fn longest_click_secs(&self) -> f64 {
        self.longest_click_secs
    }

    pub(super) fn has_more(&self) -> bool {
        !self.events.is_empty()
    }
}

impl Kind {
    /// `None` for movement, released keys and the like.
    fn from_event(event: &Event) -> Option<Self> {
        match event {
            Event::PointerButton { .. }
            | Event::Key { key: Key::Escape | Key::Tab | Key::Enter, pressed: true, .. } => Some(Self::MovesFocus),
            Event::Text(_)
            | Event::Copy
            | Event::Cut
            | Event::Paste(_)
            | Event::Ime(_)
            | Event::Key { pressed: true, .. } => Some(Self::Typing),
            _ => None,
        }
    }
}

/// Whether a key was pressed that is not held down already.
fn is_first_press(event: &Event) -> bool {
    matches!(event, Event::Copy | Event::Cut | Event::Paste(_) | Event::Key { pressed: true, repeat: false, .. })
}

#[cfg(test)]
mod tests {
    use egui::{Modifiers, PointerButton, pos2};

    use super::*;

    fn key(key: Key) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
    }

    fn button(pressed: bool) -> Event {
        let pos = pos2(10.0, 10.0);
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    fn moved(x: f32) -> Event {
        Event::PointerMoved(pos2(x, 10.0))
    }

    /// The frames that a burst of events becomes.
    fn frames(events: &[Event]) -> Vec<Vec<Event>> {
        let mut queue = InputQueue::default();
        let mut frames = vec![queue.next_frame(events.to_vec())];
        while queue.has_more() {
            frames.push(queue.next_frame(Vec::new()));
        }
        frames
    }

    #[test]
    fn a_word_comes_before_the_click_after_it() {
        let word = [key(Key::J), Event::Text("j".into()), key(Key::A), Event::Text("a".into()), moved(10.0)];
        let click = [button(true), button(false)];
        let [press, release] = [&click[..1], &click[1..]].map(<[Event]>::to_vec);
        let expected = [word.to_vec(), press.clone(), release.clone()];
        assert_eq!(frames(&[word.as_slice(), &click].concat()), expected);
        assert_eq!(frames(&[click.as_slice(), &word].concat()), [press, release, word.to_vec()]);
    }

    #[test]
    fn a_click_is_one_however_long_its_frames_take_and_a_button_that_is_held_for_many_frames_is_not() {
        let mut queue = InputQueue::default();
        queue.next_frame(vec![button(true), button(false)]);
        assert!(queue.longest_click_secs().is_finite(), "it is only pressed");
        queue.next_frame(Vec::new());
        assert_eq!(queue.longest_click_secs(), f64::INFINITY);
        queue.next_frame(vec![button(true)]);
        (0..InputQueue::CLICK_FRAMES).for_each(|_| drop(queue.next_frame(vec![moved(11.0)])));
        queue.next_frame(vec![button(false)]);
        assert!(queue.longest_click_secs().is_finite(), "it was held");
    }

    #[test]
    fn a_quick_click_is_held_for_a_frame_and_a_double_click_stays_one() {
        let click = [button(true), button(false)];
        assert_eq!(frames(&click), [[button(true)], [button(false)]]);
        let double = [click.clone(), click].concat();
        assert_eq!(frames(&double), [double[..1].to_vec(), double[1..].to_vec()]);
    }

    #[test]
    fn a_quick_drag_begins_where_it_was_pressed_and_ends_where_it_was_released() {
        let drag = [moved(1.0), button(true), moved(2.0), moved(3.0), button(false), moved(9.0)];
        let expected = [&drag[..2], &drag[2..4], &drag[4..5], &drag[5..]];
        assert_eq!(frames(&drag), expected);
    }

    #[test]
    fn a_key_acts_on_what_the_pointer_was_moved_to() {
        let burst = [moved(1.0), key(Key::K), moved(2.0), moved(3.0), Event::Copy, key(Key::D)];
        assert_eq!(frames(&burst), [&burst[..1], &burst[1..4], &burst[4..]]);
        let pressed = |pressed, repeat| {
            let modifiers = Modifiers::NONE;
            Event::Key { key: Key::K, physical_key: None, pressed, repeat, modifiers }
        };
        // The window system does not say that a key repeats.
        let said = [true, true, false, true].map(|is_pressed| pressed(is_pressed, false));
        let known = [pressed(true, false), pressed(true, true), pressed(false, false), pressed(true, false)];
        let moved_before = |keys: &[Event]| keys.iter().flat_map(|key| [moved(1.0), key.clone()]).collect::<Vec<_>>();
        let known = moved_before(&known);
        assert_eq!(frames(&moved_before(&said)), [&known[..1], &known[1..7], &known[7..]]);
    }

    #[test]
    fn a_key_that_leaves_a_field_waits_for_the_text_before_it() {
        let burst = [Event::Text("a".into()), key(Key::Escape), key(Key::Space)];
        assert_eq!(frames(&burst), [[burst[0].clone()], [burst[1].clone()], [burst[2].clone()]]);
    }

    #[test]
    fn events_of_one_kind_come_in_one_frame() {
        for burst in
            [vec![moved(1.0), moved(2.0)], vec![key(Key::ArrowRight), key(Key::ArrowUp), key(Key::Home)], vec![]]
        {
            assert_eq!(frames(&burst), [burst]);
        }
    }

    #[test]
    fn new_events_come_after_those_that_wait() {
        let mut queue = InputQueue::default();
        let text = Event::Text("a".into());
        assert_eq!(queue.next_frame(vec![text.clone(), button(true)]), std::slice::from_ref(&text));
        assert_eq!(queue.next_frame(vec![button(false), text.clone()]), [button(true)]);
        assert_eq!(queue.next_frame(Vec::new()), [button(false)]);
        assert_eq!(queue.next_frame(Vec::new()), [text]);
        assert!(!queue.has_more());
    }
}
