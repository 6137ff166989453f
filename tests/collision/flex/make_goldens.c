// Writes MODEL.txt for every MODEL.xml given: the contacts of MuJoCo 3.12.0, and their rows times a vector.
//   cc -I mujoco/include make_goldens.c mujoco/lib/libmujoco.so.3.12.0 -lm -o make_goldens && ./make_goldens *.xml
// The state is qpos0 moved by .004 sin(1 + i) along dof i; the vector has the components sin(1 + i).
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void write_goldens(const char* xml) {
  char error[1000], name[1000];
  mjModel* m = mj_loadXML(xml, NULL, error, sizeof error);
  if (!m) {
    printf("%s: %s\n", xml, error);
    return;
  }
  mjData* d = mj_makeData(m);
  mjtNum* v = mju_malloc(m->nv * sizeof(mjtNum));
  mjtNum* jv = NULL;
  for (int i = 0; i < m->nv; ++i) v[i] = sin(1 + i);
  mj_integratePos(m, d->qpos, v, .004);
  mj_fwdPosition(m, d);
  jv = mju_malloc((d->nefc + 1) * sizeof(mjtNum));
  mj_mulJacVec(m, d, jv, v);
  snprintf(name, sizeof name, "%.*s.txt", (int)strlen(xml) - 4, xml);
  FILE* out = fopen(name, "w");
  fprintf(out, "%d %d %d\n", d->ncon, d->nefc, (int)d->nisland);
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact* k = d->contact + c;
    fprintf(out, "%d %d %d %d %d %d %d %d %d %d %d %.13g", k->geom[0], k->geom[1], k->flex[0], k->flex[1], k->elem[0],
            k->elem[1], k->vert[0], k->vert[1], k->dim, k->exclude, k->efc_address, k->dist);
    for (int i = 0; i < 3; ++i) fprintf(out, " %.13g", k->pos[i]);
    for (int i = 0; i < 3; ++i) fprintf(out, " %.13g", k->frame[i]);
    fprintf(out, " %.13g %.13g %.13g\n", k->friction[0], k->solref[0], k->includemargin);
  }
  for (int r = 0; r < d->nefc; ++r) fprintf(out, "%.13g %.13g\n", jv[r], d->efc_diagA[r]);
  fclose(out);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) write_goldens(argv[i]);
  return 0;
}
