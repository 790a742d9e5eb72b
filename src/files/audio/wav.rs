//! A WAV file that grows: 16-bit samples of one channel.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use super::Sound;

const HEADER_BYTES: usize = 44;
const SAMPLE_BYTES: usize = 2;

/// A WAV file that grows. Once a second, all of it is put on disk, and its header states the samples that it has: what
/// a crash leaves behind is a sound that lacks at most its last second.
#[derive(Debug)]
pub struct WavWriter {
    file: File,
    frames_per_sec: u32,
    samples: usize,
    synced_samples: usize,
    bytes: Vec<u8>,
}

impl WavWriter {
    pub fn new(mut file: File, frames_per_sec: u32) -> io::Result<Self> {
        file.write_all(&header(frames_per_sec, 0))?;
        Ok(Self { file, frames_per_sec, samples: 0, synced_samples: 0, bytes: Vec::new() })
    }

    /// Adds samples. An error if it would be longer than what Smirk reads.
    pub fn append(&mut self, samples: &[i16]) -> io::Result<()> {
        if self.samples + samples.len() > Sound::MOST_SAMPLES {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it is as long as a sound can be"));
        }
        self.bytes.clear();
        self.bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
        self.file.write_all(&self.bytes)?;
        self.samples += samples.len();
        if self.samples - self.synced_samples >= self.frames_per_sec as usize {
            self.sync()?;
        }
        Ok(())
    }

    pub fn duration_secs(&self) -> f64 {
        self.samples as f64 / f64::from(self.frames_per_sec)
    }

    /// Puts all of it on disk, and its length into the header.
    pub fn sync(&mut self) -> io::Result<()> {
        // The header must not state samples that are not there.
        self.file.sync_data()?;
        write_header(&mut self.file, self.frames_per_sec, self.samples)?;
        self.file.sync_data()?;
        self.synced_samples = self.samples;
        Ok(())
    }
}

/// Makes the header of a file that a [`WavWriter`] has left behind state all samples that are in it. Returns how long
/// it is, in seconds.
pub fn complete_wav(file: &mut File) -> io::Result<f64> {
    let mut start = [0; HEADER_BYTES];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut start)?;
    let frames_per_sec = u32::from_le_bytes([start[24], start[25], start[26], start[27]]);
    let samples =
        usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX).saturating_sub(HEADER_BYTES) / SAMPLE_BYTES;
    let samples = samples.min(Sound::MOST_SAMPLES);
    let is_own = start[..4] == *b"RIFF" && start[8..24] == header(frames_per_sec, 0)[8..24];
    if !is_own || frames_per_sec == 0 {
        return Err(ErrorKind::InvalidData.into());
    }
    file.set_len((HEADER_BYTES + SAMPLE_BYTES * samples) as u64)?;
    write_header(file, frames_per_sec, samples)?;
    file.sync_all()?;
    Ok(samples as f64 / f64::from(frames_per_sec))
}

fn write_header(file: &mut File, frames_per_sec: u32, samples: usize) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header(frames_per_sec, samples))?;
    file.seek(SeekFrom::End(0)).map(drop)
}

fn header(frames_per_sec: u32, samples: usize) -> [u8; HEADER_BYTES] {
    const PCM: u16 = 1;
    const CHANNELS: u16 = 1;
    // At most `Sound::MOST_SAMPLES`, which are 512 MiB.
    let data = (samples * SAMPLE_BYTES) as u32;
    let parts: [&[u8]; 13] = [
        b"RIFF",
        &(data + HEADER_BYTES as u32 - 8).to_le_bytes(),
        b"WAVE",
        b"fmt ",
        &16_u32.to_le_bytes(),
        &PCM.to_le_bytes(),
        &CHANNELS.to_le_bytes(),
        &frames_per_sec.to_le_bytes(),
        &frames_per_sec.wrapping_mul(SAMPLE_BYTES as u32).to_le_bytes(),
        &(SAMPLE_BYTES as u16).to_le_bytes(),
        &(8 * SAMPLE_BYTES as u16).to_le_bytes(),
        b"data",
        &data.to_le_bytes(),
    ];
    let mut header = [0; HEADER_BYTES];
    let bytes = parts.into_iter().flatten().copied();
    header.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audio::open_bytes;
    use std::fs;
    use std::path::Path;

    const RATE: u32 = 8000;

    fn tone(samples: usize) -> Vec<i16> {
        (0..samples).map(|index| (index as i16).wrapping_mul(37)).collect()
    }

    /// The samples that a reader finds in the bytes of a file.
    fn read(bytes: Vec<u8>) -> Vec<i16> {
        let sound = open_bytes(bytes, Path::new("a.wav")).unwrap();
        assert_eq!((sound.frames_per_sec(), sound.damaged_secs), (RATE, 0.0));
        (0..sound.frames() as i64).map(|frame| (sound.frame(frame)[0] * 32768.0) as i16).collect()
    }

    #[test]
    fn a_sound_that_ends_has_all_its_samples() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        let mut writer = WavWriter::new(File::create(&path).unwrap(), RATE).unwrap();
        let samples = tone(2 * RATE as usize + 77);
        samples.chunks(80).for_each(|piece| writer.append(piece).unwrap());
        writer.sync().unwrap();
        assert!((writer.duration_secs() - samples.len() as f64 / f64::from(RATE)).abs() < 1e-9);
        assert_eq!(read(fs::read(&path).unwrap()), samples);
    }

    #[test]
    fn a_sound_that_is_cut_off_lacks_less_than_a_second_and_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        let mut writer = WavWriter::new(File::create(&path).unwrap(), RATE).unwrap();
        let samples = tone(2 * RATE as usize + 77);
        for (index, piece) in samples.chunks(80).enumerate() {
            writer.append(piece).unwrap();
            let written = (80 * (index + 1)).min(samples.len());
            let whole = written - written % RATE as usize;
            if whole > 0 && index % 20 == 0 {
                let found = read(fs::read(&path).unwrap());
                assert_eq!(found, samples[..whole], "after {written} samples");
            }
        }
        // A kill in the middle of a sample.
        let mut bytes = fs::read(&path).unwrap();
        bytes.pop();
        fs::write(&path, bytes).unwrap();
        let mut file = File::options().read(true).write(true).open(&path).unwrap();
        let secs = complete_wav(&mut file).unwrap();
        assert!((secs * f64::from(RATE) - (samples.len() - 1) as f64).abs() < 1e-6);
        assert_eq!(read(fs::read(&path).unwrap()), samples[..samples.len() - 1]);
    }

    #[test]
    fn a_file_that_is_no_such_sound_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        for content in [vec![], vec![0; 100], b"RIFF".repeat(20)] {
            fs::write(&path, &content).unwrap();
            assert!(complete_wav(&mut File::options().read(true).write(true).open(&path).unwrap()).is_err());
            assert_eq!(fs::read(&path).unwrap(), content);
        }
    }
}
