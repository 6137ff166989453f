#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "sinew/analytic.h"
#include "sinew/sinew.h"

// Counts every allocation of this test program. The address sanitizer has its own allocator, and with it arrays of rows
// have no spare capacity, so the test does not apply.
#if !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<long> allocations = 0;

void* counted(std::size_t bytes, std::size_t align = alignof(std::max_align_t)) {
  ++allocations;
  void* memory = std::aligned_alloc(align, (bytes + align - 1) / align * align + (bytes == 0 ? align : 0));
  if (!memory) throw std::bad_alloc();
  return memory;
}
}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void* operator new(std::size_t bytes, std::align_val_t align) {
  return counted(bytes, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t bytes, std::align_val_t align) {
  return counted(bytes, static_cast<std::size_t>(align));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sinew {
namespace {

/// Allocations in `steps` steps, one forward and one inverse pass.
long count_allocations(const Model& m, Data& d, int steps) {
  const long before = allocations;
  for (int i = 0; i < steps; ++i) step(m, d);
  forward(m, d);
  inverse(m, d);
  return allocations - before;
}

/// Every scene of the project with every integrator.
template <class Visit>
void for_each_scene(Visit&& visit) {
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".xml") continue;
    Model m = load_or_throw(entry.path());
    for (int integrator = 0; integrator < 4; ++integrator) {
      SCOPED_TRACE(entry.path().filename().string() + " integrator " + std::to_string(integrator));
      m.opt.integrator = integrator;
      visit(m);
    }
  }
}

TEST(Step, DoesNotAllocateAfterTheFirstWithoutContacts) {
  for_each_scene([](Model& m) {
    m.opt.disableflags |= kDisableContact | kDisableLimit;
    Data d(m);
    reset(m, d);
    step(m, d);
    forward(m, d);
    inverse(m, d);
    EXPECT_EQ(count_allocations(m, d, 20), 0);
  });
}

TEST(Step, DoesNotAllocateForNoMoreContactsThanBefore) {
  for_each_scene([](Model& m) {
    Data d(m);
    reset(m, d);
    count_allocations(m, d, 100);
    reset(m, d);
    EXPECT_EQ(count_allocations(m, d, 100), 0);
  });
}

constexpr const char* kPlugins = R"(<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/>
    <plugin plugin="mujoco.pid"/><plugin plugin="mujoco.sensor.touch_grid"/>
    <plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius1" value=".1"/>
      <config key="radius2" value=".05"/></instance></plugin></extension>
  <asset><mesh name="ring"><plugin instance="ring"/></mesh></asset>
  <worldbody><geom type="box" size="2 2 .1" pos="0 0 -.1"/><site name="s" pos="0 0 .1"/>
    <body pos="0 0 .049"><freejoint/><geom type="sdf" mesh="ring"><plugin instance="ring"/></geom></body>
    <composite type="cable" prefix="c" curve="s" count="5 1 1" size=".5" offset="0 1 1">
      <geom type="capsule" size=".01"/><plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e6"/></plugin>
    </composite>
    <body pos="1 0 1"><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator><plugin joint="j" plugin="mujoco.pid" actdim="1"><config key="ki" value="7"/></plugin></actuator>
  <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"><config key="size" value="3 3"/>
    <config key="fov" value="90 90"/></plugin></sensor></mujoco>)";

TEST(Step, DoesNotAllocateForPlugins) {
  const Model m = load_string(kPlugins).value_or_throw();
  Data d(m);
  count_allocations(m, d, 100);
  reset(m, d);
  EXPECT_EQ(count_allocations(m, d, 100), 0);
  const long before = allocations;
  reset(m, d);
  EXPECT_EQ(allocations, before);
}

TEST(Reset, DoesNotAllocate) {
  for_each_scene([](Model& m) {
    Data d(m);
    const long before = allocations;
    reset(m, d);
    EXPECT_EQ(allocations, before);
  });
}

TEST(TransitionAnalytic, DoesNotAllocateWithAUsedWorkspace) {
  for_each_scene([](Model& m) {
    Data d(m);
    reset(m, d);
    for (int i = 0; i < 50; ++i) step(m, d);
    TransitionWorkspace workspace(m);
    Transition out;
    for (int i = 0; i < 2; ++i) transition_analytic(m, d, {}, out, workspace);
    const long before = allocations;
    transition_analytic(m, d, {}, out, workspace);
    EXPECT_EQ(allocations - before, 0);
  });
}

}  // namespace
}  // namespace sinew

#endif
