// Fuzz target for URDF and SDFormat: urdf_fuzz RUNS. For any text the result is a model or an error.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "driver.h"
#include "sinew/load.h"
#include "sinew/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::map<std::string, std::string> files = {
      {"x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
      {"inner.sdf",
       "<sdf version=\"1.9\"><model name=\"in\"><link "
       "name=\"l\"/><include><uri>inner.sdf</uri></include></model></sdf>"}};
  sinew::UrdfOptions urdf;
  urdf.visuals = urdf.frames = size % 2 == 0;
  urdf.base = size % 3 == 0 ? sinew::UrdfOptions::Base::Floating : sinew::UrdfOptions::Base::AsWritten;
  sinew::LoadOptions one;
  one.files = &files;
  one.urdf = &urdf;
  sinew::LoadOptions all = one;
  all.collect_all = true;
  const auto first = sinew::read_model_string(text, one);
  const auto every = sinew::read_model_string(text, all);
  // both modes must agree on whether the model is valid, and an error must have a message
  if (static_cast<bool>(first) != static_cast<bool>(every)) std::abort();
  if (!first && first.error().text().empty()) std::abort();
  if (!first) return 0;
  const auto model = sinew::compile(*first, one);
  if (!model && model.error().text().empty()) std::abort();
  return 0;
}

#ifndef SINEW_LIBFUZZER

namespace {

constexpr const char* kUrdf =
    R"(<robot name="r"><mujoco><compiler fusestatic="true" meshdir="m"/><option timestep="0.01"/></mujoco>
<material name="red"><color rgba="1 0 0 1"/></material><link name="base"/><link name="a"><inertial><origin xyz="0 0 1" rpy="1 2 3"/>
<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><box size="1 1 1"/></geometry>
<material name="red"/></visual><collision name="c"><origin rpy="1 0 0"/><geometry><capsule radius="1" length="2"/></geometry></collision>
<collision><geometry><mesh filename="package://p/x.obj" scale="1 1 -1"/></geometry></collision></link><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="d"><collision><geometry><sphere radius="1"/></geometry>
</collision></link><joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"
effort="3" velocity="1"/><dynamics damping="1" friction="1"/></joint><joint name="f" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="d"/><mimic joint="j" multiplier="2"/><origin xyz="1 0 0"/></joint>
<transmission name="t"><type>SimpleTransmission</type><joint name="j"/></transmission></robot>)";

constexpr const char* kSdf =
    R"(<sdf version="1.9"><world name="w"><gravity>0 0 -9</gravity><model name="m"><pose>0 0 1 0 0 0</pose>
<frame name="f" attached_to="a"><pose relative_to="a">1 0 0 0 0 0</pose></frame><link name="a"><inertial><mass>1</mass><inertia><ixx>1</ixx>
<iyy>1</iyy><izz>1</izz></inertia></inertial><collision name="c"><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode>
<mu>0.5</mu></ode></friction></surface></collision></link><link name="b"><pose relative_to="f" degrees="true">0 0 1 0 90 0</pose><collision name="c">
<geometry><mesh><uri>x.obj</uri></mesh></geometry></collision></link><joint name="j" type="universal"><parent>a</parent><child>b</child>
<axis><xyz expressed_in="f">1 0 0</xyz><limit><lower>-1</lower><upper>inf</upper></limit></axis><axis2><xyz>0 1 0</xyz><mimic joint="j"
axis="axis"/></axis2></joint></model><include><uri>inner.sdf</uri><name>i</name></include></world></sdf>)";

}  // namespace

int main(int argc, char** argv) { return fuzz::run_on_seeds(argc, argv, {kUrdf, kSdf}); }

#endif
