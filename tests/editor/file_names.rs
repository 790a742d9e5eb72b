//! The names of exported files, and the formats that they choose.

use std::path::Path;

use smirk_export::{AnimationFormat, ExportKind, ExportRequest, FilmFormat, MeshFormat, PictureFormat};

#[test]
fn an_extension_chooses_among_the_formats_of_the_kind() {
    let of = |kind: ExportKind, name: &str| {
        let request = ExportRequest { kind, animation: AnimationFormat::LiveLink, ..ExportRequest::default() };
        request.named_as(Path::new(name))
    };
    assert_eq!(of(ExportKind::Film, "out.gif").film, FilmFormat::Gif);
    assert_eq!(of(ExportKind::Film, "out.Mov").film, FilmFormat::ProRes);
    assert_eq!(of(ExportKind::Film, "out v1.2").film, FilmFormat::WebP, "it is no format");
    assert_eq!(of(ExportKind::Film, "out.fbx"), of(ExportKind::Film, "out"), "not of a film");
    assert_eq!(of(ExportKind::Animation, "a.csv").animation, AnimationFormat::LiveLink, "the one that was chosen");
    assert_eq!(of(ExportKind::Animation, "a.fbx").animation, AnimationFormat::Fbx);
    assert_eq!(of(ExportKind::Animation, "a.json").animation, AnimationFormat::Keys);
    assert_eq!(of(ExportKind::Mesh, "a.mdd").mesh, MeshFormat::Mdd);
    assert_eq!(of(ExportKind::Pictures, "a.####.exr").picture, PictureFormat::Exr);
    assert!(of(ExportKind::Sheet, "a.pdf").is_pdf && !of(ExportKind::Sheet, "a.png").is_pdf);
}
