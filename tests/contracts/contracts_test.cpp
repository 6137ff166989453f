#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collision/collide.h"
#include "constraint/assemble.h"
#include "constraint/impedance.h"
#include "constraint/islands.h"
#include "constraint/reference.h"
#include "constraint/solve.h"
#include "contracts/fields.h"
#include "contracts/worlds.h"
#include "dynamics/acceleration.h"
#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/body_accelerations.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/energy.h"
#include "dynamics/flex.h"
#include "dynamics/flex_forces.h"
#include "dynamics/flex_metric.h"
#include "dynamics/fluid.h"
#include "dynamics/history.h"
#include "dynamics/inertia.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv.h"
#include "dynamics/subtree.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "dynamics/velocity.h"
#include "sensor/sensors.h"
#include "sim/advance.h"
#include "sim/checks.h"
#include "sim/forward.h"
#include "sim/forward_inverse.h"
#include "sim/integrator_table.h"
#include "sim/sleep.h"

// Stages read and write exactly the fields that docs/step.md lists. Each stage runs in every world, once unmodified and
// again with garbage in all fields that it must not read: its outputs must have the same bits, and all other fields
// must stay unchanged.

namespace sinew::test {
namespace {

/// The declaration of a stage; `named` are the fields that it lists itself, without those of "as f".
struct Contract {
  std::string name, where;
  std::vector<std::string> reads, named_reads, writes, named_writes;
};

void PrintTo(const Contract& contract, std::ostream* out) { *out << contract.name; }

#include "stage_contracts.inc"

using Numbers = std::vector<double>;
using Runner = Numbers (*)(const Model&, Data&);  // returns outputs that are not in Data

template <auto Stage>
Numbers stage(const Model& m, Data& d) {
  Stage(m, d);
  return {};
}

template <sinew::Stage kStage>
Numbers sensors_of(const Model& m, Data& d) {
  sensors(m, d, kStage);
  return {};
}

/// n numbers for an argument that is not a field.
Numbers argument(int n) {
  Numbers x(n);
  for (int i = 0; i < n; ++i) x[i] = 0.1 + 0.01 * i;
  return x;
}

/// How to call each function that has a contract.
const std::map<std::string, Runner> kRunners = {
    {"check_positions", stage<check_positions>},
    {"check_velocities", stage<check_velocities>},
    {"check_accelerations", stage<check_accelerations>},
    {"kinematics_and_waking", stage<kinematics_and_waking>},
    {"kinematics", stage<kinematics<double>>},
    {"com_position", stage<com_position<double>>},
    {"camera_and_light_poses", stage<camera_and_light_poses<double>>},
    {"flex_positions", stage<flex_positions>},
    {"tendon_paths", stage<tendon_paths<double>>},
    {"composite_inertia", stage<composite_inertia<double>>},
    {"subtree_inertia", stage<subtree_inertia<double>>},
    {"factor_inertia", stage<factor_inertia<double>>},
    {"collide_and_waking", stage<collide_and_waking>},
    {"collide", stage<collide>},
    {"build_constraints", stage<build_constraints>},
    {"find_islands", stage<find_islands>},
    {"project_constraints", stage<project_constraints>},
    {"regularize_rows",
     [](const Model& m, Data& d) {
       Numbers diagonal = argument(20000);
       regularize_rows(m, d, diagonal.data());
       return Numbers();
     }},
    {"transmission", stage<transmission<double>>},
    {"potential_energy", stage<potential_energy<double>>},
    {"sensors(Stage::Pos)", sensors_of<Stage::Pos>},
    {"flex_velocities", stage<flex_velocities>},
    {"flex_forces", stage<flex_forces>},
    {"passive_contact_forces", stage<passive_contact_forces>},
    {"flex_metric", stage<flex_metric>},
    {"tendon_velocity", stage<tendon_velocity<double>>},
    {"actuator_velocity", stage<actuator_velocity<double>>},
    {"com_velocity", stage<com_velocity<double>>},
    {"passive_forces", stage<passive_forces<double>>},
    {"fluid_forces", stage<fluid_forces<double>>},
    {"constraint_reference", stage<constraint_reference>},
    {"bias_forces", stage<bias_forces<double>>},
    {"rne",
     [](const Model& m, Data& d) {
       Numbers result(m.nv), qacc = argument(m.nv);
       rne<double>(m, d, qacc.data(), result.data());
       return result;
     }},
    {"add_tendon_bias",
     [](const Model& m, Data& d) {
       Numbers result(m.nv);
       add_tendon_bias<double>(m, d, result.data());
       return result;
     }},
    {"kinetic_energy", stage<kinetic_energy<double>>},
    {"sensors(Stage::Vel)", sensors_of<Stage::Vel>},
    {"subtree_velocity", stage<subtree_velocity<double>>},
    {"actuation", stage<actuation<double>>},
    {"smooth_acceleration", stage<smooth_acceleration<double>>},
    {"solve_constraints", stage<solve_constraints>},
    {"sensors(Stage::Acc)", sensors_of<Stage::Acc>},
    {"applied_body_forces", stage<applied_body_forces<double>>},
    {"body_accelerations", stage<body_accelerations<double>>},
    {"inverse_constraints",
     [](const Model& m, Data& d) {
       inverse_constraints(m, d, argument(m.nv).data());
       return Numbers();
     }},
    {"compare_forward_inverse", stage<compare_forward_inverse>},
    {"velocity_derivative",
     [](const Model& m, Data& d) {
       velocity_derivative(m, d, m.opt.integrator != static_cast<int>(Integrator::ImplicitFast));
       return Numbers();
     }},
    {"free_body_bias_derivative",
     [](const Model& m, Data& d) {
       Numbers blocks(36 * m.nbody);
       for (int b = 1; b < m.nbody; ++b)
         if (is_standalone_free_body(m, b)) free_body_bias_derivative(m, d, b, &blocks[36 * b]);
       return blocks;
     }},
    {"integrate_euler", stage<integrate_euler>},
    {"integrate_rk4", stage<integrate_rk4>},
    {"integrate_implicit", stage<integrate_implicit>},
    {"integrate_implicitfast", stage<integrate_implicitfast>},
    {"advance",
     [](const Model& m, Data& d) {
       advance(m, d, argument(m.na).data(), argument(m.nv).data());
       return Numbers();
     }},
    {"advance_activations",
     [](const Model& m, Data& d) {
       advance_activations(m, d, argument(m.na).data());
       return Numbers();
     }},
    {"record_controls", stage<record_controls<double>>},
    {"record_sensors", stage<record_sensors>},
    {"reset_histories", stage<reset_histories<double>>},
    {"fall_asleep", [](const Model& m, Data& d) { return Numbers{fall_asleep(m, d) ? 1.0 : 0.0}; }},
    {"update_awake", stage<update_awake>},
};

using Names = std::set<std::string>;

Names set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

std::string join(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// A stage that uses a garbage index may crash: report where.
char now_running[256];
void (*former_handler)(int) = SIG_DFL;

void report_crash(int signal) {
  if (write(STDERR_FILENO, now_running, std::strlen(now_running)) < 0) std::abort();
  std::signal(signal,
              former_handler);  // the instruction faults again, now with a stack trace by the sanitizer
}

void announce(const std::string& stage, const std::string& world) {
  if (now_running[0] == 0) former_handler = std::signal(SIGSEGV, report_crash);
  std::snprintf(now_running, sizeof now_running, "\n%s reads an undeclared index (world: %s)\n", stage.c_str(),
                world.c_str());
}

/// One run of a stage on a copy of a world.
struct Run {
  Data d;
  Numbers numbers;
  std::vector<Field> after;

  /// `poisoned`: fields that start with garbage.
  Run(const TestWorld& world, Runner run, const Names& poisoned, Garbage kind) : d(world.d) {
    for (const Field& field : fields_of(d))
      if (poisoned.contains(field.name)) poison(field, kind);
    poison_scratch(d);
    numbers = run(world.m, d);
    after = fields_of(d);
  }
};

/// A stage in a world.
class Trial {
 public:
  Trial(const Contract& contract, Runner run, TestWorld& world)
      : run_(run),
        world_(world),
        reads_(set_of(contract.reads)),
        writes_(set_of(contract.writes)),
        before_(fields_of(world.d)),
        plain_(world, run, {}, Garbage::Plausible) {
    announce(contract.name, world.name);
    for (const Field& field : before_) {
      names_.insert(field.name);
      if (!reads_.contains(field.name)) forbidden_.insert(field.name);
    }
  }

  /// Fields that changed although the stage does not declare to write them.
  Names written_undeclared() const {
    Names found;
    for (std::size_t f = 0; f < before_.size(); ++f)
      if (!writes_.contains(before_[f].name) && differs(before_[f], plain_.after[f])) found.insert(before_[f].name);
    return found;
  }

  /// Undeclared fields that affect the outputs.
  Names read_undeclared() const {
    for (Garbage kind : {Garbage::Plausible, Garbage::Absurd}) {
      if (!matters(forbidden_, kind)) continue;
      Names found;
      for (const std::string& name : forbidden_)
        if (matters({name}, kind)) found.insert(name);
      if (found.empty()) found.insert("several fields together, or scratch memory");
      return found;
    }
    return {};
  }

  /// Whether garbage in these fields changes the outputs of the stage.
  bool matters(const Names& poisoned, Garbage kind) const {
    std::optional<Run> run;
    try {
      run.emplace(world_, run_, poisoned, kind);
    } catch (const std::exception&) {
      return true;  // a size that is garbage
    }
    const Run& other = *run;
    if (!same_bits(plain_.numbers, other.numbers)) return true;
    for (std::size_t f = 0; f < before_.size(); ++f) {
      const Field &old = before_[f], &wanted = plain_.after[f], &got = other.after[f];
      if (!writes_.contains(old.name)) continue;
      for (std::size_t i = 0; i < wanted.valid; ++i) {
        if (i >= got.size) return true;
        if (got.get(i) == wanted.get(i)) continue;
        // a number that the stage does not write keeps its garbage
        const bool left_alone = poisoned.contains(old.name) && i < old.size && wanted.get(i) == old.get(i) &&
                                got.get(i) == garbage(old, i, old.get(i), kind);
        if (!left_alone) return true;
      }
    }
    return false;
  }

  /// Whether the stage writes any number of the field.
  bool is_written(const std::string& name) const {
    const auto f = static_cast<std::size_t>(std::ranges::find(before_, name, &Field::name) - before_.begin());
    if (differs(before_[f], plain_.after[f]) || before_[f].size != plain_.after[f].size) return true;
    if (reads_.contains(name) && before_[f].type != NumberType::Real) return false;  // a wrong index may do anything
    const Run other(world_, run_, {name}, Garbage::Plausible);
    for (std::size_t i = 0; i < std::min(before_[f].size, other.after[f].size); ++i)
      if (other.after[f].get(i) != garbage(before_[f], i, before_[f].get(i), Garbage::Plausible)) return true;
    return false;
  }

 private:
  static bool differs(const Field& a, const Field& b) {
    for (std::size_t i = 0; i < std::min(a.size, b.size); ++i)
      if (a.get(i) != b.get(i)) return true;
    return false;
  }

  Runner run_;
  const TestWorld& world_;
  Names reads_, writes_, names_, forbidden_;
  std::vector<Field> before_;
  Run plain_;
};

/// One world of each kind, built once: stages work on copies.
Worlds& worlds() {
  static Worlds all = rich_worlds();
  return all;
}

/// Worlds with a bad number in the state, for the stages that check for it.
Worlds& bad_worlds() {
  static Worlds all = [] {
    Worlds bad;
    for (int kind = 0; kind < 5; ++kind) {
      add_world(
          bad, "a bad number of kind " + std::to_string(kind),
          kind == 3   ? kSleepers
          : kind == 4 ? kFlexes
                      : kZoo,
          [](Model&) {},
          [](const Model& m, Data& d) {
            stir(m, d, m.nflex > 0 ? 0.05 : 0.3);
            step_often(m, d, 5);
            forward(m, d);
          });
      Data& d = bad.back()->d;
      if (kind != 1 && kind != 2) d.qpos[1] = 1e20;
      if (kind != 0 && kind != 2) d.qvel[2] = -1e20;
      if (kind > 1) d.qacc[3] = 1e20;
    }
    return bad;
  }();
  return all;
}

Worlds& worlds_for(const std::string& stage) { return stage.starts_with("check_") ? bad_worlds() : worlds(); }

TEST(Contracts, NameAllFieldsOfData) {
  std::vector<std::string> names;
  for (const Field& field : fields_of(worlds()[0]->d)) names.push_back(field.name);
  EXPECT_EQ(names, kFields);
}

TEST(Contracts, AreAllTestedHere) {
  for (const Contract& contract : kContracts) EXPECT_TRUE(kRunners.contains(contract.name)) << contract.name;
  for (const auto& [name, runner] : kRunners)
    EXPECT_EQ(std::ranges::count(kContracts, name, &Contract::name), 1) << name << " has no contract";
}

class StageContract : public testing::TestWithParam<Contract> {};

TEST_P(StageContract, WritesOnlyWhatItDeclares) {
  Names found;
  for (auto& world : worlds_for(GetParam().name))
    found.merge(Trial(GetParam(), kRunners.at(GetParam().name), *world).written_undeclared());
  EXPECT_TRUE(found.empty()) << GetParam().where << ": " << GetParam().name << " writes " << join(found);
}

TEST_P(StageContract, ReadsOnlyWhatItDeclares) {
  std::map<std::string, std::string> found;  // field: first world
  for (auto& world : worlds_for(GetParam().name))
    for (const std::string& name : Trial(GetParam(), kRunners.at(GetParam().name), *world).read_undeclared())
      found.emplace(name, world->name);
  std::string text;
  for (const auto& [name, world] : found) text.append("\n  ").append(name).append(" (").append(world).append(")");
  EXPECT_TRUE(found.empty()) << GetParam().where << ": " << GetParam().name << " reads" << text;
}

TEST_P(StageContract, ReadsAndWritesAllThatItDeclares) {
  const Contract& contract = GetParam();
  Names unread = set_of(contract.named_reads), unwritten = set_of(contract.named_writes);
  for (const Field& field : fields_of(worlds()[0]->d))
    if (field.type != NumberType::Real) unread.erase(field.name);  // a wrong index may do anything
  if (contract.name.starts_with("check_")) {  // no world with bad numbers has a plugin or implicit elasticity
    std::erase_if(unwritten,
                  [](const std::string& name) { return name == "plugin_state" || name.starts_with("efm_"); });
  }
  for (auto& world : worlds_for(contract.name)) {
    if (unread.empty() && unwritten.empty()) break;
    const Trial trial(contract, kRunners.at(contract.name), *world);
    std::erase_if(unread, [&](const std::string& name) {
      return trial.matters({name}, Garbage::Absurd) || trial.matters({name}, Garbage::Plausible);
    });
    std::erase_if(unwritten, [&](const std::string& name) { return trial.is_written(name); });
  }
  EXPECT_TRUE(unread.empty()) << contract.where << ": " << contract.name << " does not read " << join(unread);
  EXPECT_TRUE(unwritten.empty()) << contract.where << ": " << contract.name << " does not write " << join(unwritten);
}

std::string test_name(const testing::TestParamInfo<Contract>& info) {
  std::string name;
  for (char c : info.param.name)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') name += c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Step, StageContract, testing::ValuesIn(kContracts), test_name);

}  // namespace
}  // namespace sinew::test
