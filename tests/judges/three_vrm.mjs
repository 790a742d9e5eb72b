// Loads VRM files with three-vrm, without a window, and says what each of their expressions at 1 does: the influences
// of morph targets by mesh and name, and how many colours and textures of materials change.
//
// Needs Node.js, and `npm install three @pixiv/three-vrm` in a folder of its own; run the script from there:
//   node path/to/three_vrm.mjs FILE.vrm…
// Exits with 1 if a file cannot be loaded.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(`${process.cwd()}/node_modules/${path}`).href);
globalThis.self = globalThis;
// Pictures are not drawn.
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await load('@pixiv/three-vrm/lib/three-vrm.module.js');

async function report(file) {
  const bytes = readFileSync(file);
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await loader.parseAsync(buffer, '');
  const { vrm } = gltf.userData;
  if (!vrm) throw new Error('is no VRM');
  const manager = vrm.expressionManager;
  const meshes = [];
  vrm.scene.traverse((object) => object.morphTargetInfluences && meshes.push(object));
  const expressions = {};
  for (const { expressionName: name, binds } of manager?.expressions ?? []) {
    manager.expressions.forEach((other) => manager.setValue(other.expressionName, 0));
    manager.setValue(name, 1);
    manager.update();
    const influences = {};
    for (const mesh of meshes) {
      const names = Object.entries(mesh.morphTargetDictionary ?? {});
      for (const [target, index] of names) {
        const weight = mesh.morphTargetInfluences[index];
        if (weight !== 0) influences[`${mesh.name}/${target}`] = Number(weight.toFixed(6));
      }
    }
    const effects = binds.filter((bind) => !('primitives' in bind)).length;
    expressions[name] = { influences, effects };
  }
  const { metaVersion, name, title, authors, author, licenseUrl } = vrm.meta;
  const bones = Object.keys(vrm.humanoid.humanBones).length;
  return { file, metaVersion, name: name ?? title, authors: authors ?? author, licenseUrl, bones, expressions };
}

let failed = false;
for (const file of process.argv.slice(2)) {
  try {
    console.log(JSON.stringify(await report(file)));
  } catch (error) {
    failed = true;
    console.log(JSON.stringify({ file, error: String(error.message ?? error) }));
  }
}
process.exit(failed ? 1 : 0);
