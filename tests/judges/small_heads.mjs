// Loads heads that were written within an error with the Khronos validator and three.js, without a window, and compares
// the box around the vertices of each mesh, at rest and with each shape at 1, with that of the head as it was.
//
// Needs Node.js, and `npm install three gltf-validator` in a folder of its own; run the script from there:
//   node path/to/small_heads.mjs BEFORE.glb UNITS_PER_MM ERROR_MM SMALL.glb…
// Exits with 1 if a file has errors, or a box differs by more than the error.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(`${process.cwd()}/node_modules/${path}`).href);
globalThis.self = globalThis;
// Pictures are not drawn.
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const { default: validator } = await load('gltf-validator/index.js');
const { Box3, Vector3 } = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await load('three/examples/jsm/libs/meshopt_decoder.module.js');

/** The boxes by the names of shapes and of `rest`, over all meshes. */
async function boxes(file) {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const bytes = readFileSync(file);
  const { scene } = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  scene.updateMatrixWorld(true);
  const found = new Map();
  const at = new Vector3();
  scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    mesh.skeleton?.update();
    const used = new Set(mesh.geometry.index?.array ?? mesh.geometry.attributes.position.array.keys());
    const shapes = Object.entries(mesh.morphTargetDictionary ?? {});
    for (const [name, index] of [['rest', -1], ...shapes]) {
      mesh.morphTargetInfluences?.fill(0);
      if (index >= 0) mesh.morphTargetInfluences[index] = 1;
      const box = found.get(name) ?? new Box3();
      for (const vertex of used) box.expandByPoint(mesh.getVertexPosition(vertex, at).applyMatrix4(mesh.matrixWorld));
      found.set(name, box);
    }
  });
  return found;
}

const [before, unitsPerMm, errorMm, ...files] = process.argv.slice(2);
const expected = await boxes(before);
let failed = false;
for (const file of files) {
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  const found = await boxes(file);
  let [worst, worstName] = [0, ''];
  for (const [name, box] of expected) {
    const other = found.get(name) ?? new Box3();
    const far = Math.max(box.min.distanceTo(other.min), box.max.distanceTo(other.max)) / Number(unitsPerMm);
    if (!(far <= worst)) [worst, worstName] = [far, name];
  }
  // Each side of a box may be off by the error.
  const isRight = issues.numErrors === 0 && worst <= Math.sqrt(3) * Number(errorMm);
  failed ||= !isRight;
  console.log(`${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings; ${found.size} shapes, boxes off by up to ${worst.toFixed(4)} mm (${worstName})`);
}
process.exit(failed ? 1 : 0);
