//! A contact sheet as a PDF of one page, for those who print it or send it around.
//!
//! After ISO 32000-1 (PDF 1.7). The picture is stored without loss: the compressed pixels of a PNG are what a PDF can
//! hold, too.

use crate::png::compressed_pixels;

/// The longer side of the page in points of 1/72 inch: that of A4.
const LONG_SIDE: f64 = 841.89;

/// A page with a picture, which is given as a PNG without alpha.
pub(super) fn pdf_bytes(png: &[u8], (width, height): (u32, u32), title: &str) -> Vec<u8> {
    let pixels = compressed_pixels(png);
    let scale = LONG_SIDE / f64::from(width.max(height).max(1));
    let [page_width, page_height] = [width, height].map(|side| (f64::from(side) * scale * 100.0).round() / 100.0);
    let content = format!("q {page_width} 0 0 {page_height} 0 0 cm /Sheet Do Q");
    let mut file = PdfFile::new();
    file.add("<</Type/Catalog/Pages 2 0 R>>", None);
    file.add("<</Type/Pages/Kids[3 0 R]/Count 1>>", None);
    file.add(
        &format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {page_width} {page_height}]\
             /Resources<</XObject<</Sheet 5 0 R>>>>/Contents 4 0 R>>"
        ),
        None,
    );
    file.add(&format!("<</Length {}>>", content.len()), Some(content.as_bytes()));
    file.add(
        &format!(
            "<</Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8\
             /Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 3/Columns {width}>>/Length {}>>",
            pixels.len()
        ),
        Some(&pixels),
    );
    file.add(&format!("<</Title {}/Producer(Smirk)>>", text(title)), None);
    file.finish()
}

/// Text in UTF-16, as hexadecimal numbers.
fn text(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{units}>")
}

/// A file of numbered objects, the first of which is the catalogue and the last the information about it.
struct PdfFile {
    bytes: Vec<u8>,
    places: Vec<usize>,
}

impl PdfFile {
    fn new() -> Self {
        // Bytes above 127 say that the file is not text.
        Self { bytes: b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec(), places: Vec::new() }
    }

    fn add(&mut self, object: &str, stream: Option<&[u8]>) {
        self.places.push(self.bytes.len());
        self.bytes.extend(format!("{} 0 obj\n{object}\n", self.places.len()).bytes());
        if let Some(stream) = stream {
            self.bytes.extend(b"stream\n");
            self.bytes.extend(stream);
            self.bytes.extend(b"\nendstream\n");
        }
        self.bytes.extend(b"endobj\n");
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, count) = (self.bytes.len(), self.places.len());
        let places: String = self.places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
        let size = count + 1;
        let table = format!(
            "xref\n0 {size}\n0000000000 65535 f \n{places}\
             trailer\n<</Size {size}/Root 1 0 R/Info {count} 0 R>>\nstartxref\n{start}\n%%EOF\n"
        );
        self.bytes.extend(table.bytes());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use image::{Rgba, RgbaImage};

    use super::*;
    use crate::png::png_bytes;

    #[test]
    fn the_page_holds_the_picture_and_the_table_leads_to_every_object() {
        let picture = RgbaImage::from_fn(30, 20, |x, y| Rgba([x as u8 * 8, y as u8 * 12, (x * y) as u8, 255]));
        let bytes = pdf_bytes(&png_bytes(&picture, false).unwrap(), picture.dimensions(), "Kopf 頭");
        let find = |what: &str| bytes.windows(what.len()).position(|part| part == what.as_bytes()).unwrap();
        let table = String::from_utf8_lossy(&bytes[find("xref\n")..]).into_owned();
        let places: Vec<usize> = table.lines().skip(3).take(6).map(|line| line[..10].parse().unwrap()).collect();
        for (index, place) in places.into_iter().enumerate() {
            assert!(bytes[place..].starts_with(format!("{} 0 obj", index + 1).as_bytes()), "{index}");
        }
        assert!(table.contains(&format!("startxref\n{}\n", find("xref\n"))));
        assert!(find("/MediaBox[0 0 841.89 561.26]") > 0 && find("<FEFF004B006F007000660020982D>") > 0);
        // The picture, unfiltered as a PNG is.
        let image_at = find("/Subtype/Image");
        let stream = image_at + bytes[image_at..].windows(7).position(|part| part == b"stream\n").unwrap() + 7;
        let mut rows = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[stream..]).read_to_end(&mut rows).unwrap();
        assert_eq!(rows.len(), 20 * (1 + 30 * 3), "a filter and the colours of each row");
    }
}
