//! Takes in tables: Live Link Face, Audio2Face-3D, and other tables with such columns.

use super::*;
use smirk_face::motion::{FrameRate, TimecodeBase};

#[test]
fn live_link_face_tables_of_every_width_open() {
    for width in [51, 52, 55, 61] {
        let take = take("My take.csv", live_link(width, &["18:43:59:58.500", "18:43:59:59.500", "18:44:00:00.500"]));
        assert_eq!((take.name.as_str(), take.columns.len()), ("My take", width));
        assert_eq!((take.frames_per_sec, take.start_timecode.as_deref()), (Some(60.0), Some("18:43:59:58.500")));
        assert!((take.duration_secs - 2.0 / 60.0).abs() < 1e-6 && warnings(&take).is_empty(), "{:?}", take.notes);
        assert_eq!((take.sample(3, 0.0), take.sample(3, take.duration_secs)), (0.03, 2.03));
        assert!(take.source.unwrap().ends_with("My take.csv"));
    }
}

#[test]
fn missing_frames_do_not_shift_the_others() {
    let take = take("a.csv", live_link(1, &["0:0:0:58", "00:00:00:59", "00:00:01:00", "00:00:01:03", "00:00:01:04"]));
    assert_eq!(
        take.tracks[0].times().iter().map(|time| (time * 60.0).round()).collect::<Vec<_>>(),
        [0., 1., 2., 5., 6.]
    );
    assert_eq!(notes(&take, Level::Info)[0], "line 4: followed by 2 missing frames; the others keep their times");
    let gap = self::take("a.csv", live_link(1, &["00:00:00:28", "00:00:00:29", "00:00:01:00", "00:00:04:00"]));
    assert!(warnings(&gap)[0].starts_with("line 4: followed by 89 missing frames"), "{:?}", gap.notes);
    assert!(warnings(&gap)[0].ends_with("values are interpolated over up to 3.00 s"));
}

#[test]
fn time_continues_past_midnight_and_past_a_clock_that_is_set_back() {
    let midnight = take("a.csv", live_link(1, &["23:59:59:28", "23:59:59:29", "00:00:00:00", "00:00:00:01"]));
    assert!((midnight.duration_secs - 0.1).abs() < 1e-6 && warnings(&midnight).is_empty(), "{:?}", midnight.notes);
    assert!(notes(&midnight, Level::Info)[0].contains("line 4: the timecode passes midnight"));
    let set = take("a.csv", live_link(1, &["10:00:09:28", "10:00:09:29", "10:00:10:00", "10:00:02:00", "10:00:02:01"]));
    assert!((set.duration_secs - 4.0 / 30.0).abs() < 1e-6, "{}", set.duration_secs);
    assert!(warnings(&set)[0].starts_with("line 5: the clock goes back by 8.00 s"), "{:?}", set.notes);
}

#[test]
fn drop_frame_runs_at_29_97() {
    let codes = ["00:00:58:29", "00:00:59:00", "00:00:59:28", "00:00:59:29", "00:01:00:02", "00:01:00:03"];
    let take = take("a.csv", live_link(1, &codes));
    assert!((take.frames_per_sec.unwrap() - 29.97).abs() < 1e-3, "{:?}", take.notes);
    let times = take.tracks[0].times();
    assert!((times[4] - times[3] - 1001.0 / 30_000.0).abs() < 1e-6, "{times:?}");
}

#[test]
fn the_rate_is_that_of_the_frames_and_not_of_the_timecode() {
    // What counts so many frames a second, and every how many-th of them was recorded.
    for (counts, step, expected) in
        [(60, 2, 30.0), (60, 1, 60.0), (30, 1, 30.0), (50, 2, 25.0), (60, 4, 15.0), (120, 2, 60.0)]
    {
        let code = |frame: u32| format!("18:43:{:02}:{:02}.000", frame / counts, frame % counts);
        let codes: Vec<String> =
            (0..counts * 3 / step).map(|frame| code(counts * 7 + 30 / step * step + frame * step)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let take = take("a.csv", live_link(1, &codes));
        assert_eq!(take.frames_per_sec, Some(expected), "{counts}, every {step}: {:?}", take.notes);
        // Its first frame is at the same moment in timecode of that rate.
        let base = TimecodeBase::for_rate(FrameRate::nearest(expected.into()));
        let start_secs = base.secs(take.start_timecode.as_deref().unwrap()).unwrap();
        let expected_secs = f64::from(18 * 3600 + 43 * 60 + 7) + f64::from(30 / step * step) / f64::from(counts);
        assert!((start_secs - expected_secs).abs() < 1e-3, "{counts}, every {step}: {:?}", take.start_timecode);
    }
}

#[test]
fn timecode_without_frames_is_read() {
    let take = take("a.csv", live_link(1, &["10:00:59.960", "10:01:00.000", "10:01:00.040"]));
    assert!((take.duration_secs - 0.08).abs() < 1e-6);
    assert_eq!((take.frames_per_sec, take.notes.len()), (Some(25.0), 0));
}

#[test]
fn frames_out_of_order_or_at_the_same_time_or_without_time_are_repaired() {
    let codes = ["00:00:01:00", "00:00:01:02", "00:00:01:01", "00:00:01:01", "noon", "", "00:00:01:29", "00:00:02:00"];
    let take = take("a.csv", live_link(1, &codes));
    let frames: Vec<f32> = (0..take.tracks[0].times().len()).map(|key| take.tracks[0].key_value(key, 0)).collect();
    assert_eq!(frames, [0.0, 2.0, 1.0, 6.0, 7.0]);
    assert_eq!(
        warnings(&take),
        [
            "lines 6, 7: no time that can be read; left out",
            "line 4: earlier than the frame before; the frames were sorted by time",
            "line 5: at the time of another frame; the first of them is kept"
        ]
    );
}

#[test]
fn missing_values_are_the_last_valid_ones_and_their_lines_are_noted() {
    let text = "\u{feff}timecode;BlendshapeCount;\"JawOpen\";TongueOut;JawOpen;Comment\r\n\
                00:00:00:00;3;;0,5;1;good\r\n\
                \r\n\
                00:00:00:01;3;\"0,25\";nan;1;bad\r\n\
                00:00:00:02;3;inf;0,75\r\n\
                00:00:00:03;3;1e999;;1;x;;7\r\n";
    let take = take("a.csv", text);
    assert_eq!(names(&take), ["JawOpen", "TongueOut", "JawOpen (2)"]);
    let frames = |column| [0., 1., 2., 3.].map(|frame| take.sample(column, frame / 30.0));
    assert_eq!((frames(0), frames(1)), ([0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0.75, 0.75]));
    let warnings = warnings(&take).join("\n");
    for part in [
        "line 6: more cells than the 6 columns",
        "lines 2, 4, 5 and 1 more: 6 values are missing",
        "\"Comment\": has no number; left out",
        "\"JawOpen\": occurs more than once; this one is named \"JawOpen (2)\"",
    ] {
        assert!(warnings.contains(part), "{part} in {warnings}");
    }
}

#[test]
fn every_encoding_and_delimiter_gives_the_same_take() {
    let plain = live_link(2, &["00:00:00:29", "00:00:01:00"]);
    let reference = take("a.csv", &plain);
    let utf16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        format!("\u{feff}{plain}").into_bytes(),
        [b"\xFF\xFE", &utf16[..]].concat(),
        plain.replace("\r\n", "\n").into_bytes(),
        plain.replace(',', ";").into_bytes(),
        format!("sep=\t\r\n{}", plain.replace(',', "\t")).into_bytes(),
        plain.replace(',', ";").replace('.', ",").into_bytes(),
        format!("{plain}\r\n,,\r\n\r\n").into_bytes(),
        plain.to_uppercase().into_bytes(),
    ] {
        let take = take("a.csv", &bytes);
        assert_eq!((&take.tracks, take.notes.len()), (&reference.tracks, reference.notes.len()), "{:?}", take.notes);
    }
    let mut latin1 = plain.replace("ShapeAA", "T\u{ea}te").into_bytes();
    latin1.retain(|byte| *byte != 0xC3);
    latin1.iter_mut().filter(|byte| **byte == 0xAA).for_each(|byte| *byte = 0xEA);
    let latin1 = take("a.csv", latin1);
    assert_eq!(names(&latin1)[0], "Tête");
    assert!(warnings(&latin1)[0].contains("not UTF-8"));
}

#[test]
fn rows_may_end_in_carriage_returns_alone() {
    let text = rows("Time;Jaw Open;EyeBlinkLeft", 50_000, |row| {
        format!("{},{:02};{};", row / 60, row % 60 * 100 / 60, if row == 9 { "wide" } else { "0,5" })
    });
    for text in [text.clone(), format!("sep=;\n{text}"), text.replace("Jaw Open", "\"Jaw\nOpen\"")] {
        let line = 11 + text.matches('\n').count() - 50_000;
        let old = take("a.csv", text.replace('\n', "\r").replace("Jaw\rOpen", "Jaw\nOpen"));
        assert_eq!((names(&old), old.tracks[0].times().len()), (vec!["Jaw Open"], 50_000));
        assert!(warnings(&old).iter().any(|it| it.starts_with(&format!("line {line}: 1 values"))), "{:?}", old.notes);
    }
    let message = refusal("Timecode,JawOpen\r00:00:00:00,1\r00:00:00:01,\"2\r00:00:00:02,3\r");
    assert!(message.contains("line 3: a quotation mark"), "{message}");
}

#[test]
fn a_comma_in_quotation_marks_is_a_decimal_point() {
    let take = take("a.csv", "\"time\",\"jawOpen\"\n\"0\",\"0\"\n\"0,04\",\"0,25\"\n\"0,08\",\"1\"\n");
    assert_eq!((take.tracks[0].values(), take.notes.len()), (&[0.0, 0.25, 1.0][..], 0), "{:?}", take.notes);
    assert!((take.duration_secs - 0.08).abs() < 1e-6);
}

#[test]
fn errors_of_tables_that_are_not_captures_name_what_is_missing() {
    for (text, part) in [
        ("", "is empty (0 bytes)"),
        ("\r\n \r\n", "is empty"),
        ("Timecode,BlendShapeCount,JawOpen\r\n", "has a header and no frames"),
        ("Timecode,JawOpen\r\n,\r\n", "has a header and no frames"),
        ("Timecode,BlendShapeCount\r\n00:00:00:00,0", "has a column of times and no expression"),
        ("Name,Age\r\nAda,36", "first line (\"Name\", \"Age\" …) names no column of times"),
        ("0.1,0.2\r\n0.3,0.4", "line 1: has 2 numbers and no names"),
        ("Timecode,JawOpen\r\n25:00:00:00,1\r\nx:y,2", "line 2: \"25:00:00:00\" is not a timecode HH:MM:SS:FF.sub"),
        ("Timecode,JawOpen\r\nnow,1", "has no frame with a time"),
        ("Timecode,JawOpen\r\n00:00:00:00,wide", "has no number in any of its 1 columns"),
        ("Timecode,JawOpen\n00:00:00:00,1\n00:00:00:01,\"2\n00:00:00:02,3\n", "line 3: a quotation mark"),
        ("Kaydara FBX Binary\0\u{1a}", "is damaged: it begins like an FBX file"),
    ] {
        let message = refusal(text);
        assert!(message.contains(part), "{text:?}: {message}");
    }
    assert!(open("a.csv", b"Timecode,JawOpen\n00:00:00:00,1").is_ok());
    let folder = open_takes(std::env::temp_dir().as_path()).unwrap_err().to_string();
    assert!(folder.contains("is a folder; choose a capture"), "{folder}");
}

#[test]
fn small_files_cannot_need_gigabytes() {
    let table = |columns: usize, rows: usize| {
        let header: String = (0..columns).map(|column| format!(",c{column}")).collect();
        refusal(format!("time{header}\n{}", "1\n".repeat(rows)))
    };
    assert!(table(4000, 40_000).contains("numbers (4000 columns"));
    assert!(table(40_000, 1).contains("40000 of them; Smirk reads 4096"));
    let frames: Vec<Value> = (0..5000).map(|frame| json!({ format!("shape{frame}"): 1 })).collect();
    assert!(refusal(Value::from(frames).to_string()).contains("more than 4096 expressions"));
}

/// A header and rows of values.
fn rows(header: &str, count: usize, row: impl Fn(usize) -> String) -> String {
    let rows = (0..count).map(row);
    std::iter::once(header.to_owned()).chain(rows).collect::<Vec<_>>().join("\n")
}

#[test]
fn tables_without_times_have_an_assumed_rate_that_is_said() {
    let values = |frame: usize| format!("{},{}", 0.01 * frame as f32, frame % 2);
    let plain = take("plain.csv", rows("JawOpen,EyeBlinkLeft", 90, values));
    assert_eq!((names(&plain), plain.frames_per_sec), (vec!["JawOpen", "EyeBlinkLeft"], Some(60.0)));
    assert!((plain.duration_secs - 89.0 / 60.0).abs() < 1e-5 && (plain.sample(0, 0.5) - 0.3).abs() < 1e-5);
    let said = &warnings(&plain)[0];
    assert!(said.contains("60 frames per second were assumed") && said.contains("--take-fps"), "{said}");
    // Numbers of frames keep the gaps between them.
    let counted =
        rows("frame,JawOpen", 10, |frame| format!("{},{}", if frame < 5 { frame } else { frame + 60 }, frame));
    let counted = take("counted.csv", counted);
    assert_eq!((names(&counted), counted.sample(0, 65.0 / 60.0)), (vec!["JawOpen"], 5.0));
    // Units in brackets, and short names of times.
    for (header, unit) in [("t", 1.0), ("sec", 1.0), ("Time (s)", 1.0), ("timestamp(ms)", 1e3), ("Time [ms]", 1e3)] {
        let text = rows(&format!("{header},JawOpen"), 31, |frame| format!("{},{frame}", frame as f64 / 30.0 * unit));
        let timed = take("timed.csv", text);
        assert_eq!(timed.frames_per_sec.map(f32::round), Some(30.0), "{header}: {:?}", timed.notes);
        assert!(warnings(&timed).is_empty(), "{header}: {:?}", timed.notes);
    }
}

#[test]
fn numbers_without_a_header_are_in_the_order_of_arkit_if_they_are_as_many() {
    let frame = |count: usize| {
        move |frame: usize| (0..count).map(|column| format!("{}.5", frame + column)).collect::<Vec<_>>().join(",")
    };
    let text = |count: usize| (0..3).map(frame(count)).collect::<Vec<_>>().join("\n");
    let shapes = take("shapes.csv", text(52));
    assert_eq!((names(&shapes)[0], names(&shapes)[51], shapes.columns.len()), ("EyeBlinkLeft", "TongueOut", 52));
    assert_eq!((shapes.sample(0, 0.0), shapes.sample(1, 2.0 / 60.0)), (0.5, 3.5), "the first line is a frame");
    assert!(warnings(&shapes)[0].starts_with("line 1: no header"), "{:?}", shapes.notes);
    assert_eq!(names(&take("angles.csv", text(61)))[60], "RightEyeRoll");
    assert!(
        refusal(text(53)).contains("line 1: has 53 numbers and no names; write the names"),
        "{}",
        refusal(text(53))
    );
}

#[test]
fn a_second_header_begins_a_second_take_and_a_clock_that_is_set_back_goes_on() {
    let header = "Timecode,BlendShapeCount,JawOpen";
    let of = |value: &str| rows(header, 40, |frame| format!("12:00:00:{frame:02}.000,61,{value}"));
    let takes = open("two.csv", format!("{}\n{}", of("0.25"), of("0.75")).as_bytes()).unwrap();
    let found: Vec<_> =
        takes.iter().map(|take| (take.name.as_str(), take.sample(0, 0.3), take.duration_secs)).collect();
    assert_eq!(found.iter().map(|it| (it.0, it.1)).collect::<Vec<_>>(), [("two 1", 0.25), ("two 2", 0.75)]);
    // Without a header between them, the second follows the first, also where it begins less than a second before its end.
    for (name, time) in [("Timecode", "12:00:00:"), ("Time", "")] {
        let time = |frame: usize| match time {
            "" => format!("{}", frame as f64 / 60.0),
            before => format!("{before}{frame:02}.000"),
        };
        let text =
            rows(&format!("{name},JawOpen"), 80, |row| format!("{},{}", time(row % 40), if row < 40 { 1 } else { 3 }));
        let joined = take("joined.csv", text);
        assert!((joined.duration_secs - 79.0 / 60.0).abs() < 1e-3, "{name}: {}", joined.duration_secs);
        assert_eq!((joined.sample(0, 0.5), joined.sample(0, 1.0)), (1.0, 3.0), "{name}");
        assert!(
            warnings(&joined).iter().any(|note| note.contains("the clock goes back by 0.65 s")),
            "{:?}",
            joined.notes
        );
    }
    // Frames that arrived late are sorted, not taken for another recording.
    let order = [0, 1, 2, 6, 7, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
    let late = take("late.csv", rows("Time,JawOpen", 20, |row| format!("{},{}", order[row] as f64 / 60.0, order[row])));
    assert!((late.duration_secs - 19.0 / 60.0).abs() < 1e-5 && (late.sample(0, 4.0 / 60.0) - 4.0).abs() < 1e-4);
}

#[test]
fn milliseconds_after_the_frame_are_no_part_of_it() {
    let code = |frame: usize| format!("00:00:{:02}:{:02}.{:03}", frame / 60, frame % 60, frame % 60 * 1000 / 60);
    let text = rows("Timecode,BlendshapeCount,JawOpen", 180, |frame| format!("{},68,{frame}", code(frame)));
    let even = take("even.csv", text);
    assert_eq!(even.frames_per_sec, Some(60.0));
    assert!((even.duration_secs - 179.0 / 60.0).abs() < 1e-4, "{}", even.duration_secs);
    let times = even.tracks[0].times();
    assert!(times.windows(2).all(|pair| (pair[1] - pair[0] - 1.0 / 60.0).abs() < 1e-5) && warnings(&even).is_empty());
}

#[test]
fn a_clock_with_hardly_any_frames_is_questioned() {
    for (name, time) in [("Timecode", "00:00:"), ("Time", "")] {
        let time = |frame: usize| if time.is_empty() { frame.to_string() } else { format!("{time}{frame:02}:00.000") };
        let slow = take("slow.csv", rows(&format!("{name},JawOpen"), 50, |frame| format!("{},{frame}", time(frame))));
        assert_eq!(slow.duration_secs, 49.0);
        let warnings = warnings(&slow);
        assert!(warnings.len() == 1 && warnings[0].contains("one frame in 1.00 s"), "{name}: {warnings:?}");
    }
}

#[test]
fn names_in_the_header_may_have_several_lines() {
    for text in [
        "\"Time\ncode\",\"Jaw\nOpen\",\"Head\r\nYaw\"\n00:00:00:00,0.5,0\n00:00:00:01,0.75,0.2\n",
        "Timecode;\"Jaw\n\nOpen\";HeadYaw\n00:00:00:00;0,5;0\n00:00:00:01;0,75;0,2\n",
    ] {
        let take = take("a.csv", text);
        let names: Vec<&str> = take.column_names().collect();
        assert_eq!((names[0], names[1].replace(' ', "")), ("Jaw Open", "HeadYaw".into()), "{text}");
        assert_eq!((take.sample(0, 0.0), take.sample(0, take.duration_secs)), (0.5, 0.75), "{text}");
    }
    let header = "\"Time\ncode\",JawOpen\n";
    let takes = open("a.csv", format!("{header}00:00:00:00,0.5\n{header}00:00:00:00,0.75\n").as_bytes()).unwrap();
    assert_eq!(takes.iter().map(|take| take.sample(0, 0.0)).collect::<Vec<_>>(), [0.5, 0.75]);
    let message = refusal("Timecode,\"JawOpen\n00:00:00:00,1\n00:00:00:01,2\n".to_owned() + &"0,1\n".repeat(20));
    assert!(message.contains("a quotation mark in it is never closed"), "{message}");
}

#[test]
fn angles_in_degrees_are_converted_by_their_names_or_those_of_the_file() {
    let yaw = |text: &str| {
        let take = take("a.csv", text);
        let column = take.column_names().position(|name| name.to_lowercase().starts_with("headyaw")).unwrap();
        (take.sample(column, 1.0).to_degrees(), notes(&take, Level::Info).concat().contains("converted to radians"))
    };
    for (text, degrees) in [
        ("time,HeadYaw,HeadRoll\n0,0,0\n1,2,9\n", 2.0),
        ("time,HeadYaw (deg),jawOpen\n0,0,0\n1,2,0.5\n", 2.0),
        ("time,HeadYaw,LeftEyePitch [°]\n0,0,0\n1,2,1\n", 2.0),
        ("time,HeadYaw\n0,-20\n1,2\n", 2.0),
    ] {
        let (found, is_said) = yaw(text);
        assert!((found - degrees).abs() < 1e-4 && is_said, "{text}: {found}");
    }
    assert_eq!(yaw("time,HeadYaw\n0,0\n1,2\n"), (2.0_f32.to_degrees(), false));
    assert_eq!(yaw("time,HeadYaw_rad,HeadRoll\n0,0,0\n1,2,9\n").0, 2.0_f32.to_degrees());
    // Two recordings in one file: the first one alone could be in radians.
    let both = open("a.csv", b"time,HeadYaw\n0,0\n1,2\ntime,HeadYaw\n0,0\n1,20\n").unwrap();
    let degrees: Vec<f32> = both.iter().map(|take| take.sample(0, 1.0).to_degrees()).collect();
    assert!((degrees[0] - 2.0).abs() < 1e-4 && (degrees[1] - 20.0).abs() < 1e-4, "{degrees:?}");
}

#[test]
fn action_units_are_intensities_and_angles_and_each_face_is_a_take() {
    let header = "frame, face_id, timestamp, confidence, success, gaze_angle_x, gaze_angle_y, pose_Rx, pose_Ry, pose_Rz, x_0, \
                  AU01_r, AU12_r, AU26_r, AU01_c, AU12_c, AU28_c";
    let row = |frame: u32, face: u32, success: u32, brow: f32| {
        let secs = frame as f32 / 10.0;
        format!("{frame}, {face}, {secs}, 0.98, {success}, 0, 0, 0, 0.2, 0, 312.5, {brow}, 2.5, 1.0, 1, 1, 1")
    };
    let one = [header.to_owned(), row(0, 0, 1, 0.0), row(1, 0, 0, 5.0), row(2, 0, 1, 4.0)].join("\n");
    let take = take("a.csv", one.into_bytes());
    let names: Vec<&str> = take.column_names().collect();
    assert_eq!(names[..5], ["AU01", "AU12", "AU26", "AU28", "HeadYaw"]);
    let value = |name: &str, secs: f32| take.sample(names.iter().position(|it| *it == name).unwrap(), secs);
    assert_eq!([value("AU01", 0.2), value("AU12", 0.0), value("AU28", 0.0)], [0.8, 0.5, 1.0]);
    assert!((value("AU01", 0.1) - 0.4).abs() < 1e-6, "the lost frame is bridged: {}", value("AU01", 0.1));
    assert!((value("HeadYaw", 0.0) + 0.2).abs() < 1e-6 && (value("LeftEyeYaw", 0.0) + 0.2).abs() < 1e-6);
    assert_eq!(warnings(&take), ["line 3: the tracker had lost the face; left out, and bridged by the frames around"]);
    let two =
        [header.to_owned(), row(0, 0, 1, 1.0), row(0, 1, 1, 2.0), row(1, 0, 1, 1.0), row(1, 1, 1, 2.0)].join("\n");
    let takes = open("two.csv", two.as_bytes()).unwrap();
    let found: Vec<(&str, f32)> = takes.iter().map(|take| (take.name.as_str(), take.sample(0, 0.0))).collect();
    assert_eq!(found, [("two face 0", 0.2), ("two face 1", 0.4)]);
    // Of columns that say nothing of their scale, values above 2 do, for all faces of the table.
    let plain = |most: &str| format!("frame,AU01,AU02,AU04\n0,0.5,0.5,0.5\n1,{most},0.5,0.5\n").into_bytes();
    assert_eq!(self::take("p.csv", plain("1")).sample(0, 0.0), 0.5);
    assert_eq!(self::take("p.csv", plain("4")).sample(0, 0.0), 0.1);
    let two_scales = "frame,person_id,AU01,AU02,AU04\n0,1,4,0.5,0.5\n0,2,1,0.5,0.5\n";
    let scaled: Vec<f32> =
        open("s.csv", two_scales.as_bytes()).unwrap().iter().map(|take| take.sample(0, 0.0)).collect();
    assert_eq!(scaled, [0.8, 0.2]);
    let lost = [header.to_owned(), row(0, 0, 0, 1.0)].join("\n");
    assert!(
        open("a.csv", lost.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("has no frame in which its tracker had the face")
    );
}
