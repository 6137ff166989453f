#include <cmath>

#include "math/elementary.h"
#include "math/mat3.h"
#include "plugin/first_party.h"
#include "sinew/query.h"

// mujoco.sensor.touch_grid: contact forces around a site, added up in the bins of a grid over two angles, finer in the
// middle if gamma > 0.

namespace sinew {
namespace {

using Vec = Vec3<double>;

struct Grid {
  int channels = 1;
  int count[2] = {0, 0};
  double fov[2] = {0, 0};  // degrees, to each side
  double gamma = 0;

  int values() const { return channels * count[0] * count[1]; }
};

/// Numbers separated by single blanks.
Result<std::vector<double>> numbers(const PluginConfig& config, std::string_view attribute) {
  std::vector<double> out;
  std::string_view text = config.text(attribute);
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (word.empty()) continue;
    const Result<double> value = PluginConfig({std::string(attribute)}, {word}).number(attribute, 0);
    if (!value) return value.error();
    out.push_back(*value);
  }
  return out;
}

Result<Grid> read_grid(const PluginConfig& config) {
  Grid grid;
  const Result<double> channels = config.number("nchannel", 1), gamma = config.number("gamma", 0);
  const Result<std::vector<double>> size = numbers(config, "size"), fov = numbers(config, "fov");
  for (const Result<double>* number : {&channels, &gamma})
    if (!*number) return number->error();
  for (const Result<std::vector<double>>* list : {&size, &fov})
    if (!*list) return list->error();
  if (!(*channels >= 1 && *channels <= 6)) return Error::message("config 'nchannel': must be 1 to 6");
  constexpr double kMostBins = 10'000;
  const auto is_count = [](double x) { return x >= 1 && x <= kMostBins; };
  if (size->size() != 2 || !is_count((*size)[0]) || !is_count((*size)[1]))
    return Error::message("config 'size': needs the numbers of bins in x and y, both positive and at most 10000");
  if (fov->size() != 2 || !((*fov)[0] > 0 && (*fov)[0] <= 180) || !((*fov)[1] > 0 && (*fov)[1] <= 90))
    return Error::message("config 'fov': needs two angles in degrees, above 0 and at most 180 and 90");
  if (!(*gamma >= 0 && *gamma <= 1)) return Error::message("config 'gamma': must be 0 to 1");
  grid.channels = static_cast<int>(*channels);
  grid.gamma = *gamma;
  for (std::size_t k = 0; k < 2; ++k) {
    grid.count[k] = static_cast<int>((*size)[k]);
    grid.fov[k] = (*fov)[k];
  }
  return grid;
}

/// n+1 angles that divide the field of view into n bins, narrower in the middle.
std::vector<double> edges(int n, double fov, double gamma) {
  std::vector<double> out;
  for (int i = 0; i <= n; ++i) {
    const double x = -1 + 2.0 * i / n;
    out.push_back((gamma * elementary::pow(x, 5) + (1 - gamma) * x) * fov * kPi / 180);
  }
  return out;
}

/// Number of the bin, -1: outside. A value on an edge belongs to the bin below it.
int bin(const std::vector<double>& edges, double value) {
  int below = 0;
  for (const double edge : edges) below += edge < value;
  return below < static_cast<int>(edges.size()) ? below - 1 : -1;
}

class TouchGrid : public CopiedInstance<TouchGrid> {
 public:
  TouchGrid(const Grid& grid, int sensor)
      : grid_(grid),
        sensor_(sensor),
        x_edges_(edges(grid.count[0], grid.fov[0], grid.gamma)),
        y_edges_(edges(grid.count[1], grid.fov[1], grid.gamma)) {}

  void compute_sensors(const Model& m, Data& d) override {
    if (m.sensor_dim[sensor_] != grid_.values()) return;  // the model was edited
    const int site = m.sensor_objid[sensor_], weld = m.body_weldid[m.site_bodyid[site]];
    const Mat3<double> to_world = Mat3<double>::load(&d.site_xmat[9 * site]);
    const Vec center = Vec::load(&d.site_xpos[3 * site]);
    for (int i = 0; i < d.ncon; ++i) {
      const Contact& contact = d.contact[static_cast<std::size_t>(i)];
      if (contact.geom[0] < 0 || contact.geom[1] < 0) continue;
      const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]];
      if (m.body_weldid[body1] != weld && m.body_weldid[body2] != weld) continue;
      const std::array<double, 6> local = contact_force(m, d, i);
      const Mat3<double> frame = Mat3<double>::load(contact.frame.data());
      const double sign = weld < std::max(body1, body2) ? -1 : 1;
      const auto at_site = [&](const double* v) {
        return mul_transposed(to_world, mul_transposed(frame, Vec::load(v))) * sign;
      };
      add(mul_transposed(to_world, Vec::load(contact.pos.data()) - center), at_site(local.data()),
          at_site(local.data() + 3), &d.sensordata[m.sensor_adr[sensor_]]);
    }
  }

 private:
  void add(const Vec& p, const Vec& force, const Vec& torque, double* out) const {
    const int x = bin(x_edges_, elementary::atan2(p.x, -p.z));
    const int y = bin(y_edges_, elementary::atan2(p.y, std::sqrt(p.x * p.x + p.z * p.z)));
    if (x < 0 || y < 0) return;
    const double channels[6] = {force.z, force.x, force.y, torque.z, torque.x, torque.y};
    for (int c = 0; c < grid_.channels; ++c) out[(c * grid_.count[1] + y) * grid_.count[0] + x] += channels[c];
  }

  Grid grid_;
  int sensor_;
  std::vector<double> x_edges_, y_edges_;
};

class TouchGridPlugin : public Plugin {
 public:
  std::string name() const override { return "mujoco.sensor.touch_grid"; }
  int capabilities() const override { return kPluginSensor; }
  std::vector<std::string> attributes() const override { return {"nchannel", "size", "fov", "gamma"}; }

  Result<int> sensor_size(const PluginConfig& config) const override {
    const Result<Grid> grid = read_grid(config);
    if (!grid) return grid.error();
    return grid->values();
  }

  Result<std::unique_ptr<PluginInstance>> make(const Model& m, int instance) const override {
    const Result<Grid> grid = read_grid(plugin_config(m, instance));
    if (!grid) return grid.error();
    for (int i = 0; i < m.nsensor; ++i) {
      if (m.sensor_plugin[i] != instance) continue;
      if (static_cast<ObjType>(m.sensor_objtype[i]) != ObjType::Site)
        return Error::message("a touch grid must be attached to a site");
      if (m.sensor_dim[i] != grid->values()) return Error::message("the sensor does not have the size of the grid");
      return std::unique_ptr<PluginInstance>(std::make_unique<TouchGrid>(*grid, i));
    }
    return std::unique_ptr<PluginInstance>();
  }
};

}  // namespace

std::shared_ptr<const Plugin> touch_grid_plugin() { return std::make_shared<TouchGridPlugin>(); }

}  // namespace sinew
