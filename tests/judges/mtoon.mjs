// Draws a VRM avatar with three-vrm in headless Chromium, for a comparison of Smirk's MToon material with another
// renderer. The pictures have straight alpha, no tone mapping and sRGB colours; they are the mean of jittered samples
// in linear light, and translucent surfaces are blended in linear light, as in Smirk and in UniVRM.
//
// Needs Node.js 20, Chromium, and a folder of its own with `npm install three @pixiv/three-vrm playwright-core pngjs`.
// Run the script from that folder:
//   node path/to/mtoon.mjs SHOTS.json
// SHOTS.json is a list of pictures; `mtoon_avatars.py` writes it. Keys of a picture, with what is drawn without them:
//   model           the .vrm or .glb file
//   out             the PNG to write
//   size            [width, height] in pixels ([768, 768])
//   camera          the name of a camera node of the file; or
//   position, target, fov  of the camera in coordinates of the file, and its vertical field of view in radians
//   light           {direction: towards the light, color: linear RGB, intensity}: three's directional light; π makes
//                   a fully lit surface as bright as its texture (direction [1, 1, 1], color [1, 1, 1], intensity π)
//   ambient         linear RGB of three's ambient light ([0, 0, 0])
//   expressions     {name: weight} ({})
//   shapes          {index: weight} of the shapes of every mesh ({})
//   oneBind         true: an expression changes a material once. three-vrm does it once per mesh with that material
//   time            seconds of the UV animation (0)
//   samples         number of jittered samples (16)
//   anisotropy      samples of a texture along the direction in which it is seen at a grazing angle (1, as in three)
//   blend           "linear", or "srgb" as on the canvas of a web page
//   materials       true: one grey level per material instead of the picture, from 1, and their names beside it in a
//                   .json; outlines are materials of their own
// Exits with 1 if a picture cannot be drawn. `CHROMIUM` names another browser.

import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = resolve(process.cwd(), 'node_modules');
const { chromium } = await import(pathToFileURL(join(modules, 'playwright-core/index.mjs')).href);

const PAGE = `<!doctype html><script type="importmap">{"imports": {
  "three": "/modules/three/build/three.module.js",
  "three/addons/": "/modules/three/examples/jsm/",
  "@pixiv/three-vrm": "/modules/@pixiv/three-vrm/lib/three-vrm.module.js"}}</script>`;

/** Runs in the page: draws one picture and returns it as a data URL of a PNG with straight alpha. */
async function draw(shot) {
  const THREE = await import('three');
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
  const [width, height] = shot.size ?? [768, 768];
  const samples = shot.materials ? 1 : (shot.samples ?? 16);
  const isLinear = (shot.blend ?? 'linear') === 'linear';

  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  const gltf = await loader.loadAsync('/model');
  const { vrm } = gltf.userData;
  const scene = new THREE.Scene();
  scene.add(gltf.scene);

  const light = shot.light ?? {};
  const lamp = new THREE.DirectionalLight(0xffffff, light.intensity ?? Math.PI);
  lamp.color.fromArray(light.color ?? [1, 1, 1]);
  lamp.position.fromArray(light.direction ?? [1, 1, 1]).normalize();
  scene.add(lamp);
  const ambient = new THREE.AmbientLight(0xffffff, 1);
  ambient.color.fromArray(shot.ambient ?? [0, 0, 0]);
  scene.add(ambient);

  const named = gltf.cameras.find((camera) => shot.camera && camera.name === shot.camera);
  if (shot.camera && !named) throw new Error('no camera ' + shot.camera);
  const camera = new THREE.PerspectiveCamera(((shot.fov ?? 0.42) * 180) / Math.PI, width / height, 0.01, 100);
  if (named) {
    gltf.scene.updateMatrixWorld(true);
    named.matrixWorld.decompose(camera.position, camera.quaternion, camera.scale);
    camera.scale.set(1, 1, 1);
    Object.assign(camera, { fov: named.fov, near: named.near, far: named.far });
  } else {
    camera.position.fromArray(shot.position);
    camera.lookAt(new THREE.Vector3().fromArray(shot.target));
  }
  if (vrm) {
    // A third person sees the avatar: meshes for the first person alone are left out.
    vrm.firstPerson?.setup();
    camera.layers.enable(vrm.firstPerson?.thirdPersonOnlyLayer ?? 0);
    for (const expression of shot.oneBind ? (vrm.expressionManager?.expressions ?? []) : []) {
      const seen = new Set();
      for (const bind of [...expression.binds]) {
        const bound = bind.material && `${bind.material.uuid} ${bind.type ?? 'texture'}`;
        if (bound && seen.has(bound)) expression.deleteBind(bind);
        seen.add(bound);
      }
    }
    const known = vrm.expressionManager?.expressions.map((one) => one.expressionName) ?? [];
    for (const [name, weight] of Object.entries(shot.expressions ?? {})) {
      if (!known.includes(name)) throw new Error('no expression ' + name + ' among ' + known.join(', '));
      vrm.expressionManager.setValue(name, weight);
    }
    vrm.expressionManager?.update();
    // Springs stay still.
    vrm.nodeConstraintManager?.update();
  }
  const materials = new Set();
  scene.traverse((object) => {
    object.frustumCulled = false;
    if (object.morphTargetInfluences) Object.assign(object.morphTargetInfluences, shot.shapes);
    [object.material ?? []].flat().forEach((material) => materials.add(material));
  });
  for (const material of materials) {
    material.update?.(shot.time ?? 0);
    const uniforms = Object.values(material.uniforms ?? {}).map((one) => one.value);
    for (const value of [...Object.values(material), ...uniforms]) {
      if (value?.isTexture) value.anisotropy = shot.anisotropy ?? 1;
    }
  }

  const names = [];
  if (shot.materials) {
    for (const material of materials) {
      names.push(material.name);
      const level = `gl_FragColor = vec4(vec3(${names.length}.0 / 255.0), 1.0);`;
      const compile = material.onBeforeCompile;
      material.onBeforeCompile = (shader, ...others) => {
        compile.call(material, shader, ...others);
        const end = shader.fragmentShader.lastIndexOf('}');
        shader.fragmentShader = `${shader.fragmentShader.slice(0, end)} if (gl_FragColor.a < 0.5) discard; ${level} }`;
      };
      const key = `level ${names.length}`;
      material.customProgramCacheKey = () => key;
      Object.assign(material, { transparent: false, needsUpdate: true });
    }
  }

  const renderer = new THREE.WebGLRenderer({ alpha: true, antialias: false, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  renderer.setClearColor(0x000000, 0);
  const target = new THREE.WebGLRenderTarget(width, height, { type: THREE.FloatType });
  if (isLinear) renderer.setRenderTarget(target);
  const toLinear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const toSrgb = (value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

  const sum = new Float32Array(width * height * 4);
  const floats = new Float32Array(width * height * 4);
  const bytes = new Uint8Array(width * height * 4);
  for (let sample = 0; sample < samples; sample += 1) {
    // The R2 sequence, which fills the plane evenly for any number of samples, and the tent that Smirk weighs them by.
    const [dx, dy] = [0.7548776662466927, 0.5698402909980532].map((step) => {
      const at = (0.5 + step * sample) % 1;
      return 0.9 * (at < 0.5 ? Math.sqrt(2 * at) - 1 : 1 - Math.sqrt(2 - 2 * at));
    });
    camera.setViewOffset(width, height, dx, dy, width, height);
    camera.updateProjectionMatrix();
    renderer.clear();
    renderer.render(scene, camera);
    if (isLinear) {
      renderer.readRenderTargetPixels(target, 0, 0, width, height, floats);
    } else {
      const gl = renderer.getContext();
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      bytes.forEach((byte, index) => {
        floats[index] = byte / 255;
      });
    }
    for (let index = 0; index < floats.length; index += 1) {
      // A display shows no more than white: samples are clamped before their mean, as on a screen with more pixels.
      const value = Math.min(Math.max(floats[index], 0), 1);
      sum[index] += index % 4 === 3 || isLinear ? value : toLinear(value);
    }
  }
  const picture = new ImageData(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = ((height - 1 - y) * width + x) * 4;
      const to = (y * width + x) * 4;
      const alpha = sum[from + 3] / samples;
      for (let channel = 0; channel < 3; channel += 1) {
        const straight = alpha > 0 ? Math.min(sum[from + channel] / samples / alpha, 1) : 0;
        picture.data[to + channel] = Math.round((shot.materials ? straight : toSrgb(straight)) * 255);
      }
      picture.data[to + 3] = Math.round(alpha * 255);
    }
  }
  renderer.dispose();
  renderer.forceContextLoss();
  return { width, height, names, data: btoa(Array.from(picture.data, (byte) => String.fromCharCode(byte)).join('')) };
}

const shots = JSON.parse(readFileSync(process.argv[2]));
const { PNG } = await import(pathToFileURL(join(modules, 'pngjs/lib/png.js')).href).then((one) => one.default);
const types = { '.js': 'text/javascript', '.json': 'application/json' };
let model = null;
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  try {
    if (path === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (path === '/model') return response.end(readFileSync(model));
    const file = resolve(modules, path.replace(/^\/modules\//, ''));
    if (!path.startsWith('/modules/') || !file.startsWith(modules)) throw new Error('outside');
    const content = readFileSync(file);
    return response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(content);
  } catch {
    return response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
const profile = mkdtempSync(join(tmpdir(), 'mtoon-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync',
    '--disable-component-update', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
  ],
});
let failed = false;
for (const shot of shots) {
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  const said = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
  try {
    model = shot.model;
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { width, height, names, data } = await page.evaluate(draw, shot);
    const png = new PNG({ width, height });
    png.data = Buffer.from(data, 'base64');
    writeFileSync(shot.out, PNG.sync.write(png));
    if (shot.materials) writeFileSync(`${shot.out}.json`, JSON.stringify(names));
    console.log(shot.out);
  } catch (error) {
    failed = true;
    console.error(`${shot.out}: ${error.message ?? error} ${said.slice(0, 3).join(' | ')}`);
  }
  await page.close();
}
await browser.close();
server.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
