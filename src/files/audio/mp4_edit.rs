//! How much of the start of an MP4 sound is not to be heard. Encoders of AAC begin with some samples that only fill the
//! filter, and say so in the edit list; without it, a voice would come 20 to 50 ms late.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// More boxes of one name, and edits, than a file with sound has.
const PATHS: usize = 64;
/// More boxes beside each other than are looked at.
const BOXES: usize = 1000;

/// The largest description of tracks that is read. That of an hour has a few hundred kilobytes.
const MOST_BYTES: u64 = 64 << 20;

/// The seconds to skip at the start of the first sound of an MP4 file; 0 for other files.
pub(super) fn skipped_secs(file: &mut (impl Read + Seek)) -> f64 {
    let tracks = tracks_of(file).ok().flatten();
    tracks.map_or(0.0, |bytes| skipped_in_tracks(&bytes))
}

/// The content of the box that describes all tracks. The samples before it are passed over.
fn tracks_of(file: &mut (impl Read + Seek)) -> io::Result<Option<Vec<u8>>> {
    let (end, mut start) = (file.seek(SeekFrom::End(0))?, 0);
    for _ in 0..BOXES {
        file.seek(SeekFrom::Start(start))?;
        let mut header = Vec::new();
        file.take(16).read_to_end(&mut header)?;
        let Some((size, length)) = size_of(&header, 0, end - start) else { break };
        let next = start.checked_add(size).filter(|&next| next <= end && size >= length);
        let Some(next) = next else { break };
        if header.get(4..8) == Some(b"moov") && size <= MOST_BYTES {
            file.seek(SeekFrom::Start(start + length))?;
            let mut content = Vec::new();
            file.take(size - length).read_to_end(&mut content)?;
            return Ok(Some(content));
        }
        start = next;
    }
    Ok(None)
}

/// The size of the box whose header begins at `start`, and that of its header; `rest` is what is left for it.
fn size_of(bytes: &[u8], start: usize, rest: u64) -> Option<(u64, u64)> {
    match number(bytes, start, 4)? {
        0 => Some((rest, 8)),
        1 => Some((number(bytes, start + 8, 8)?, 16)),
        size => Some((size, 8)),
    }
}

fn skipped_in_tracks(bytes: &[u8]) -> f64 {
    let tracks = children(bytes, 0..bytes.len(), b"trak");
    tracks
        .into_iter()
        .find(|track| {
            let handler = at(bytes, track.clone(), &[b"mdia", b"hdlr"]);
            handler.is_some_and(|range| bytes.get(range.start + 8..range.start + 12) == Some(b"soun"))
        })
        .and_then(|track| skipped_in(bytes, track))
        .unwrap_or(0.0)
}

fn skipped_in(bytes: &[u8], track: Range<usize>) -> Option<f64> {
    let header = at(bytes, track.clone(), &[b"mdia", b"mdhd"])?;
    let is_long = *bytes.get(header.start)? == 1;
    let per_sec = number(bytes, header.start + if is_long { 20 } else { 12 }, 4)?;
    let list = at(bytes, track, &[b"edts", b"elst"])?;
    let is_long = *bytes.get(list.start)? == 1;
    let count = number(bytes, list.start + 4, 4)?.min(PATHS as u64) as usize;
    let (size, width) = if is_long { (20, 8) } else { (12, 4) };
    let none = if is_long { u64::MAX } else { u64::from(u32::MAX) };
    // Empty edits have the time −1: the sound begins later, which cannot be told from a wrong list and is left out.
    let mut times = (0..count).map_while(|index| number(bytes, list.start + 8 + index * size + width, width));
    let ticks = times.find(|&time| time != none)?;
    let secs = ticks as f64 / per_sec as f64;
    // A longer start is no filter that is filled, but a sound that was cut, which other decoders play whole.
    (secs.is_finite() && secs < 1.0).then_some(secs)
}

fn at(bytes: &[u8], range: Range<usize>, names: &[&[u8; 4]]) -> Option<Range<usize>> {
    names.iter().try_fold(range, |range, name| child(bytes, range, name))
}

fn child(bytes: &[u8], range: Range<usize>, name: &[u8; 4]) -> Option<Range<usize>> {
    children(bytes, range, name).into_iter().next()
}

fn children(bytes: &[u8], range: Range<usize>, name: &[u8; 4]) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), range.start);
    while let Some((size, header)) = size_of(bytes, start, (range.end - start) as u64) {
        let header = header as usize;
        let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size)).filter(|&end| end <= range.end);
        let Some(end) = end.filter(|&end| end >= start + header) else { break };
        if bytes.get(start + 4..start + 8) == Some(name) && found.len() < PATHS {
            found.push(start + header..end);
        }
        start = end;
    }
    found
}

fn number(bytes: &[u8], start: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(start..start.checked_add(width)?)?;
    Some(bytes.iter().fold(0, |number, &byte| (number << 8) | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped_secs(bytes: &[u8]) -> f64 {
        super::skipped_secs(&mut io::Cursor::new(bytes))
    }

    fn boxed(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat()
    }

    fn file(handler: &[u8; 4], list: &[u8]) -> Vec<u8> {
        let hdlr = boxed(b"hdlr", &[&[0; 8], &handler[..]].concat());
        let mdhd = boxed(b"mdhd", &[&[0; 12], &48_000_u32.to_be_bytes()[..]].concat());
        let mdia = boxed(b"mdia", &[mdhd, hdlr].concat());
        let edts = boxed(b"edts", &boxed(b"elst", list));
        boxed(b"moov", &boxed(b"trak", &[edts, mdia].concat()))
    }

    #[test]
    fn the_first_edit_of_the_sound_says_what_is_skipped() {
        let entry = |ticks: i32| [&480_000_u32.to_be_bytes()[..], &ticks.to_be_bytes(), &[0, 1, 0, 0]].concat();
        let list = |entries: &[Vec<u8>]| [vec![0; 4], vec![0, 0, 0, entries.len() as u8], entries.concat()].concat();
        assert_eq!(skipped_secs(&file(b"soun", &list(&[entry(1024)]))), 1024.0 / 48_000.0);
        assert_eq!(skipped_secs(&file(b"soun", &list(&[entry(-1), entry(2112)]))), 0.044);
        assert_eq!(skipped_secs(&file(b"vide", &list(&[entry(1024)]))), 0.0, "a picture");
        assert_eq!(skipped_secs(&file(b"soun", &list(&[entry(480_000)]))), 0.0, "a cut");
        assert_eq!((skipped_secs(b"RIFF"), skipped_secs(&[])), (0.0, 0.0));
        let whole = file(b"soun", &list(&[entry(1024)]));
        (0..whole.len()).for_each(|end| assert_eq!(skipped_secs(&whole[..end]), 0.0, "cut at {end}"));
    }
}
