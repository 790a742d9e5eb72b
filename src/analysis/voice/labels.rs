//! The mouth from what is said when: phones, visemes or words with their times.

use super::phones::{PhoneSet, is_stressed};
use super::shapes::{Contact, JAW, Mouth, PARTS, PUCKER, SPREAD, Shape, shape_of};
use super::{FRAMES_PER_SEC, Speech};
use smirk_face::motion::Marker;

/// How labels were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLabels {
    pub set: PhoneSet,
    /// How many of the labels that say something are read, and how many there are.
    pub read: usize,
    pub count: usize,
}

/// A phone with its time.
struct Phone {
    from: f32,
    to: f32,
    shape: Shape,
}

/// What stands between the texts of several tiers that begin together.
const BETWEEN_TIERS: &str = " · ";
/// A label without a length lasts until the next one, at most so long.
const LONGEST_MOMENT_SECS: f32 = 0.4;
/// Nothing is said in a gap that is longer: then the mouth relaxes.
const PAUSE_SECS: f32 = 0.12;
/// So long after the last sound the mouth is at rest, and what is said is over.
const RELAXED_SECS: f32 = 0.3;
/// Enough for a day at the shortest phones; labels of a file may have any times.
const LATEST_SECS: f32 = 6.0 * 3600.0;
/// How long before and after a phone the mouth is still half of the way there: of the jaw, and of the lips, which
/// anticipate more.
const REACH_SECS: [f32; 2] = [0.03, 0.06];
/// A pause is reached more slowly.
const PAUSE_REACH_SECS: f32 = 0.09;

impl Speech {
    /// The mouth that says some labels, in the order of their times. `chosen` is how they are spelled; without it, what
    /// fits most of them. `lead_secs` is how long before its sound a shape is there. `None` if nothing is said.
    pub fn of_labels(markers: &[Marker], chosen: Option<PhoneSet>, lead_secs: f32) -> Option<(Self, ReadLabels)> {
        let texts: Vec<Vec<&str>> = markers.iter().map(|marker| marker.text.split(BETWEEN_TIERS).collect()).collect();
        let (set, is_last) = recognised(&texts, chosen)?;
        let (mut phones, mut stressed) = (Vec::new(), Vec::new());
        let (mut read, mut count) = (0, 0);
        for (index, marker) in markers.iter().enumerate() {
            let text = part(&texts[index], is_last);
            let Some(symbols) = set.symbols(text) else {
                count += 1;
                continue;
            };
            let next = markers.get(index + 1).map_or(f32::INFINITY, |next| next.time_secs);
            let from = marker.time_secs.min(LATEST_SECS);
            let longest = if marker.lasts_secs > 0.0 { marker.lasts_secs } else { LONGEST_MOMENT_SECS };
            let to = (from + longest).min(next).min(LATEST_SECS);
            if symbols.is_empty() || to <= from {
                continue;
            }
            (read, count) = (read + 1, count + 1);
            if is_stressed(set, text) {
                stressed.push(from);
            }
            phones.extend(shared_out(&symbols, from, to));
        }
        Some((spoken(&with_pauses(phones)?, stressed, lead_secs), ReadLabels { set, read, count }))
    }
}

/// The text of one tier of those that begin together: of the first or of the last.
fn part<'t>(texts: &[&'t str], is_last: bool) -> &'t str {
    let own = if is_last { texts.last() } else { texts.first() };
    own.copied().unwrap_or_default()
}

/// The set that reads most labels, and whether it reads the last of the tiers. Words are read where no phones are.
fn recognised(texts: &[Vec<&str>], chosen: Option<PhoneSet>) -> Option<(PhoneSet, bool)> {
    /// The share of the labels that has to be phones of a set.
    const LEAST: f32 = 0.6;
    let mut best: Option<(f32, PhoneSet, bool)> = None;
    for &set in PhoneSet::ALL.iter().filter(|set| chosen.is_none_or(|chosen| chosen == **set)) {
        for is_last in [true, false] {
            let said = texts.iter().map(|texts| set.symbols(part(texts, is_last)));
            let (mut read, mut count, mut length) = (0, 0, 0);
            for symbols in said {
                match symbols {
                    Some(symbols) if symbols.is_empty() => {}
                    Some(symbols) => (read, count, length) = (read + 1, count + 1, length + symbols.len()),
                    None => count += 1,
                }
            }
            let share = read as f32 / (count as f32).max(1.0);
            let has_sign = texts.iter().any(|texts| set.is_sign(part(texts, is_last)));
            let is_phones = chosen.is_some() || has_sign && set.is_as_long_as(length as f32 / (read as f32).max(1.0));
            let is_enough = share > 0.0 && is_phones && (share >= LEAST || chosen.is_some() || set == PhoneSet::Words);
            let is_better = best.is_none_or(|(best, ..)| share > best && (set != PhoneSet::Words || best < LEAST));
            if is_enough && is_better {
                best = Some((share, set, is_last));
            }
        }
    }
    best.map(|(_, set, is_last)| (set, is_last))
}

/// The phones of a label, which share its time: vowels get more of it.
fn shared_out(symbols: &[char], from: f32, to: f32) -> Vec<Phone> {
    let shapes: Vec<Shape> = symbols.iter().filter_map(|symbol| shape_of(*symbol)).collect();
    let share = |shape: &Shape| if shape.is_vowel { 1.7 } else { 1.0 };
    let all: f32 = shapes.iter().map(share).sum();
    let mut at = from;
    let shared = shapes.into_iter().map(|shape| {
        let start = at;
        at += (to - from) * share(&shape) / all;
        Phone { from: start, to: at, shape }
    });
    shared.collect()
}

/// The phones with the pauses between them, before and after them. `None` if there are none.
fn with_pauses(phones: Vec<Phone>) -> Option<Vec<Phone>> {
    let rest = |from: f32, to: f32| Phone { from, to, shape: Shape::REST };
    let (first, last) = (phones.first()?.from, phones.last()?.to);
    let mut all = vec![rest(first - 1.0, first - 0.03)];
    for phone in phones {
        let before = all.last().map_or(phone.from, |before| before.to);
        if phone.from - before > PAUSE_SECS {
            all.push(rest(before + 0.03, phone.from - 0.03));
        }
        all.push(phone);
    }
    all.push(rest(last + 0.03, last + RELAXED_SECS));
    Some(all)
}

/// When the mouth is as a phone wants it: from before its sound on. It leaves the shape not as much earlier, so that a
/// short vowel after closed lips is seen.
fn led(phone: &Phone, lead_secs: f32) -> [f32; 2] {
    /// The part of the lead by which a shape is left before its sound ends.
    const AT_ITS_END: f32 = 0.2;
    [phone.from - lead_secs, (phone.to - AT_ITS_END * lead_secs).max(0.5 * (phone.from + phone.to) - lead_secs)]
}

/// The mouth of each frame: the mean of the phones around it, by how strongly each dominates there (Cohen and Massaro
/// 1993). The dominance of a phone falls off as a bell on both sides of it, so that the movement has no corners. Lips
/// that touch first after a pause do not part before that for what comes after it.
fn spoken(phones: &[Phone], stressed: Vec<f32>, lead_secs: f32) -> Speech {
    /// Where a bell has fallen to nothing, in its widths.
    const FARTHEST: f32 = 3.0;
    let end = phones.last().map_or(0.0, |phone| phone.to).max(0.0);
    let frames = (end * FRAMES_PER_SEC) as usize;
    let widest = FARTHEST * PAUSE_REACH_SECS + lead_secs;
    let mut first = 0;
    let mut mouths = Vec::with_capacity(frames);
    for frame in 0..frames {
        let secs = frame as f32 / FRAMES_PER_SEC;
        while phones.get(first).is_some_and(|phone| phone.to + widest < secs) {
            first += 1;
        }
        let (mut sums, mut weights) = ([0.0; PARTS], [1e-6_f32; PARTS]);
        let (mut follows_pause, mut is_behind_contact) = (false, false);
        for phone in phones[first..].iter().take_while(|phone| phone.from - widest < secs) {
            let [from, to] = led(phone, lead_secs);
            let away = (from - secs).max(secs - to).max(0.0);
            let is_pause = phone.shape == Shape::REST;
            let reaches = if is_pause { [PAUSE_REACH_SECS; 2] } else { REACH_SECS };
            let [jaw, lips] = reaches.map(|reach| (-(away / reach).powi(2)).exp());
            for part in (0..PARTS).filter(|part| !is_behind_contact || [PUCKER, SPREAD].contains(part)) {
                let dominance =
                    if part == JAW { jaw * phone.shape.jaw_strength } else { lips * phone.shape.lip_strength };
                sums[part] += dominance * phone.shape.mouth[part];
                weights[part] += dominance;
            }
            let is_ahead = phone.shape.contact != Contact::None && secs < 0.5 * (phone.from + phone.to);
            is_behind_contact |= follows_pause && is_ahead;
            follows_pause = is_pause;
        }
        mouths.push(std::array::from_fn(|part| sums[part] / weights[part]) as Mouth);
    }
    let spans = |contact: Contact| {
        let touching = phones.iter().filter(|phone| phone.shape.contact == contact);
        touching.map(|phone| [phone.from, phone.to]).collect::<Vec<_>>()
    };
    Speech { mouths, closed: spans(Contact::Lips), bitten: spans(Contact::Teeth), stressed }
}
