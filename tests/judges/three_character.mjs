// Compares what Smirk shows of expressions of KHR_character_expression with three.js: for each moment of a file that
// Smirk's tests have written, the weights of targets, the transforms of nodes, the vertices, a colour and the transform
// of a texture. Expressions are sampled as the viewer of 0b5vr/khr-character-testbed does it: each animation is made
// additive and plays at the value of its expression times its length. What KHR_animation_pointer names, which three.js
// does not read, is sampled with its interpolants. Masks are those of the draft.
//
// Needs Node.js, and `npm install three` in a folder of its own; run the script from there:
//   SMIRK_JUDGE=FOLDER cargo test --test editor -- files_for_the_judge
//   node path/to/three_character.mjs FOLDER/character.glb FOLDER/smirk.json
//   node path/to/three_character.mjs FOLDER/saved.glb FOLDER/smirk.json
// Prints the largest difference of each kind, and exits with 1 if one is above 1e-5 of the size of the head.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(`${process.cwd()}/node_modules/${path}`).href);
globalThis.self = globalThis;
// Pictures are not drawn.
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const THREE = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');

const [file, moments] = process.argv.slice(2);
const bytes = readFileSync(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const { json } = gltf.parser;
const root = gltf.scene;
const mesh = root.getObjectByProperty('isSkinnedMesh', true);
const entries = json.extensions.KHR_character_expression.expressions;
const pointerOf = (channel) => channel.target.extensions?.KHR_animation_pointer?.pointer;

const mixer = new THREE.AnimationMixer(root);
const expressions = [];
const known = new Set();
for (const { expression, animation, extensions } of entries) {
  const { channels, samplers } = json.animations[animation];
  const accessor = (index) => gltf.parser.getDependency('accessor', index);
  let duration = 0;
  const pointers = [];
  for (const channel of channels) {
    const sampler = samplers[channel.sampler];
    const times = (await accessor(sampler.input)).array;
    duration = Math.max(duration, times[times.length - 1]);
    if (channel.target.path !== 'pointer') continue;
    const values = (await accessor(sampler.output)).array;
    const Interpolant = sampler.interpolation === 'STEP' ? THREE.DiscreteInterpolant : THREE.LinearInterpolant;
    const interpolant = new Interpolant(times, values, values.length / times.length);
    pointers.push({ pointer: pointerOf(channel), sample: (time) => Array.from(interpolant.evaluate(time)) });
  }
  let action = null;
  const clip = gltf.animations[animation];
  if (!known.has(animation)) {
    known.add(animation);
    THREE.AnimationUtils.makeClipAdditive(clip);
    action = mixer.clipAction(clip);
    action.timeScale = 0;
    action.blendMode = THREE.AdditiveAnimationBlendMode;
    action.play();
  }
  const masks = extensions?.KHR_character_expression_mask?.masks ?? [];
  expressions.push({ name: expression, duration, pointers, action, masks });
}

const clamp = (value) => Math.min(Math.max(value, 0), 1);
function masked(values) {
  const factors = values.map(() => 1);
  expressions.forEach(({ masks }, source) => {
    for (const { target, type = 'blend', amount = 1, threshold = 0 } of masks) {
      if (type === 'blend') factors[target] *= 1 - amount * values[source];
      if (type === 'block' && values[source] > threshold) factors[target] *= 1 - amount;
    }
  });
  return values.map((value, index) => value * factors[index]);
}

const material = json.materials[0].pbrMetallicRoughness;
const transform = material.baseColorTexture.extensions.KHR_texture_transform;
const restScales = new Map();
root.traverse((object) => restScales.set(object, object.scale.clone()));

const largest = { weights: 0, nodes: 0, positions: 0, color: 0, texture: 0 };
const compare = (kind, found, wanted) => {
  if (found.length !== wanted.length) throw new Error(`${kind}: ${found.length} numbers for ${wanted.length}`);
  found.forEach((value, index) => {
    const off = Math.abs(value - wanted[index]);
    if (!(off <= largest[kind])) largest[kind] = off;
  });
};

const box = new THREE.Box3();
const list = JSON.parse(readFileSync(moments));
for (const moment of list) {
  const drivers = masked(expressions.map(({ name }, index) => {
    const isFirst = expressions.findIndex((other) => other.name === name) === index;
    return isFirst ? clamp(moment.drivers[name] ?? 0) : 0;
  }));
  expressions.forEach(({ action, duration }, index) => {
    if (action) action.time = drivers[index] * duration;
  });
  mixer.update(0);
  const influences = Array.from(mesh.morphTargetInfluences);
  const color = [...material.baseColorFactor];
  const texture = { offset: [...transform.offset], scale: [...transform.scale], rotation: [transform.rotation ?? 0] };
  const places = [[/^\/materials\/0\/.*\/KHR_texture_transform\/(\w+)$/, (match) => texture[match[1]]], [/baseColorFactor$/, () => color]];
  restScales.forEach((scale, object) => !mixerMoves(object) && object.scale.copy(scale));
  expressions.forEach(({ pointers, duration }, index) => {
    for (const { pointer, sample } of drivers[index] > 0 ? pointers : []) {
      const start = sample(0);
      const difference = sample(drivers[index] * duration).map((value, at) => value - start[at]);
      const weight = pointer.match(/^\/nodes\/\d+\/weights\/(\d+)$/);
      const scale = pointer.match(/^\/nodes\/(\d+)\/scale$/);
      const place = places.map(([words, list]) => pointer.match(words) && list(pointer.match(words))).find(Boolean);
      if (weight) influences[weight[1]] += difference[0];
      else if (scale) root.getObjectByName(json.nodes[scale[1]].name).scale.add(new THREE.Vector3(...difference));
      else if (place) difference.forEach((value, at) => (place[at] += value));
      else throw new Error(pointer);
    }
  });
  const ofMixer = Array.from(mesh.morphTargetInfluences);
  influences.forEach((value, at) => (mesh.morphTargetInfluences[at] = value));
  root.updateMatrixWorld(true);
  mesh.skeleton.update();
  compare('weights', influences, moment.weights);
  compare('color', color, moment.color);
  compare('texture', [...texture.offset, ...texture.scale, ...texture.rotation], [...moment.texture.offset, ...moment.texture.scale, moment.texture.rotation]);
  for (const [name, matrix] of Object.entries(moment.nodes)) {
    compare('nodes', Array.from(root.getObjectByName(name).matrixWorld.elements), matrix);
  }
  moment.positions.forEach((position, vertex) => {
    const point = mesh.getVertexPosition(vertex, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
    box.expandByPoint(point);
    compare('positions', point.toArray(), position);
  });
  // The mixer writes only what it changes.
  ofMixer.forEach((value, at) => (mesh.morphTargetInfluences[at] = value));
}
const size = box.getSize(new THREE.Vector3()).length();
console.log(JSON.stringify({ file, moments: list.length, size, largest }));
process.exit(Object.values(largest).every((off) => off <= 1e-5 * Math.max(size, 1)) ? 0 : 1);

/** Whether an expression animates the scale of an object with a channel that three.js reads. */
function mixerMoves(object) {
  return expressions.some(({ action }) => action?.getClip().tracks.some((track) => track.name === `${object.name}.scale`));
}
