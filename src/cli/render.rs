//! `smirk render`: one picture of a head, drawn as the window draws it.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use crate::blend::{BlendMode, Layout};
use crate::export::save_png;
use crate::gpu::{Gpu, Prefer};
use crate::head::Head;
use crate::render::{HeadOnGpu, Renderer};
use crate::scene::{Camera, Look, Quality, Scene, View};

/// Arguments of `smirk render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Head to draw; without it, the head inside the program
    file: Option<PathBuf>,
    /// Where the picture goes
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1024x1024", value_parser = size)]
    size: [u32; 2],
    /// Who adds up the targets
    #[arg(long, value_name = "cpu|vertex|compute|multipass", default_value = "compute", value_parser = mode)]
    mode: BlendMode,
    /// Weights of channels, e.g. jawOpen=0.6,mouthSmileLeft=1; others stay at rest
    #[arg(long, value_name = "NAME=WEIGHT,…", value_delimiter = ',', value_parser = channel_weight)]
    pose: Vec<(String, f32)>,
    /// Clip to take weights from, by number from 0 or by name
    #[arg(long, value_name = "N|NAME")]
    clip: Option<String>,
    /// Position in the clip
    #[arg(long, value_name = "SECONDS", requires = "clip", value_parser = super::seconds)]
    time: Option<f32>,
    /// front, threequarter, left, right, or yaw,pitch in degrees
    #[arg(long, default_value = "front", value_parser = super::view::view, allow_hyphen_values = true)]
    view: View,
}

/// Draws the picture and writes it.
pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let head = Arc::new(super::open_head(args.file.as_ref())?);
    let weights = weights(&head, args)?;
    let gpu = Gpu::headless(Prefer::Hardware)?;
    let limit = gpu.device.limits().max_texture_dimension_2d;
    if args.size.iter().any(|&side| side > limit) {
        bail!("--size {}x{}: {} draws at most {limit} pixels a side", args.size[0], args.size[1], gpu.info.name);
    }
    let mode = args.mode;
    let aspect = args.size[0] as f32 / args.size[1] as f32;
    let camera = Camera::framing(head.focus, head.bounds, args.view, aspect);
    let look = Look::default();
    let mut renderer = Renderer::new(&gpu);
    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), Arc::new(Layout::new(&head))));
    if let Some(reason) = renderer.unavailable(mode) {
        bail!("mode {} is not available: {reason}", mode.keyword());
    }
    renderer.draw(&Scene {
        head: &head,
        weights: &weights,
        mode,
        camera: &camera,
        look: &look,
        size: args.size,
        quality: Quality::FULL,
    });
    Ok(save_png(&args.output, &renderer.read_pixels())?)
}

/// Rest, then the clip, then the pose.
fn weights(head: &Head, args: &RenderArgs) -> anyhow::Result<Vec<f32>> {
    let mut weights = head.default_weights();
    if let Some(wanted) = &args.clip {
        let by_name = head.clips.iter().position(|clip| clip.name == *wanted);
        let Some(clip) = by_name.or_else(|| wanted.parse().ok()).and_then(|index| head.clips.get(index)) else {
            let names: Vec<_> = head.clips.iter().map(|clip| format!("{:?}", clip.name)).collect();
            bail!("--clip {wanted}: {} has {} clips: {}", head.name, names.len(), names.join(", "));
        };
        for (target, weight) in weights.iter_mut().enumerate() {
            *weight = clip.sample(args.time.unwrap_or(0.0), target).unwrap_or(*weight);
        }
    }
    for (name, weight) in &args.pose {
        let Some(channel) = head.channel_named(name) else {
            let names: Vec<_> = head.channels.iter().map(|channel| channel.name.as_str()).collect();
            bail!("--pose {name}: {} has no such channel; it has {}", head.name, names.join(", "));
        };
        for &target in &head.channels[channel].targets {
            weights[target] = *weight;
        }
    }
    Ok(weights)
}

fn mode(text: &str) -> Result<BlendMode, String> {
    let named = BlendMode::ALL.into_iter().find(|mode| mode.keyword() == text);
    named.ok_or_else(|| format!("one of {}", BlendMode::ALL.map(BlendMode::keyword).join(", ")))
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|&side: &u32| side > 0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "two numbers, such as 1280x720".into())
}

fn channel_weight(text: &str) -> Result<(String, f32), String> {
    let (name, weight) = text.split_once('=').ok_or("NAME=WEIGHT, such as jawOpen=0.6")?;
    match weight.trim().parse::<f32>() {
        Ok(weight) if weight.is_finite() => Ok((name.trim().to_owned(), weight)),
        _ => Err(format!("the weight of {name} is {weight:?}, which is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_weights_are_read() {
        assert_eq!(size("1280x720"), Ok([1280, 720]));
        assert!(size("1280").is_err() && size("0x5").is_err() && size("-1x5").is_err());
        assert_eq!(channel_weight("jawOpen=-0.5"), Ok(("jawOpen".into(), -0.5)));
        assert!(channel_weight("jawOpen").is_err() && channel_weight("jawOpen=inf").is_err());
    }
}
