// The page in a real browser, on a running `sinew view`. SINEW: the command.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import { launch, open, until, Viewer } from './browser.mjs';

const command = process.env.SINEW ?? new URL('../../build/sinew', import.meta.url).pathname;
const models = new URL('../../models/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'sinew-page-'));

/** Two free boxes above a plane, a mocap body, a hinge with a motor, a sensor, an equality, a keyframe. */
const playground = `<mujoco model="playground">
  <compiler angle="radian"/>
  <option timestep="0.002"><flag energy="enable"/></option>
  <statistic center="0 0 0.5" extent="2"/>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" castshadow="true"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="red" pos="-0.6 0 0.2"><freejoint/><geom name="red" type="box" size=".2 .2 .2" rgba="1 .2 .2 1"/></body>
    <body name="blue" pos="0.6 0 0.2"><freejoint/><geom name="blue" type="sphere" size=".2" rgba=".2 .2 1 1"/></body>
    <body name="arm" pos="0 1 0.8"><joint name="swing" type="hinge" axis="0 1 0" range="-1 1" limited="true" damping=".1"/>
      <geom name="arm" type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/></body>
    <camera name="above" pos="0 0 4" xyaxes="1 0 0 0 1 0"/>
  </worldbody>
  <actuator><motor name="push" joint="swing" ctrlrange="-2 2" ctrllimited="true"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
  <equality><joint name="hold" joint1="swing" active="false"/></equality>
  <keyframe><key name="bent" qpos="-0.6 0 .2 1 0 0 0 0.6 0 .2 1 0 0 0 0.5"/></keyframe>
</mujoco>`;

let browser;
const viewers = [];

before(async () => {
  browser = await launch();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  for (const viewer of viewers) await viewer.end();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function view(...args) {
  const viewer = new Viewer(command, args);
  viewers.push(viewer);
  return { viewer, address: await viewer.address() };
}

/** Wide enough for both panels, small enough to be drawn by a processor. */
const wide = { width: 820, height: 420 };

/** A page on a model of its own. */
async function session(text, ...args) {
  const file = join(folder, `model${viewers.length}.xml`);
  writeFileSync(file, text);
  const { address } = await view(file, '--port', '0', ...args);
  return { file, address, page: await open(browser, address, wide) };
}

const send = (page, op, fields = {}) => page.evaluate(([o, f]) => window.sinew.session.send(o, f), [op, fields]);
const time = (page) => page.evaluate(() => window.sinew.session.status.time);

/** Numbers of signals as the server sees them. */
async function values(page, ...signals) {
  return page.evaluate((names) => new Promise((done, fail) => {
    const { session } = window.sinew;
    let on = true;
    session.on('binary', (m) => {
      if (on && m.kind === 'samples' && m.columns === columns && m.rows) {
        on = false;
        done([...m.values.slice((m.rows - 1) * m.columns)]);
      }
    });
    let columns = -1;
    session.on('plot', (m) => {
      if (!on) return;
      columns = m.columns.length;
      if (m.error) fail(new Error(m.error));
      session.send('step', { n: 1 });
    });
    session.send('plot', { signals: names, rate: 1000 });
  }), signals);
}

async function state(page) {
  return page.evaluate(() => new Promise((done) => {
    window.sinew.session.on('state', done);
    window.sinew.session.send('state');
  }));
}

const close = (actual, expected, tolerance, what) => {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((x, i) => assert.ok(Math.abs(actual[i] - x) <= tolerance, `${what}: ${actual[i]} is not ${x} (number ${i})`));
};

for (const name of readdirSync(models).filter((f) => /\.(xml|urdf)$/.test(f)))
  test(`${name} is drawn`, async () => {
    const { address } = await view(join(models, name), '--port', '0');
    const page = await open(browser, address);
    await until(page, () => window.sinew.stage.parts.count > 0 && window.sinew.session.status.time > 0.02);
    const shades = await page.evaluate(async () => {
      const bitmap = await createImageBitmap(await window.sinew.stage.picture());
      const canvas = new OffscreenCanvas(64, 64);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0, 64, 64);
      const { data } = context.getImageData(0, 0, 64, 64);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
      return seen.size;
    });
    assert.ok(shades > 8, `only ${shades} shades in the picture`);
    const serious = page.problems.filter((p) => !/ReadPixels/.test(p));
    assert.deepEqual(serious, []);
  });

test('drawn poses are those of the simulation; pause, step, back and reset', async () => {
  const { page } = await session(playground.replace('pos="-0.6 0 0.2"', 'pos="-0.6 0 1.2" euler="0.2 0.4 0.6"'), '--paused');
  const body = 1;
  const drawn = () => page.evaluate((b) => {
    const { stage } = window.sinew;
    stage.parts.show(1, 1);
    return [...stage.parts.bodies.shown.slice(10 * b, 10 * b + 7)];
  }, body);
  for (const steps of [0, 50, 150]) {
    const before = await time(page);
    if (steps) await send(page, 'step', { n: steps });
    await until(page, (t) => Math.abs(window.sinew.session.status.time - t) < 1e-9 && Math.abs(window.sinew.stage.frameTime - t) < 1e-9, before + 0.002 * steps);
    await page.waitForTimeout(100);
    close(await drawn(), (await state(page)).qpos.slice(0, 7), 1e-4, `pose after ${steps} steps`);
  }
  const there = await time(page);
  await page.getByRole('button', { name: 'Step back' }).click();
  await until(page, (t) => window.sinew.session.status.time < t - 1e-9, there);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await until(page, (t) => window.sinew.session.status.time > t + 0.05, there);
  await page.getByRole('button', { name: 'Pause' }).click();
  await until(page, () => !window.sinew.session.status.running);
  const stopped = await time(page);
  await page.waitForTimeout(600);
  assert.equal(await time(page), stopped);
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await until(page, (t) => Math.abs(window.sinew.session.status.time - t) < 1e-9, stopped + 0.002);
  await page.getByRole('button', { name: 'Reset' }).click();
  await until(page, () => window.sinew.session.status.time === 0);
});

test('sliders of controls and joints, equality, keyframes', async () => {
  const { page } = await session(playground, '--paused');
  await page.getByRole('slider', { name: 'push', exact: true }).fill('1.5');
  await page.waitForTimeout(300);
  assert.deepEqual((await state(page)).ctrl, [1.5]);
  const before = await page.evaluate(() => [...window.sinew.stage.parts.bodies.shown.slice(33, 37)]);
  await page.getByRole('slider', { name: 'swing', exact: true }).fill('0.75');
  await until(page, (w) => Math.abs(window.sinew.stage.parts.bodies.shown[33] - w) > 0.01, before[0]);
  close([(await state(page)).qpos[14]], [0.75], 1e-9, 'joint');
  close(await page.evaluate(() => [...window.sinew.stage.parts.bodies.shown.slice(33, 37)]), [Math.cos(0.375), 0, Math.sin(0.375), 0], 1e-4, 'quaternion of the arm');
  const bar = page.getByRole('slider', { name: 'swing', exact: true });
  assert.deepEqual([await bar.getAttribute('min'), await bar.getAttribute('max')], ['-1', '1']);

  await page.getByText('Equality', { exact: true }).last().click();
  const hold = page.getByRole('checkbox', { name: 'hold' });
  assert.equal(await hold.isChecked(), false);
  await hold.check();
  await page.waitForTimeout(300);
  const rows = await values(page, 'nefc');
  assert.ok(rows[0] >= 1);

  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.waitForTimeout(300);
  close([(await state(page)).qpos[14]], [0.5], 1e-12, 'joint of the keyframe');
  await page.getByRole('textbox', { name: 'name of a new keyframe' }).fill('mine');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await until(page, () => window.sinew.session.keys.some((k) => k.name === 'mine'));
});

test('double click selects, dragging moves, contacts have forces', async () => {
  const { page } = await session(playground);
  await until(page, () => window.sinew.session.status.time > 0.5);
  await page.getByRole('button', { name: 'Pause' }).click();
  const at = await page.evaluate(() => window.sinew.stage.bodyOnScreen(2));
  await page.mouse.dblclick(at[0], at[1]);
  await until(page, () => window.sinew.session.status.selection?.name === 'blue');
  const panel = page.locator('aside.right details').first();
  await panel.getByText('blue').first().waitFor();
  assert.match(await panel.innerText(), /mass\s+\S+ kg/);

  const pull = async () => {
    await page.mouse.move(at[0], at[1]);
    await page.keyboard.down('Control');
    await page.mouse.down({ button: 'right' });
    for (let i = 1; i <= 6; ++i) {
      await page.mouse.move(at[0], at[1] - 15 * i);
      await page.waitForTimeout(60);
    }
  };
  const height = () => page.evaluate(() => window.sinew.stage.parts.bodyPosition(2)[2]);
  const low = await height();
  await pull();
  await until(page, (h) => window.sinew.stage.parts.bodyPosition(2)[2] > h + 0.15, low);
  await page.mouse.up({ button: 'right' });
  await page.keyboard.up('Control');
  const lifted = (await state(page)).qpos[9];
  assert.ok(lifted > low + 0.15, `moved while paused: ${lifted}`);

  // running: the same motion pulls with a force, whose arrow is drawn
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await until(page, (h) => window.sinew.stage.parts.bodyPosition(2)[2] < h + 0.02, low);
  await pull();
  await until(page, (h) => window.sinew.stage.parts.bodyPosition(2)[2] > h + 0.05, low);
  await page.mouse.up({ button: 'right' });
  await page.keyboard.up('Control');

  await page.getByText('Contacts', { exact: true }).last().click();
  await page.getByRole('checkbox', { name: 'Contact Force' }).check();
  await until(page, () => window.sinew.session.settings.option.flags[16] === 1);
  await until(page, () => (window.sinew.session.status.contacts ?? []).length >= 4);
  const table = page.getByRole('table');
  await table.getByText('floor – red').first().waitFor();
  // four corners carry the weight of the red box: 64 kg · 9.81
  const total = await page.evaluate(() => window.sinew.session.status.contacts.filter((c) => c.geom2 === 'red').reduce((s, c) => s + c.force, 0));
  assert.ok(Math.abs(total - 64 * 9.81) < 0.01 * 64 * 9.81, `weight ${total}`);
});

test('plots show the recorded numbers, also after a pause', async () => {
  const csv = join(folder, 'fall.csv');
  const file = join(models, 'cradle.xml');
  execFileSync(command, ['run', file, '--steps', '400', '--record', csv, '--signals', 'qpos'], { stdio: 'ignore' });
  const lines = readFileSync(csv, 'utf8').trim().split('\n').map((l) => l.split(','));
  const recorded = new Map(lines.slice(1).map((l) => [Number(l[0]).toFixed(6), l.slice(1).map(Number)]));
  const { address } = await view(file, '--port', '0', '--paused');
  const page = await open(browser, address, wide);
  await page.getByRole('button', { name: 'Plots' }).click();
  const field = page.getByRole('combobox', { name: 'signal to plot' });
  await field.fill('qpos');
  await field.press('Enter');
  await until(page, () => window.sinew.plots.history.names.length > 0);
  // 80 steps per second: below the rate at which rows are joined
  await send(page, 'speed', { x: 0.02 });
  await send(page, 'run');
  await until(page, () => window.sinew.plots.history.time.length >= 60);
  await send(page, 'pause');
  await page.waitForTimeout(400);
  await send(page, 'run');
  await until(page, () => window.sinew.plots.history.time.length >= 120);
  const { time: times, columns, names } = await page.evaluate(() => window.sinew.plots.history);
  assert.equal(names.length, lines[0].length - 1);
  let compared = 0;
  times.forEach((t, i) => {
    const row = recorded.get(t.toFixed(6));
    if (!row || columns[0][i] === null) return;
    close(columns.map((c) => c[i]), row, 1e-6, `row at ${t} s`);
    ++compared;
  });
  assert.ok(compared >= 100, `${compared} rows compared`);
  await page.locator('.u-over').waitFor();
});

test('a changed file is loaded again, a broken one shows its errors', async () => {
  const { page, file } = await session(playground);
  const red = '.2" rgba="1 .2 .2 1"/>';
  writeFileSync(file, playground.replace('name="blue" pos', 'name="azure" pos'));
  await until(page, () => window.sinew.session.model.bodies.some((b) => b.name === 'azure'));
  writeFileSync(file, playground.replace(red, '.2" rgba="1 .2 .2 1" colour="red"/>'));
  const alert = page.getByRole('alert');
  await alert.getByText(/colour/).first().waitFor();
  assert.match(await alert.locator('.where').first().innerText(), /model\d+\.xml:8/);
  // the old model goes on
  const t = await time(page);
  await until(page, (before) => window.sinew.session.status.time > before + 0.1, t);
  writeFileSync(file, playground);
  await alert.waitFor({ state: 'hidden' });
  await until(page, () => window.sinew.session.model.bodies.some((b) => b.name === 'blue'));
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return String(port);
}

test('the page connects again after the line drops', async () => {
  const file = join(folder, 'again.xml');
  writeFileSync(file, playground);
  const args = [file, '--port', await freePort(), '--token', 'a-token-for-this-test-only'];
  const first = await view(...args);
  const page = await open(browser, first.address);
  assert.ok(!page.url().includes('token'), 'the token is not left in the address bar');
  await first.viewer.end('SIGKILL');
  await until(page, () => window.sinew.session.line === 'lost');
  assert.match(await page.locator('.line').innerText(), /lost/);
  const second = await view(...args);
  await until(page, () => window.sinew.session.line === 'open' && window.sinew.session.status.time > 0);
  const t = await time(page);
  await until(page, (before) => window.sinew.session.status.time > before, t);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('F5')]);
  await page.waitForFunction(() => window.sinew?.stage.drawn > 0);
  assert.ok(!page.url().includes('token'));
});

test('the history is scrubbed, and exported as a page without a server', async () => {
  const { page, address } = await session(playground);
  await until(page, () => window.sinew.session.status.time > 1);
  await page.getByRole('slider', { name: 'time', exact: true }).fill('20');
  await until(page, () => window.sinew.session.status.history.now === 20 && !window.sinew.session.status.running);
  const t = await time(page);
  assert.ok(t > 0.1 && t < 0.9, `time ${t}`);
  const url = new URL(address);
  url.pathname = '/export.html';
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  const file = join(folder, 'export.html');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const offline = await open(browser, `file://${file}`);
  await until(offline, () => window.sinew.stage.parts.count > 0);
  const start = await time(offline);
  await until(offline, (before) => window.sinew.session.status.time > before + 0.1, start);
  assert.deepEqual(offline.problems.filter((p) => !/ReadPixels/.test(p)), []);
});

test('one page has the controls, another takes them', async () => {
  const { page, address } = await session(playground);
  const other = await open(browser, address, { width: 400, height: 700 });
  assert.equal(await other.evaluate(() => window.sinew.session.inControl), false);
  await other.getByRole('button', { name: 'Take the controls' }).click();
  await until(other, () => window.sinew.session.inControl);
  await until(page, () => !window.sinew.session.inControl);
  // 400 pixels wide: nothing sticks out, panels open as sheets
  assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= 400));
  await other.getByRole('button', { name: 'Model panel' }).click();
  await other.getByRole('slider', { name: 'swing', exact: true }).scrollIntoViewIfNeeded();
  await other.getByRole('button', { name: 'Settings panel' }).click();
  await other.getByRole('combobox', { name: 'Label' }).selectOption('Geom');
  await until(page, () => window.sinew.session.settings.option.label === 3);
  assert.equal(await other.getByRole('slider', { name: 'swing', exact: true }).isVisible(), false);
});

test('keys are those of simulate, and every control has a name', async () => {
  const { page } = await session(playground, '--paused');
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('c');
  await until(page, () => window.sinew.session.settings.option.flags[14] === 1);
  await page.keyboard.press('s');
  await until(page, () => window.sinew.session.settings.flags[0] === 0);
  await page.keyboard.press('0');
  await until(page, () => window.sinew.session.settings.option.geomgroup[0] === 0);
  await page.keyboard.press('ArrowRight');
  await until(page, () => Math.abs(window.sinew.session.status.time - 0.002) < 1e-9);
  await page.keyboard.press(']');
  await until(page, () => window.sinew.stage.camera.type === 2 && window.sinew.stage.camera.fixedcamid === 0);
  await until(page, () => window.sinew.stage.view().eye[2] > 3.9);
  const eye = await page.evaluate(() => window.sinew.stage.view().eye);
  close(eye, [0, 0, 4], 1e-4, 'the camera of the model');
  await page.keyboard.press('Escape');
  await until(page, () => window.sinew.stage.camera.type === 0);
  await page.keyboard.press(' ');
  await until(page, () => window.sinew.session.status.running);
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Contact Point').waitFor();
  await page.keyboard.press('Escape');
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button, input, select, a')].filter((e) =>
    !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
});

test('many worlds stand in a grid', async () => {
  const { address } = await view(join(models, 'boxes.xml'), '--port', '0', '--worlds', '9');
  const page = await open(browser, address);
  await until(page, () => window.sinew.session.model.worlds.n === 9 && window.sinew.stage.parts.worldCount === 8);
  await send(page, 'world', { k: 4, layout: 'overlay' });
  await until(page, () => window.sinew.session.settings.world === 4 && window.sinew.session.settings.layout === 'overlay');
  await until(page, () => window.sinew.stage.parts.worldCount === 8);
});

test('a model is opened by its files', async () => {
  const viewer = new Viewer(command, ['--port', '0']);
  viewers.push(viewer);
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  await page.goto(await viewer.address());
  const file = join(folder, 'dropped.xml');
  writeFileSync(file, playground);
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.waitForFunction(() => window.sinew.session.model?.name === 'playground' && window.sinew.stage.drawn > 0, null, { timeout: 15000 });
});

test('a recording is played', async () => {
  const file = join(folder, 'car.xml');
  copyFileSync(join(models, 'car.xml'), file);
  const recording = join(folder, 'car.npz');
  execFileSync(command, ['run', file, '--steps', '500', '--record', recording, '--signals', 'qpos', 'qvel'], { stdio: 'ignore' });
  const { address } = await view(file, '--port', '0', '--play', recording);
  const page = await open(browser, address);
  await until(page, () => window.sinew.session.status.recording?.count >= 500);
  await send(page, 'seek', { frame: 250 });
  await until(page, () => window.sinew.session.status.recording.now === 250);
});

test('a script lays texts, figures and images over the picture, and gets the keys', async () => {
  const { page } = await session(playground, '--paused');
  // as a passive viewer would send them
  await page.evaluate(() => {
    const { session } = window.sinew;
    const sent = (window.sentKeys = []);
    const send = session.send.bind(session);
    session.send = (op, fields) => (op === 'keypress' ? sent.push(fields.key) : send(op, fields));
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    session.take(JSON.stringify({ ...session.welcome, passive: true }));
    session.take(JSON.stringify({
      op: 'overlay',
      texts: [{ font: 150, grid: 3, left: 'reward', right: '42' }],
      figures: [{ rect: [10, 10, 80, 40], title: 'loss', xlabel: 'step', lines: [{ name: 'a', rgb: [1, 0, 0], x: [0, 1], y: [2, 3] }] }],
      images: [{ rect: [0, 0, 20, 20], png: pixel }],
    }));
  });
  const text = page.locator('.overlay .text');
  assert.match((await text.innerText()).replace(/\s+/g, ' '), /reward 42/);
  const [box, canvas] = [await text.boundingBox(), await page.locator('canvas.scene').boundingBox()];
  assert.ok(box.x + box.width > canvas.x + canvas.width - 5 && box.y + box.height > canvas.y + canvas.height - 5, 'bottom right');
  const figure = await page.locator('.overlay figure').boundingBox();
  close([figure.x - canvas.x, canvas.y + canvas.height - figure.y - figure.height, figure.width, figure.height], [10, 10, 80, 40], 1, 'rectangle');
  assert.equal(await page.locator('.overlay polyline').getAttribute('points'), '0,100 100,0');
  await page.locator('.overlay img').waitFor();
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('c');
  await until(page, () => window.sinew.session.settings.option.flags[14] === 1);
  await page.getByRole('button', { name: 'Keys to script' }).click();
  await page.locator('canvas.scene').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('c');
  assert.deepEqual(await page.evaluate(() => window.sentKeys), [67, 265, 67]);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.sinew.session.settings.option.flags[14]), 1);
});
