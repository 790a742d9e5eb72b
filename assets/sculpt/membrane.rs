//! A net of springs: distributes the shift of fixed vertices over the free ones (a discrete Laplace equation, solved by conjugate
//! gradients). Also contains the neighbours of every vertex.

use std::collections::BTreeSet;

use glam::{DVec2, DVec3};

/// Neighbours of each vertex with the stiffness between them.
pub struct Membrane {
    springs: Vec<Vec<(usize, f64)>>,
}

impl Membrane {
    /// Springs along the quads' sides, stiffer where these are short.
    pub fn new(places: &[DVec2], quads: &[[usize; 4]]) -> Self {
        let mut sides = BTreeSet::new();
        for quad in quads {
            for i in 0..4 {
                let (a, b) = (quad[i], quad[(i + 1) % 4]);
                sides.insert((a.min(b), a.max(b)));
            }
        }
        let mut springs = vec![Vec::new(); places.len()];
        for (a, b) in sides {
            let stiffness = 1.0 / places[a].distance(places[b]).max(0.02);
            springs[a].push((b, stiffness));
            springs[b].push((a, stiffness));
        }
        Self { springs }
    }

    /// The unweighted mean of a vertex's neighbours.
    pub fn middle(&self, vertex: usize, positions: &[DVec3]) -> DVec3 {
        let neighbours = &self.springs[vertex];
        neighbours.iter().map(|&(other, _)| positions[other]).sum::<DVec3>() / neighbours.len() as f64
    }

    /// Fills `shift` where it is not fixed; vertices of the middle column keep x 0.
    pub fn spread(&self, shift: &mut [DVec2], is_fixed: &[bool], is_middle: impl Fn(usize) -> bool) {
        let fixed_x: Vec<bool> = (0..shift.len()).map(|vertex| is_fixed[vertex] || is_middle(vertex)).collect();
        let mut x: Vec<f64> = shift.iter().map(|s| s.x).collect();
        let mut y: Vec<f64> = shift.iter().map(|s| s.y).collect();
        self.solve(&mut x, &fixed_x);
        self.solve(&mut y, is_fixed);
        for (vertex, s) in shift.iter_mut().enumerate() {
            *s = DVec2::new(x[vertex], y[vertex]);
        }
    }

    /// Forces on the free vertices.
    fn forces(&self, values: &[f64], is_fixed: &[bool]) -> Vec<f64> {
        let force = |vertex: usize| {
            if is_fixed[vertex] {
                return 0.0;
            }
            self.springs[vertex].iter().map(|&(other, stiffness)| stiffness * (values[other] - values[vertex])).sum()
        };
        (0..values.len()).map(force).collect()
    }

    fn solve(&self, values: &mut [f64], is_fixed: &[bool]) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let stiffness: Vec<f64> =
            self.springs.iter().map(|springs| springs.iter().map(|spring| spring.1).sum()).collect();
        let scaled = |r: &[f64]| r.iter().zip(&stiffness).map(|(r, s)| r / s).collect::<Vec<f64>>();
        let mut residual = self.forces(values, is_fixed);
        let mut z = scaled(&residual);
        let mut direction = z.clone();
        let mut rz = dot(&residual, &z);
        for _ in 0..600 {
            if rz < 1e-18 {
                break;
            }
            // The force is minus the operator; the sign cancels in the step.
            let along: Vec<f64> = self.forces(&direction, is_fixed).iter().map(|f| -f).collect();
            let size = rz / dot(&direction, &along);
            for (vertex, value) in values.iter_mut().enumerate() {
                *value += size * direction[vertex];
                residual[vertex] -= size * along[vertex];
            }
            z = scaled(&residual);
            let next = dot(&residual, &z);
            for (d, z) in direction.iter_mut().zip(&z) {
                *d = z + next / rz * *d;
            }
            rz = next;
        }
    }
}
