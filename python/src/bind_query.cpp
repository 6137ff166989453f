// Rays, distances and contact forces.

#include "args.h"
#include "base/arena.h"
#include "bind.h"
#include "call.h"
#include "constraint/problem_view.h"
#include "sinew/query.h"
#include "solver/evaluate.h"

namespace sinew::python {
namespace {

using Groups = std::optional<In<std::uint8_t>>;
using MaybeIds = std::optional<Out<std::int32_t>>;

void need_geom(const Model& m, int geom) {
  if (geom < 0 || geom >= m.ngeom) throw py::value_error("geom " + std::to_string(geom) + " is not in the model");
}

RayFilter filter_of(const Groups& geomgroup, bool flg_static, int bodyexclude) {
  RayFilter filter;
  need_size(geomgroup, kNumGroup, "geomgroup", "mjNGROUP");
  if (geomgroup)
    for (std::size_t i = 0; i < kNumGroup; ++i) filter.group[i] = geomgroup->data[i] != 0;
  filter.with_static = flg_static;
  filter.exclude_body = bodyexclude;
  return filter;
}

void store_normal(const MaybeTarget& normal, const RayHit& hit) {
  if (normal) std::ranges::copy(hit.normal, normal->data);
}

double mj_ray(PyModel& m, PyData& d, const Numbers& pnt, const Numbers& vec, const Groups& geomgroup, bool flg_static,
              int bodyexclude, const MaybeIds& geomid, const MaybeTarget& normal) {
  const Look look(m, d);
  need_size(pnt, 3, "pnt");
  need_size(vec, 3, "vec");
  need_size(geomid, 1, "geomid");
  need_size(normal, 3, "normal");
  const RayHit hit = ray(look.m, look.d, pnt.data, vec.data, filter_of(geomgroup, flg_static, bodyexclude));
  if (geomid) geomid->data[0] = hit.geom;
  store_normal(normal, hit);
  return hit.dist;
}

void mj_multiRay(PyModel& m, PyData& d, const Numbers& pnt, const Numbers& vec, const Groups& geomgroup,
                 bool flg_static, int bodyexclude, const MaybeIds& geomid, const Target& dist,
                 const MaybeTarget& normal, int nray, double cutoff) {
  const Look look(m, d);
  need_size(pnt, 3, "pnt");
  need(nray >= 0, "nray must not be negative");
  need_size(vec, 3 * static_cast<py::ssize_t>(nray), "vec", "3 * nray");
  need_size(dist, nray, "dist", "nray");
  need_size(geomid, nray, "geomid", "nray");
  need_size(normal, 3 * static_cast<py::ssize_t>(nray), "normal", "3 * nray");
  const RayFilter filter = filter_of(geomgroup, flg_static, bodyexclude);
  std::vector<RayHit> hits(static_cast<std::size_t>(nray));
  const auto directions = vec.copy();
  {
    const py::gil_scoped_release release;
    multi_ray(look.m, look.d, pnt.data, directions, hits, filter, cutoff);
  }
  for (std::size_t i = 0; i < hits.size(); ++i) {
    dist.data[i] = hits[i].dist;
    if (geomid) geomid->data[i] = hits[i].geom;
    if (normal) std::ranges::copy(hits[i].normal, normal->data + 3 * i);
  }
}

/// A ray against one geom of the model, which must have the given type.
template <GeomType Kind>
double ray_one(PyModel& m, PyData& d, int geomid, const Numbers& pnt, const Numbers& vec, const MaybeTarget& normal) {
  const Look look(m, d);
  need_size(pnt, 3, "pnt");
  need_size(vec, 3, "vec");
  need_size(normal, 3, "normal");
  need_geom(look.m, geomid);
  if (look.m.geom_type[geomid] != static_cast<int>(Kind)) throw py::value_error("the geom has another type");
  const RayHit hit = ray_geom(look.m, look.d, geomid, pnt.data, vec.data);
  store_normal(normal, hit);
  return hit.dist;
}

double mju_rayGeom(const Numbers& pos, const Numbers& mat, const Numbers& size, const Numbers& pnt, const Numbers& vec,
                   int geomtype, const MaybeTarget& normal) {
  need_size(pos, 3, "pos");
  need_size(mat, 9, "mat");
  need_size(size, 3, "size");
  need_size(pnt, 3, "pnt");
  need_size(vec, 3, "vec");
  need_size(normal, 3, "normal");
  const auto type = static_cast<GeomType>(geomtype);
  const bool primitive = type == GeomType::Plane || (type >= GeomType::Sphere && type <= GeomType::Box);
  if (!primitive) throw py::value_error("geomtype must be plane, sphere, capsule, ellipsoid, cylinder or box");
  const RayHit hit = ray_shape(type, pos.data, mat.data, size.data, pnt.data, vec.data);
  store_normal(normal, hit);
  return hit.dist;
}

double mj_rayFlex(PyModel& m, PyData& d, int flex_layer, bool flg_vert, bool flg_edge, bool flg_face, bool flg_skin,
                  int flexid, const Numbers& pnt, const Numbers& vec, const MaybeIds& vertid,
                  const MaybeTarget& normal) {
  const Look look(m, d);
  need_size(pnt, 3, "pnt");
  need_size(vec, 3, "vec");
  need_size(vertid, 1, "vertid");
  need_size(normal, 3, "normal");
  if (flexid < 0 || flexid >= look.m.nflex)
    throw py::value_error("flex " + std::to_string(flexid) + " is not in the model");
  const FlexParts parts = {flg_vert, flg_edge, flg_face, flg_skin, flex_layer};
  const FlexHit hit = ray_flex(look.m, look.d, flexid, pnt.data, vec.data, parts);
  if (vertid && hit.dist >= 0) vertid->data[0] = hit.vert;
  if (normal) std::ranges::copy(hit.normal, normal->data);
  return hit.dist;
}

void bind_rays(py::module_& module) {
  module.def("mj_ray", &mj_ray, py::arg("m"), py::arg("d"), py::arg("pnt"), py::arg("vec"), py::arg("geomgroup"),
             py::arg("flg_static"), py::arg("bodyexclude"), py::arg("geomid"), py::arg("normal") = py::none(),
             "Distance (in lengths of vec) to the nearest geom, or -1; geomid and normal receive what was hit.");
  module.def("mj_multiRay", &mj_multiRay, py::arg("m"), py::arg("d"), py::arg("pnt"), py::arg("vec"),
             py::arg("geomgroup"), py::arg("flg_static"), py::arg("bodyexclude"), py::arg("geomid"), py::arg("dist"),
             py::arg("normal"), py::arg("nray"), py::arg("cutoff"), "Many rays from one point.");
  module.def(
      "mj_multiRay",
      [](PyModel& m, PyData& d, const Numbers& pnt, const Numbers& vec, const Groups& geomgroup, bool flg_static,
         int bodyexclude, const MaybeIds& geomid, const Target& dist, int nray, double cutoff) {
        mj_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, std::nullopt, nray, cutoff);
      },
      py::arg("m"), py::arg("d"), py::arg("pnt"), py::arg("vec"), py::arg("geomgroup"), py::arg("flg_static"),
      py::arg("bodyexclude"), py::arg("geomid"), py::arg("dist"), py::arg("nray"), py::arg("cutoff"));
  module.def("mj_rayMesh", &ray_one<GeomType::Mesh>, py::arg("m"), py::arg("d"), py::arg("geomid"), py::arg("pnt"),
             py::arg("vec"), py::arg("normal") = py::none(), "Distance to a mesh, or -1.");
  module.def("mj_rayHfield", &ray_one<GeomType::Hfield>, py::arg("m"), py::arg("d"), py::arg("geomid"), py::arg("pnt"),
             py::arg("vec"), py::arg("normal") = py::none(), "Distance to a height field, or -1.");
  module.def(
      "mj_rayFlex", &mj_rayFlex, py::arg("m"), py::arg("d"), py::arg("flex_layer"), py::arg("flg_vert"),
      py::arg("flg_edge"), py::arg("flg_face"), py::arg("flg_skin"), py::arg("flexid"), py::arg("pnt"), py::arg("vec"),
      py::arg("vertid") = py::none(), py::arg("normal") = py::none(),
      "Distance to a flex, or -1; vertid and normal receive the nearest vertex of what was hit, and its normal.");
  module.def("mju_rayGeom", &mju_rayGeom, py::arg("pos"), py::arg("mat"), py::arg("size"), py::arg("pnt"),
             py::arg("vec"), py::arg("geomtype"), py::arg("normal") = py::none(), "Distance to a primitive, or -1.");
}

double mj_geomDistance(PyModel& m, PyData& d, int geom1, int geom2, double distmax, const MaybeTarget& fromto) {
  Look look(m, d);
  need_size(fromto, 6, "fromto");
  need_geom(look.m, geom1);
  need_geom(look.m, geom2);
  const GeomDistance result = geom_distance(look.m, look.d, geom1, geom2, distmax);
  if (fromto) {
    std::ranges::copy(result.from, fromto->data);
    std::ranges::copy(result.to, fromto->data + 3);
  }
  return result.dist;
}

/// Forces and states of the constraint rows at jar = J a - aref, their joint-space sum and their cost.
void mj_constraintUpdate(PyModel& m, PyData& d, const Numbers& jar, const MaybeTarget& cost, int) {
  Call call(m, d);
  need_size(jar, call.d.nefc, "jar", "nefc");
  need_size(cost, 1, "cost");
  double sum = 0;
  const auto input = jar.copy();
  call([&](const Model& model, Data& data) {
    Scratch scratch(data.scratch());
    const ProblemView view(model, data, scratch);
    sum = evaluate_rows(view.whole(), input.data(), data.efc_force.data(), data.efc_state.data(), nullptr).cost;
    std::ranges::fill(data.qfrc_constraint, 0.0);
    for (int i = 0; i < data.nefc; ++i)
      for (int k = data.efc_J_rowadr[i]; k < data.efc_J_rowadr[i] + data.efc_J_rownnz[i]; ++k)
        data.qfrc_constraint[data.efc_J_colind[k]] += data.efc_J[k] * data.efc_force[i];
  });
  if (cost) cost->data[0] = sum;
}

/// Whether the rows of a contact, which Python may have edited, exist.
bool has_its_rows(const Model& m, const Data& d, int id) {
  const Contact& c = d.contact[static_cast<std::size_t>(id)];
  if (c.efc_address < 0 || c.dim < 1 || c.dim > 6) return false;
  const bool edges = c.dim > 1 && m.opt.cone == static_cast<int>(Cone::Pyramidal);
  return c.efc_address + (edges ? 2 * (c.dim - 1) : c.dim) <= d.nefc;
}

void bind_forces(py::module_& module) {
  module.def("mj_geomDistance", &mj_geomDistance, py::arg("m"), py::arg("d"), py::arg("geom1"), py::arg("geom2"),
             py::arg("distmax"), py::arg("fromto"),
             "Smallest signed distance between two geoms, distmax if they are farther apart.");
  module.def(
      "mj_contactForce",
      [](PyModel& m, PyData& d, int id, const Target& result) {
        const Look look(m, d);
        need_size(result, 6, "result");
        std::array<double, 6> force{};
        if (id >= 0 && id < look.d.ncon && has_its_rows(look.m, look.d, id)) force = contact_force(look.m, look.d, id);
        std::ranges::copy(force, result.data);
      },
      py::arg("m"), py::arg("d"), py::arg("id"), py::arg("result"),
      "(6,) force and torque of a contact, in its frame.");
  module.def("mj_constraintUpdate", &mj_constraintUpdate, py::arg("m"), py::arg("d"), py::arg("jar"),
             py::arg("cost").none(true), py::arg("flg_coneHessian"), "efc_force, efc_state, qfrc_constraint at jar.");
  module.def(
      "mj_maxContact",
      [](PyModel& m, int geom1, int geom2, int) {
        need_geom(sound(m), geom1);
        need_geom(m.model(), geom2);
        return max_contacts(m.model(), geom1, geom2);
      },
      py::arg("m"), py::arg("geom1"), py::arg("geom2"), py::arg("flg_margin") = 0,
      "Maximum number of contacts between two geoms.");
}

}  // namespace

void bind_query(py::module_& module) {
  bind_rays(module);
  bind_forces(module);
}

}  // namespace sinew::python
