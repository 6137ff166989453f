#include <sinew/sinew.h>

int main() {
  sinew::Model model;
  model.nq = model.nv = 3;
  model.allocate();
  sinew::Data data(model);
  return data.qpos.size() == 3 ? 0 : 1;
}
