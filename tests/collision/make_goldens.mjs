// Golden contacts of every pair of geom types: node make_goldens.mjs 12 > pairs.json
// With the flag nativeccd off: node make_goldens.mjs 4 portal > portal_pairs.json
// Needs the npm package @mujoco/mujoco 3.12.0. A mocap body carries the first geom, a free body the second; poses are
// random: arbitrarily rotated, axis-aligned or slightly tilted, mostly close to touching.
import load from '@mujoco/mujoco';

const mj = await load();
const cases = Number(process.argv[2] ?? 12);
const portal = process.argv[3] === 'portal';
const option = portal ? '<option><flag nativeccd="disable"/></option>' : '';

let state = 12345;
const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 4294967296; };
const range = (lo, hi) => lo + (hi - lo) * random();
const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(6.283185307179586 * random());
const unit = v => { const n = Math.hypot(...v); return v.map(x => x / n); };
const pointsOf = (n, f) => Array.from({ length: n }, (_, i) => f(i).map(x => x.toFixed(4)).join(' ')).join('  ');

// meshes: a cube (below ten vertices: linear search), a hexagonal prism with large polygons, a cloud (triangles only)
const cube = pointsOf(8, i => [(i & 1 ? .2 : -.2), (i & 2 ? .15 : -.15), (i & 4 ? .1 : -.1)]);
const prism = pointsOf(12, i => [.2 * Math.cos(i * Math.PI / 3), .2 * Math.sin(i * Math.PI / 3), i < 6 ? -.12 : .12]);
const cloud = pointsOf(40, () => { const u = unit([gauss(), gauss(), gauss()]); return [.2 * u[0], .15 * u[1], .18 * u[2]]; });
const heights = Array.from({ length: 7 * 9 }, () => random().toFixed(3)).join(' ');
const assets = `<asset><mesh name="cube" vertex="${cube}"/><mesh name="prism" vertex="${prism}"/><mesh name="cloud" vertex="${cloud}"/>
  <hfield name="hills" nrow="7" ncol="9" size=".6 .5 .2 .1" elevation="${heights}"/></asset>`;

const GEOM = {
  plane: () => ['type="plane" size="1 1 .1"', 0],
  hfield: () => ['type="hfield" hfield="hills"', 0.3],
  sphere: () => { const r = range(.05, .2); return [`type="sphere" size="${r}"`, r]; },
  capsule: () => { const r = range(.03, .12), h = range(.05, .2); return [`type="capsule" size="${r} ${h}"`, r + h / 2]; },
  ellipsoid: () => [`type="ellipsoid" size="${range(.05, .2)} ${range(.05, .2)} ${range(.05, .2)}"`, .12],
  cylinder: () => [`type="cylinder" size="${range(.05, .2)} ${range(.05, .2)}"`, .15],
  box: () => [`type="box" size="${range(.05, .2)} ${range(.05, .2)} ${range(.05, .2)}"`, .15],
  mesh: i => [`type="mesh" mesh="${['cube', 'prism', 'cloud'][i % 3]}"`, .17],
};
const TYPES = Object.keys(GEOM);

function turn(kind) {
  if (kind === 0) return unit([gauss(), gauss(), gauss(), gauss()]);
  const s = Math.SQRT1_2;
  const aligned = [[1, 0, 0, 0], [s, s, 0, 0], [s, 0, s, 0], [s, 0, 0, s]][Math.floor(random() * 4)];
  if (kind === 1) return aligned;
  return unit(aligned.map(x => x + 1e-3 * gauss()));
}
const list = v => Array.from(v, Number);
const out = { mujoco: '3.12.0', pairs: [] };
for (let a = 0; a < TYPES.length; ++a) for (let b = Math.max(a, 2); b < TYPES.length; ++b) {
  const models = Math.ceil(cases / 4);
  for (let k = 0; k < models; ++k) {
    const margin = k % 3 === 2 ? 0.05 : 0;
    const [xa, ra] = GEOM[TYPES[a]](k), [xb, rb] = GEOM[TYPES[b]](k + (k > 2 ? 1 : 0));
    const xml = `<mujoco>${option}${assets}<worldbody><body mocap="true"><geom ${xa} margin="${margin}"/></body>
      <body><freejoint/><geom ${xb}/></body></worldbody></mujoco>`;
    const m = mj.MjModel.from_xml_string(xml), d = new mj.MjData(m);
    if (!out.model) {
      out.model = {};
      for (const f of ['mesh_vertadr', 'mesh_vertnum', 'mesh_graphadr', 'mesh_extrema',
        'mesh_vert', 'mesh_graph', 'mesh_polynum', 'mesh_polyadr', 'mesh_polynormal', 'mesh_polyvertadr', 'mesh_polyvertnum',
        'mesh_polyvert', 'mesh_polymapadr', 'mesh_polymapnum', 'mesh_polymap', 'hfield_size', 'hfield_nrow', 'hfield_ncol',
        'hfield_adr', 'hfield_data']) out.model[f] = list(m[f]);
      out.model.npolygonmax = Number(m.npolygonmax ?? 0);
      out.model.nmeshdegmax = Number(m.nmeshdegmax ?? 0);
    }
    for (let i = 0; i < 4; ++i) {
      const kind = (i + k) % 3, flatA = TYPES[a] === 'plane' || TYPES[a] === 'hfield';
      const qa = turn(flatA && kind === 2 ? 1 : kind), qb = turn(kind);
      const pa = [range(-1, 1), range(-1, 1), range(-1, 1)];
      mj.mj_resetData(m, d);
      for (let j = 0; j < 4; ++j) { d.mocap_quat[j] = qa[j]; d.qpos[3 + j] = qb[j]; }
      const gap = range(.3, 1.25) * (ra + rb + margin / 2);
      let dir = unit([gauss(), gauss(), gauss()]);
      if (flatA) dir = unit([.5 * gauss(), .5 * gauss(), 1]);
      // directions are in the frame of a
      const [w, x, y, z] = qa, [u, v, t] = dir;
      const R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
      for (let j = 0; j < 3; ++j) {
        d.mocap_pos[j] = pa[j];
        d.qpos[j] = pa[j] + gap * (R[j][0] * u + R[j][1] * v + R[j][2] * t);
      }
      mj.mj_kinematics(m, d); mj.mj_comPos(m, d); mj.mj_collision(m, d);
      const item = { type: [a, b], data: list(m.geom_dataid), size: list(m.geom_size), rbound: list(m.geom_rbound), margin,
        pos: list(d.geom_xpos), mat: list(d.geom_xmat), contacts: [] };
      const contacts = d.contact;
      for (let c = 0; c < Number(d.ncon); ++c) {
        const con = contacts.get(c);
        if (con.geom[0] !== 0) throw Error('order');
        item.contacts.push({ dist: con.dist, pos: list(con.pos), frame: list(con.frame) });
        con.delete?.();
      }
      contacts.delete?.();
      out.pairs.push(item);
    }
    d.delete?.(); m.delete?.();
  }
}
process.stdout.write(JSON.stringify(out) + '\n');
