//! What the steps of a transfer do, on made surfaces.

use glam::{DMat3, DVec3};

use super::raster::{Raster, View};
use super::registration::stretches;
use super::sheet::{Graph, area_vector, nearest_on, normals, outer_border};
use super::sparse::{Factors, Laplacian, solve_dense};
use crate::tree::{Extent, Tree};

/// A square of so many cells along each side, one unit large, in the plane of x and y.
fn square(cells: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let side = cells + 1;
    let point = |at: u32| DVec3::new(f64::from(at % side), f64::from(at / side), 0.0) / f64::from(cells);
    let triangles = (0..cells * cells).flat_map(|cell| {
        let corner = cell / cells * side + cell % cells;
        [[corner, corner + 1, corner + side], [corner + 1, corner + side + 1, corner + side]]
    });
    ((0..side * side).map(point).collect(), triangles.collect())
}

#[test]
fn distances_go_along_edges_and_end_at_the_limit() {
    let (points, triangles) = square(4);
    let distances = Graph::new(&points, &triangles).distances([0], 0.6);
    assert_eq!([distances[0], distances[1], distances[2]], [0.0, 0.25, 0.5]);
    assert!(distances[3].is_infinite());
}

#[test]
fn the_longest_border_is_the_outer_one() {
    let (points, mut triangles) = square(6);
    // A hole in the middle.
    triangles.retain(|corners| {
        let middle: DVec3 = corners.iter().map(|&it| points[it as usize]).sum::<DVec3>() / 3.0;
        (middle - DVec3::new(0.5, 0.5, 0.0)).abs().max_element() > 0.16
    });
    let border = outer_border(&points, &triangles);
    let is_outside = |point: DVec3| point.x.min(point.y) < 1e-9 || point.x.max(point.y) > 1.0 - 1e-9;
    assert!(points.iter().zip(border).all(|(point, border)| is_outside(*point) == border));
}

#[test]
fn a_picture_shows_the_nearest_triangle_and_none_from_behind() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|corner| corner * 4.0 - DVec3::ONE);
    let nearer = points.map(|point| point + DVec3::Z);
    let all = [points, nearer].concat();
    let view = || View { rotation: DMat3::IDENTITY, x: -1.0..1.0, y: -1.0..1.0, pixel: 0.1 };
    let raster = Raster::new(&all, &[[0, 1, 2], [3, 4, 5], [3, 5, 4]], view());
    assert_eq!((raster.width, raster.height), (20, 20));
    assert!(raster.triangles.iter().all(|triangle| *triangle == Some(1)));
    assert_eq!(raster.point(0, 0), Some(DVec3::new(-0.95, -0.95, 0.0)));
    let from_behind = Raster::new(&all, &[[0, 2, 1]], view());
    assert!(from_behind.triangles.iter().all(Option::is_none));
}

#[test]
fn the_nearest_point_of_a_triangle_is_inside_on_an_edge_or_a_corner() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let on = |place: DVec3| {
        let [a, b, c] = nearest_on(corners, place);
        corners[0] * a + corners[1] * b + corners[2] * c
    };
    assert!(on(DVec3::new(0.2, 0.3, 5.0)).distance(DVec3::new(0.2, 0.3, 0.0)) < 1e-12);
    assert_eq!(on(DVec3::new(0.4, -2.0, 1.0)), DVec3::new(0.4, 0.0, 0.0));
    assert!(on(DVec3::new(2.0, 2.0, 0.0)).distance(DVec3::new(0.5, 0.5, 0.0)) < 1e-12);
    assert_eq!(on(DVec3::new(-1.0, -1.0, 0.0)), DVec3::ZERO);
    assert_eq!(on(DVec3::new(3.0, -1.0, 0.0)), DVec3::X);
}

#[test]
fn a_tree_finds_the_nearest_wanted_item() {
    let (points, _) = square(9);
    let tree = Tree::new(points.iter().map(|point| Extent::around([point.as_vec3()])).collect());
    for (number, &point) in points.iter().enumerate() {
        let place = point + DVec3::new(0.02, -0.03, 0.01);
        let distance = |other: u32| (other as usize != number).then(|| points[other as usize].distance_squared(place));
        let found = tree.nearest(place.as_vec3(), f64::INFINITY, distance).unwrap();
        let least = (0..points.len() as u32).filter_map(distance).fold(f64::INFINITY, f64::min);
        assert_eq!(found.1, least);
    }
    assert_eq!(tree.nearest(DVec3::splat(9.0).as_vec3(), 1.0, |_| Some(100.0)), None);
}

#[test]
fn a_linear_field_has_no_bending_and_data_pull_a_field_smoothly() {
    let (points, triangles) = square(8);
    let laplacian = Laplacian::new(&points, &triangles);
    assert!((laplacian.areas.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // Only two points are given: the field between is the smoothest, and reaches both.
    let mut diagonal = vec![1e-9; points.len()];
    let mut right = vec![DVec3::ZERO; points.len()];
    for (at, value) in [(0, DVec3::ZERO), (80, DVec3::ONE)] {
        diagonal[at] += 1e6;
        right[at] = value * 1e6;
    }
    let factors = Factors::new(laplacian.energy(1e-3, 1.0));
    let field = factors.with_diagonal(&diagonal).unwrap().solve(&right);
    assert!(field[0].length() < 1e-4 && field[80].distance(DVec3::ONE) < 1e-4);
    assert!(field.iter().all(|value| (-0.01..1.01).contains(&value.x) && (value.x - value.z).abs() < 1e-9));
    // The same matrix with another diagonal.
    let again = factors.with_diagonal(&vec![1.0; points.len()]).unwrap().solve(&vec![DVec3::X; points.len()]);
    assert!(again.iter().all(|value| value.distance(DVec3::X) < 1e-9));
}

#[test]
fn small_systems_are_solved_and_singular_ones_are_not() {
    let matrix = vec![vec![0.0, 2.0], vec![1.0, 1.0]];
    let solved = solve_dense(matrix, vec![DVec3::splat(4.0), DVec3::splat(5.0)]).unwrap();
    assert_eq!(solved, [DVec3::splat(3.0), DVec3::splat(2.0)]);
    assert_eq!(solve_dense(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![DVec3::ONE; 2]), None);
}

#[test]
fn what_the_whole_face_is_longer_by_is_no_stretch() {
    let (points, _) = square(6);
    let at = |number: usize| points[number] + DVec3::Z * (number as f64).sin();
    let longer = DVec3::new(0.6, 1.0, 1.3);
    let mut edges: Vec<[DVec3; 2]> = (1..points.len()).map(|number| [at(number), at(number) * longer]).collect();
    let [plain, in_places] = stretches(&edges);
    assert!(plain.iter().any(|stretch| *stretch > 0.3) && in_places.iter().all(|stretch| *stretch < 1e-9));
    // A few edges that are twice as long as that.
    edges.iter_mut().take(3).for_each(|[_, after]| *after *= 2.0);
    let [_, found] = stretches(&edges);
    assert!(found[..3].iter().all(|stretch| *stretch > 0.4) && found[3..].iter().all(|stretch| *stretch < 0.3));
    // Edges in a plane, which give no linear map.
    let [plain, in_places] = stretches(&[[DVec3::X, DVec3::X * 2.0]]);
    assert!((plain[0] - 2.0_f64.ln()).abs() < 1e-12 && plain == in_places);
}

#[test]
fn normals_of_a_square_look_along_z() {
    let (points, triangles) = square(2);
    assert!(normals(&points, &triangles).iter().all(|normal| *normal == DVec3::Z));
    assert_eq!(area_vector([DVec3::ZERO, DVec3::X, DVec3::Y]), DVec3::Z);
}
