#include "dynamics/added_mass.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
}

// MuJoCo 3.12.0, geom_fluid of an ellipsoid .1 .2 .3 with fluidshape="ellipsoid"
TEST(AddedMass, OfAnEllipsoidIsMuJoCos) {
  const AddedMass added = added_mass({0.1, 0.2, 0.3});
  expect_near(added.mass, {0.03421892335102304, 0.009161969686093343, 0.004656001295402555}, 1e-16);
  expect_near(added.inertia, {3.914190145187043e-05, 0.0003559983762595036, 9.632561918504682e-05}, 1e-18);
}

TEST(AddedMass, OfASphereIsHalfTheDisplacedFluidAndHasNoInertia) {
  const AddedMass added = added_mass({0.2, 0.2, 0.2});
  const double displaced = 4 * kPi * 0.008 / 3;
  expect_near(added.mass, {displaced / 2, displaced / 2, displaced / 2}, 1e-6);
  expect_near(added.inertia, {0, 0, 0}, 1e-12);
}

}  // namespace
}  // namespace sinew
