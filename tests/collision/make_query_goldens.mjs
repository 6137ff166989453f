// Golden rays and distances: node make_query_goldens.mjs > queries.json
// Needs the npm package @mujoco/mujoco 3.12.0. One geom of every type, each on a mocap body, in a few random poses.
import load from '@mujoco/mujoco';

const mj = await load();
let state = 2024;
const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 4294967296; };
const range = (lo, hi) => lo + (hi - lo) * random();
const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(6.283185307179586 * random());
const unit = v => { const n = Math.hypot(...v); return v.map(x => x / n); };
const points = n => Array.from({ length: n }, () => unit([gauss(), gauss(), gauss()]).map((x, i) => (x * [.3, .2, .25][i]).toFixed(3)).join(' ')).join('  ');
const heights = Array.from({ length: 30 }, () => random().toFixed(2)).join(' ');

const xml = `<mujoco>
  <asset>
    <mesh name="cloud" vertex="${points(24)}"/>
    <hfield name="hills" nrow="5" ncol="6" size=".5 .4 .2 .1" elevation="${heights}"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 .1" pos="0 0 -2"/>
    <body mocap="true"><geom type="hfield" hfield="hills" group="1"/></body>
    <body mocap="true"><geom type="sphere" size=".3"/></body>
    <body mocap="true"><geom type="capsule" size=".15 .25"/></body>
    <body mocap="true"><geom type="ellipsoid" size=".2 .3 .15"/></body>
    <body mocap="true"><geom type="cylinder" size=".2 .25" group="2"/></body>
    <body mocap="true"><geom type="box" size=".2 .15 .3"/></body>
    <body mocap="true"><geom type="mesh" mesh="cloud"/></body>
    <body mocap="true"><geom type="box" size=".25 .2 .1"/></body>
  </worldbody>
</mujoco>`;
const m = mj.MjModel.from_xml_string(xml), d = new mj.MjData(m);
const nmocap = Number(m.nmocap), ngeom = Number(m.ngeom);
const list = v => Array.from(v, Number);
const out = { mujoco: '3.12.0', xml, poses: [] };
for (let p = 0; p < 6; ++p) {
  for (let b = 0; b < nmocap; ++b) {
    const q = unit([gauss(), gauss(), gauss(), gauss()]);
    for (let i = 0; i < 3; ++i) d.mocap_pos[3 * b + i] = range(-.8, .8);
    for (let i = 0; i < 4; ++i) d.mocap_quat[4 * b + i] = q[i];
  }
  mj.mj_forward(m, d);
  const pose = { mocap_pos: list(d.mocap_pos), mocap_quat: list(d.mocap_quat), rays: [], distances: [] };
  for (let r = 0; r < 60; ++r) {
    const point = [range(-1.5, 1.5), range(-1.5, 1.5), range(-1.5, 1.5)];
    const scale = range(.5, 2), target = [range(-.6, .6), range(-.6, .6), range(-.6, .6)];
    const vec = unit(target.map((t, i) => t - point[i])).map(x => x * scale);
    const groups = r % 4 === 0 ? [1, 0, 0, 1, 1, 1] : [1, 1, 1, 1, 1, 1];
    const exclude = r % 5 === 0 ? 6 : -1;
    const isStatic = r % 3 !== 0;
    const id = mj.IntBuffer.FromArray([-1]), normal = mj.DoubleBuffer.FromArray([0, 0, 0]);
    const dist = mj.mj_ray(m, d, point, vec, groups, isStatic, exclude, id, normal);
    pose.rays.push({ point, vec, groups, exclude, static: isStatic ? 1 : 0, dist, geom: list(id.GetView())[0], normal: list(normal.GetView()) });
    id.delete(); normal.delete();
  }
  for (let a = 0; a < ngeom; ++a) for (let b = 0; b < ngeom; ++b) {
    if (a === b || m.geom_type[a] === 1 || m.geom_type[b] === 1) continue;
    const distmax = (a + b) % 3 === 0 ? .3 : 3, fromto = mj.DoubleBuffer.FromArray([0, 0, 0, 0, 0, 0]);
    const dist = mj.mj_geomDistance(m, d, a, b, distmax, fromto);
    pose.distances.push({ geom: [a, b], distmax, dist, fromto: list(fromto.GetView()), most: mj.mj_maxContact(m, a, b, 0) });
    fromto.delete();
  }
  out.poses.push(pose);
}
process.stdout.write(JSON.stringify(out) + '\n');
