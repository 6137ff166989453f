#pragma once

// Every bound on what a model file can request. docs/limits.md has one row for each with the reason; a test compares
// the two. The total is bounded by LoadOptions::memory_limit.

#include <cstddef>
#include <cstdint>

namespace sinew::limits {

// text
inline constexpr std::uintmax_t kFileBytes = std::uintmax_t{1} << 30;  // of one model, included file or asset
inline constexpr int kDepth = 1000;                                    // of nested elements, includes counted
inline constexpr int kBodyDepth = 1100;             // of nested bodies, with cables and attached parts
inline constexpr std::size_t kAttributes = 1000;    // of one element
inline constexpr std::size_t kModelFiles = 10'000;  // included files and model assets together
inline constexpr int kModelDepth = 100;             // of nested model assets
inline constexpr std::size_t kShownBytes = 40;      // of the user's text quoted in a message
inline constexpr std::size_t kMessageBytes = 1000;  // of one message
inline constexpr std::size_t kNameInMessage = 200;  // bytes of an element's name in a message
inline constexpr std::size_t kProblems = 200;       // that are kept

// elements
inline constexpr std::size_t kClasses = 10'000;               // default classes
inline constexpr std::size_t kCopies = 500'000;               // elements made by replicate, attach and composite
inline constexpr std::size_t kCopiedKeyNumbers = 50'000'000;  // of the keyframes that they make
inline constexpr int kCablePoints = 1000;                     // of one composite
inline constexpr int kFlexElements = 10'000'000;              // points, nodes or elements of one flexcomp
inline constexpr std::size_t kBodies = 65'533;                // with the world: a pair of bodies is two 16-bit ids
inline constexpr std::int64_t kArrayEntries = 2'147'483'647;  // of one array of a model: indices are 32 bits

// numbers of an attribute
inline constexpr int kUserData = 10'000'000;             // nuserdata
inline constexpr int kUserPerElement = 10'000;           // nuser_body …
inline constexpr int kKeys = 100'000;                    // nkey
inline constexpr int kNumericNumbers = 500;              // of one custom numeric
inline constexpr int kActuatorGroup = 30;                // one bit each of Option::disableactuator
inline constexpr int kActivations = 1'000'000;           // actdim
inline constexpr int kSamples = 1 << 24;                 // nsample: of one history buffer
inline constexpr int kUserSensorNumbers = 1'000'000;     // dim of a user sensor
inline constexpr int kContactsOfSensor = 100'000;        // num of a contact sensor
inline constexpr int kCameraPixels = 1 << 15;            // of one side of a camera's image
inline constexpr std::int64_t kSensorNumbers = 1 << 28;  // of one sensor

// assets
inline constexpr int kTextureSide = 65'536;                            // pixels
inline constexpr std::int64_t kTexturePixels = std::int64_t{1} << 27;  // of one texture, all faces
inline constexpr std::size_t kGridLayout = 12;                         // letters: 3 x 4 cells of a cube
inline constexpr std::int64_t kHeightPoints = std::int64_t{1} << 26;   // of one height field
inline constexpr std::size_t kStlTriangles = 200'000;                  // as in MuJoCo
inline constexpr std::uint64_t kMshBytes = 200'000'000;                // of the arrays of one MSH file
inline constexpr float kCoordinate = 1 << 30;               // of a vertex; beyond this it is considered garbage
inline constexpr int kBuiltinResolution = 500;              // of a supersphere, supertorus, cone, wedge, plate
inline constexpr std::size_t kBuiltinVertices = 1'000'000;  // of all builtin meshes
inline constexpr std::int64_t kBuiltinPixels = std::int64_t{1} << 27;  // of all builtin textures
inline constexpr int kBoundedHullVertices = 10'000;                    // of a hull with maxhullvert
inline constexpr double kPolygonWork = 1e8;  // of an OBJ file: squares of the corners of its polygons, summed
inline constexpr std::size_t kOctreeTriangles = 200'000;  // of a mesh with a signed distance field
inline constexpr std::size_t kOctreeNodes = 1'000'000;    // of all signed distance fields
inline constexpr int kOctreeLevel = 6;                    // of a signed distance field: 64 cells along a side

// work
inline constexpr double kLengthRangeSteps = 5'000'000;  // to find length ranges, of all actuators together
inline constexpr double kLengthRangeWork = 5e10;        // the same, times the numbers that one step processes
inline constexpr int kSdfPoints = 1 << 16;              // sdf_initpoints

inline constexpr int kIterations = 100'000;    // of the solver, line search, noslip and collisions, in a step
inline constexpr int kSdfIterations = 10'000;  // the same, from each point
inline constexpr int kContacts = 500'000;      // of one world; further ones are dropped and counted

}  // namespace sinew::limits
