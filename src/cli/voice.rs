//! The options for the voice that moves the mouth.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;

use super::text::counted;
use super::values::{Parser, keywords, number, one_of};
use smirk_analysis::voice::{Heard, PhoneSet, Voice, VoiceSource};
use smirk_base::file_kind::Content;
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_face::head::Level;
use smirk_face::motion::Markers;
use smirk_files::{audio, import};
use smirk_session::{FileRef, Session, SoundTrack};

/// The value of `--voice` for the sound of what plays.
const AUTO: &str = "auto";

#[derive(Debug, Default, Args)]
pub(super) struct VoiceArgs {
    /// Voice that moves the mouth: labels of phones, visemes or words, a sound file, from which the mouth is estimated,
    /// or `auto` for the sound of what plays
    #[arg(long, value_name = "FILE|auto")]
    voice: Option<PathBuf>,
    #[arg(long, value_name = "SET", requires = "voice", value_parser = one_of(PhoneSet::ALL, PhoneSet::keyword), help = phones_help())]
    voice_phones: Option<PhoneSet>,
    /// How much the mouth moves, from 0 to 2
    #[arg(long, value_name = "AMOUNT", requires = "voice", value_parser = amount())]
    voice_amount: Option<f32>,
    /// How much of that the jaw moves, from 0 to 2
    #[arg(long, value_name = "AMOUNT", requires = "voice", value_parser = amount())]
    voice_jaw: Option<f32>,
    /// How much of that the lips move, from 0 to 2
    #[arg(long, value_name = "AMOUNT", requires = "voice", value_parser = amount())]
    voice_lips: Option<f32>,
    /// Width of the window that smooths the movement [default: 0.04]
    #[arg(long, value_name = "SECONDS", requires = "voice", value_parser = number(0.0..=Voice::LONGEST_SMOOTHING_SECS, "seconds from 0 to 0.3"))]
    voice_smoothing: Option<f32>,
    /// How long before its sound a shape is there [default: 0.06]
    #[arg(long, value_name = "SECONDS", requires = "voice", value_parser = number(0.0..=Voice::LONGEST_LEAD_SECS, "seconds from 0 to 0.2"))]
    voice_lead: Option<f32>,
    /// Raise the brows with stressed words
    #[arg(long, requires = "voice")]
    voice_brows: bool,
    /// Blink with some of the stressed words
    #[arg(long, requires = "voice")]
    voice_blinks: bool,
}

fn phones_help() -> String {
    format!(
        "How the labels are spelled: {} [default: found by what they say]",
        keywords(PhoneSet::ALL, PhoneSet::keyword)
    )
}

impl VoiceArgs {
    /// Applies the options to a session. `sound` is the one that was asked for beside them. The voice of a project is
    /// listened to also without options.
    pub(super) fn apply(&self, session: &mut Session, sound: Option<&Path>) -> anyhow::Result<()> {
        if let Some(voice) = &self.voice {
            self.choose(session, voice, sound)?;
        }
        if let Some(file) = session.unheard().cloned() {
            listen(session, &file)?;
        }
        if let Some(voice) = self.voice.as_ref().filter(|_| session.spoken().is_none()) {
            bail!("--voice {}: none of its labels says anything", printable_path(voice));
        }
        let labels = session.spoken().filter(|_| self.voice.is_some()).and_then(|spoken| spoken.said.labels);
        if let Some(labels) = labels {
            let (set, read) = (labels.set.label(), labels.read);
            log::info!("--voice: {} are read as {set}", counted(read, "label"));
            if read < labels.count {
                log::warn!(
                    "--voice: {} of {} labels are not {set}, and are left out",
                    labels.count - read,
                    labels.count
                );
            }
        }
        Ok(())
    }

    fn choose(&self, session: &mut Session, voice: &Path, sound: Option<&Path>) -> anyhow::Result<()> {
        let named = Some(voice).filter(|voice| *voice != Path::new(AUTO));
        let content = named.map_or(Content::Sound, import::content_of);
        let source = match content {
            Content::Markers => {
                let imported = import::open_markers(voice).with_context(|| printable_path(voice))?;
                for note in imported.notes.iter().filter(|note| note.level == Level::Warning) {
                    log::warn!("{}: {note}", printable_path(voice));
                }
                session.edits.markers = Markers::new(imported.markers);
                // What plays lasts as long as its sound, unless only ffmpeg can read that.
                if let Some((file, sound)) =
                    sound.and_then(|file| Some((file, audio::open(file, Progress::NONE).ok()?)))
                {
                    session.timeline_mut().set_sound(SoundTrack::new(file, sound.duration_secs() as f32));
                }
                VoiceSource::Labels
            }
            Content::Sound => {
                match named.or(sound) {
                    Some(file) => {
                        std::fs::metadata(file).with_context(|| printable_path(file))?;
                        session.timeline_mut().set_sound(SoundTrack::new(file, 0.0));
                    }
                    None if session.sound().is_none() => {
                        bail!("--voice auto: nothing that plays has a sound; --voice FILE names one")
                    }
                    None => {}
                }
                VoiceSource::Sound
            }
            content => {
                std::fs::metadata(voice).with_context(|| printable_path(voice))?;
                bail!("--voice {}: is {}, neither labels nor a sound", printable_path(voice), content.words().noun)
            }
        };
        let chosen = &mut session.edits.voice;
        (chosen.enabled, chosen.source, chosen.phones) = (true, source, self.voice_phones);
        for (own, asked) in [
            (&mut chosen.amount, self.voice_amount),
            (&mut chosen.jaw, self.voice_jaw),
            (&mut chosen.lips, self.voice_lips),
            (&mut chosen.smoothing_secs, self.voice_smoothing),
            (&mut chosen.lead_secs, self.voice_lead),
        ] {
            *own = asked.unwrap_or(*own);
        }
        chosen.brows |= self.voice_brows;
        chosen.blinks |= self.voice_blinks;
        Ok(())
    }

    pub(super) fn is_some(&self) -> bool {
        self.voice.is_some()
    }

    /// The file that is named.
    pub(super) fn file(&self) -> Option<&PathBuf> {
        self.voice.as_ref().filter(|voice| voice.as_path() != Path::new(AUTO))
    }
}

/// A factor of a movement.
fn amount() -> impl Parser<f32> {
    number(0.0..=Voice::LARGEST_AMOUNT, "a number from 0 to 2")
}

/// Listens to the sound that the voice of a session needs.
fn listen(session: &mut Session, file: &FileRef) -> anyhow::Result<()> {
    let sound = audio::open(file, Progress::NONE).with_context(|| printable_path(file))?;
    if let Some(damage) = sound.damage() {
        log::warn!("{}: {damage}", printable_path(file));
    }
    let heard = Heard::new(&sound.mono(), sound.frames_per_sec());
    let secs = sound.duration_secs() as f32;
    session.timeline_mut().change_sound(|track| Some(SoundTrack { duration_secs: secs, ..track }));
    session.hear(file.clone(), Arc::new(heard));
    Ok(())
}
