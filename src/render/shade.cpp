// Colors: lights and shadows, textures, reflection, transparency, sky, haze and fog.

#include <algorithm>
#include <cmath>

#include "render/frame.h"

namespace sinew::render {
namespace {

Vec times(const Vec& a, const Vec& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Vec clamped(const Vec& a) { return {std::clamp(a.x, 0.f, 1.f), std::clamp(a.y, 0.f, 1.f), std::clamp(a.z, 0.f, 1.f)}; }
Vec mix(const Vec& a, const Vec& b, float part) { return a * (1 - part) + b * part; }

/// Radius and half height of the cylinder that has the sky on it, relative to the far plane.
constexpr float kSkyRadius = 0.7f;
constexpr float kSameNormal = 0.94f;  // cosine of 20 degrees

}  // namespace

bool Sample::same_as(const Sample& other) const {
  if (hit.part != other.hit.part || layers != other.layers) return false;
  return hit.part < 0 || (hit.side == other.hit.side && dot(normal, other.normal) > kSameNormal);
}

bool Frame::shadowed(const Light& light, const Part& part, int self, const Vec& point, const Vec& surface) const {
  Ray ray;
  ray.origin = point;
  const Vec from = point - light.pos;
  const float range = light.directional ? 1 : dot(from, light.dir);
  if (!(std::fabs(dot(from, light.side)) < range && std::fabs(dot(from, light.over)) < range)) return false;
  if (light.directional) {
    ray.direction = -light.dir;
    ray.far = std::numeric_limits<float>::max();
  } else {
    ray.direction = -from;
    ray.far = 1;
  }
  Query query;
  if (part.convex) {
    // it can be in its own shadow only where it faces away
    if (part.caster && part.type != static_cast<int>(GeomType::Plane) && dot(surface, ray.direction) <= 0) return true;
    query.skip = self;
  } else {
    const Vec reach = part.high - part.low;
    const float offset = 1e-4f * std::max({reach.x, reach.y, reach.z});
    ray.origin = point + surface * (dot(surface, ray.direction) > 0 ? offset : -offset);
  }
  query.frame = this;
  query.ray = &ray;
  query.kind = Kind::Caster;
  init_context(query.context);
  RTCRay r = {ray.origin.x,
              ray.origin.y,
              ray.origin.z,
              0,
              ray.direction.x,
              ray.direction.y,
              ray.direction.z,
              0,
              ray.far,
              ~0u,
              0,
              0};
  return usable(r) && (blocked(query, opaque_, r) || (has_transparent_ && blocked(query, clear_, r)));
}

Rgba Frame::shade(const Ray& ray, const Hit& hit, bool mirrored, Vec* normal) const {
  const Part& part = parts_[index(hit.part)];
  const SceneGeom& g = *part.geom;
  const Vec point = ray.at(hit.t);
  Rgba out{Vec::load(g.rgba.data()), part.alpha};
  if (!part.lit) return {clamped(out.rgb), out.alpha};
  Normals n = normals_at(part, hit, point);
  const bool two_sided = part.type == kSceneTriangle || (part.mesh && !flags_[kRenderCullFace]);
  if (two_sided && dot(n.surface, ray.direction) > 0) n = {-n.surface, -n.shading};
  if (normal) *normal = n.shading;

  if (mirrored) out.rgb = out.rgb * parts_[index(mirror_)].reflectance;
  const Vec& rgb = out.rgb;
  Vec color = rgb * (g.emission + glow_);
  Vec passes;  // lights with shadows: MuJoCo draws each in a pass of its own, and adds what is clamped
  Vec to_eye = ray.eye - point;
  normalize(to_eye);
  for (std::size_t i = 0; i < lights_.size(); ++i) {
    const Light& light = lights_[i];
    Vec to_light = -light.dir;
    float strength = 1;
    if (!light.directional) {
      to_light = light.pos - point;
      const float distance = normalize(to_light);
      const float along = -dot(light.dir, to_light);
      if (along < light.cos_cutoff) continue;
      strength = 1 / (light.attenuation.x + light.attenuation.y * distance + light.attenuation.z * distance * distance);
      if (light.exponent != 0) strength *= std::pow(std::max(0.f, along), light.exponent);
    }
    const float facing = dot(n.shading, to_light);
    Vec sum = times(light.ambient, rgb);
    if (facing > 0) {
      sum += times(light.diffuse, rgb) * facing;
      Vec half = to_light + to_eye;
      normalize(half);
      const float shine = dot(n.shading, half);
      // x^n <= e^(-n (1 - x)): far from the highlight there is less of it than a pixel can show
      const float exponent = 128 * g.shininess;
      if (shine > 0 && g.specular > 0 && exponent * (1 - shine) < 8)
        sum += light.specular * (g.specular * std::pow(shine, exponent));
    }
    if (!(sum.x > 0 || sum.y > 0 || sum.z > 0)) continue;
    if (!(light.shadow && part.opaque && !mirrored && !wireframe_)) {
      color += sum * strength;
    } else if (!shadowed(light, part, hit.part, point, n.surface)) {
      passes += clamped(sum * strength);
    }
  }
  out.rgb = clamped(color) + passes;
  if (part.texture) {
    const Rgba t = texel(part, ray, hit, point, n.surface);
    out.rgb = times(out.rgb, t.rgb);
    out.alpha *= t.alpha;
  }
  return out;
}

Vec Frame::reflection(const Ray& ray, const Hit& hit) const {
  const Part& part = parts_[index(hit.part)];
  const Vec up = part.mat.column(2);
  const bool box = part.type == static_cast<int>(GeomType::Box);
  const Vec on = box ? part.pos + up * part.size.z : part.pos;
  if (dot(head_ - on, up) <= 0 || (box && hit.side != 4)) return {};
  // seen from the mirrored eye, beginning at the mirror
  const auto mirror = [&](const Vec& v) { return v - up * (2 * dot(v, up)); };
  Ray back = ray;
  back.origin = mirror(ray.origin - on) + on;
  back.eye = mirror(ray.eye - on) + on;
  back.direction = mirror(ray.direction);
  back.dx = mirror(ray.dx);
  back.dy = mirror(ray.dy);
  back.near = hit.t;
  Query query;
  query.ray = &back;
  query.kind = Kind::Opaque;
  query.skip = hit.part;
  trace(query);
  Vec color;
  if (query.hit.part >= 0) color = shade(back, query.hit, true, nullptr).rgb;
  if (has_transparent_) blend_layers(back, query.hit.part >= 0 ? query.hit.t : back.far, true, color);
  return color;
}

void Frame::blend_layers(const Ray& ray, float until, bool mirrored, Vec& color) const {
  Ray part_of = ray;
  part_of.far = until;
  Layers layers;
  Query query;
  query.ray = &part_of;
  query.kind = Kind::Transparent;
  query.layers = layers.hits;
  trace(query);
  // back to front by the distance of the geoms, as MuJoCo sorts them: planes last
  const auto distance = [&](const Hit& hit) {
    const Part& part = parts_[index(hit.part)];
    if (part.type == static_cast<int>(GeomType::Plane)) return std::numeric_limits<float>::max();
    return norm(Vec::load(part.geom->pos.data()) - head_) - part.geom->modelrbound;
  };
  std::sort(layers.hits, layers.hits + query.nlayer, [&](const Hit& a, const Hit& b) {
    const float x = distance(a), y = distance(b);
    return x != y ? x > y : a.part < b.part;
  });
  for (int i = 0; i < query.nlayer; ++i) {
    const Rgba layer = shade(ray, layers.hits[i], mirrored, nullptr);
    const float clear = 1 - layer.alpha;
    // MuJoCo draws them twice
    color = flags_[kRenderAdditive] ? color + layer.rgb * layer.alpha : mix(color, layer.rgb, 1 - clear * clear);
  }
}

float Frame::sky_distance(const Ray& ray) const {
  const float radius = kSkyRadius * far_;
  const Vec o = ray.origin - head_, d = ray.direction;
  const float dd = d.x * d.x + d.y * d.y;
  float t = std::numeric_limits<float>::max();
  if (dd > 0) {
    const float b = (o.x * d.x + o.y * d.y) / dd, c = (o.x * o.x + o.y * o.y - radius * radius) / dd;
    t = -b + std::sqrt(std::max(0.f, b * b - c));
  }
  if (d.z != 0) t = std::min(t, ((d.z > 0 ? radius : -radius) - o.z) / d.z);
  return t;
}

Vec Frame::background(const Ray& ray) const {
  if (!sky_) return {};
  const auto turned = [](const Vec& v) { return Vec{v.x, v.z, -v.y}; };
  const Vec none;
  return assets_->textures[index(assets_->sky)]
      .at(turned(ray.direction), ray.orthographic ? none : turned(ray.dx), ray.orthographic ? none : turned(ray.dy))
      .rgb;
}

void Frame::blend_haze(const Ray& ray, float until, Vec& color) const {
  const Vec o = mul_transposed(ground_mat_, ray.origin - head_), d = mul_transposed(ground_mat_, ray.direction);
  const float eye = dot(head_ - ground_pos_, ground_mat_.column(2));
  if (!(eye > 0)) return;
  // a cone about the head: at height z above the ground its radius is R (1 - r (1 - z/eye))
  const float radius = kSkyRadius * far_, r = assets_->vis.map.haze;
  const float a = radius * (1 + r * o.z / eye), b = radius * r * d.z / eye;
  const float qa = d.x * d.x + d.y * d.y - b * b, qb = o.x * d.x + o.y * d.y - a * b,
              qc = o.x * o.x + o.y * o.y - a * a;
  const float disc = qb * qb - qa * qc;
  if (!(disc >= 0) || qa == 0) return;
  const float root = std::sqrt(disc);
  float t = (-qb + root) / qa;
  if (t < 0 || a + b * t < 0) t = (-qb - root) / qa;
  if (t < 0 || t > until || a + b * t < 0) return;
  const float height = (eye + o.z + d.z * t) / eye;
  if (height < 0 || height > 1) return;
  const float alpha = height < haze_at_ ? height / haze_at_ : (1 - height) / (1 - haze_at_);
  const auto& rgba = assets_->vis.rgba.haze;
  color = mix(color, {rgba[0], rgba[1], rgba[2]}, alpha);
}

Sample Frame::look(const Ray& ray) const {
  Query query;
  query.ray = &ray;
  query.kind = Kind::Opaque;
  trace(query);
  Sample sample;
  sample.hit = query.hit;
  if (sky_ && sample.hit.part >= 0 && sample.hit.t > sky_distance(ray)) sample.hit.part = -1;
  if (sample.hit.part >= 0) {
    const Part& part = parts_[index(sample.hit.part)];
    if (part.lit) sample.normal = normals_at(part, sample.hit, ray.at(sample.hit.t)).shading;
  }
  if (has_transparent_) {
    Ray part_of = ray;
    if (sample.hit.part >= 0) part_of.far = sample.hit.t;
    Layers layers;
    query.ray = &part_of;
    query.kind = Kind::Transparent;
    query.layers = layers.hits;
    trace(query);
    for (int i = 0; i < query.nlayer; ++i)  // in any order
      sample.layers += 2654435761u * static_cast<unsigned>(layers.hits[i].part + 1);
  }
  return sample;
}

Vec Frame::color(const Ray& ray, const Sample& sample) const {
  const bool hit = sample.hit.part >= 0;
  Vec color = hit ? shade(ray, sample.hit, false, nullptr).rgb : background(ray);
  if (hit && sample.hit.part == mirror_) color = clamped(color + reflection(ray, sample.hit));
  if (hit && flags_[kRenderFog]) {
    const float start = assets_->vis.map.fogstart * assets_->extent, end = assets_->vis.map.fogend * assets_->extent;
    const auto& fog = assets_->vis.rgba.fog;
    if (end > start)
      color = mix(color, {fog[0], fog[1], fog[2]}, std::clamp((sample.hit.t - start) / (end - start), 0.f, 1.f));
  }
  if (haze_) blend_haze(ray, hit ? sample.hit.t : std::numeric_limits<float>::max(), color);
  if (sample.layers) blend_layers(ray, hit ? sample.hit.t : ray.far, false, color);
  return clamped(color);
}

}  // namespace sinew::render
