// The light sum of MuJoCo's renderer, per pixel; colors are written as they are, without gamma. Lights with shadows
// contribute nothing at all, ambient included, where they are blocked.

precision highp float;
precision highp sampler2DShadow;

struct Light {
  vec3 pos, dir;
  vec3 ambient, diffuse, specular;
  vec3 attenuation;
  float directional;
  float cos_cutoff, exponent;
};

in vec3 world;
in vec3 world_normal;
in vec4 color;
in vec3 shine;
flat in float mirror;
#ifdef TEXTURE_CUBE
in vec3 direction;
uniform samplerCube image;
#else
in vec2 coordinate;
uniform sampler2D image;
#endif

#if LIGHTS > 0
uniform Light lights[LIGHTS];
#endif
#if SHADOWS > 0
uniform mat4 shadow_matrix[SHADOWS];
uniform float shadow_texel[SHADOWS];   // width of a texel at distance 1 (spot) or anywhere (directional), m
uniform sampler2DShadow shadow_map_0;
#endif
#if SHADOWS > 1
uniform sampler2DShadow shadow_map_1;
#endif
#if SHADOWS > 2
uniform sampler2DShadow shadow_map_2;
#endif

uniform vec3 eye;
uniform float glow;
uniform float sky_radius;      // beyond this distance from the eye the sky is in front; 0: no sky
uniform vec4 fog;              // rgb, 1 if on
uniform vec2 fog_range;
uniform vec3 forward;
uniform float mirror_strength; // 0: the ordinary picture, else colors in the mirror
uniform vec4 mirror_plane;     // normal and offset; in the mirror only what is in front of it is drawn
uniform mat4 mirror_matrix;
uniform sampler2D mirror_image;
uniform float flat_colors;      // 1: colors as they are, without light (segmentation)
uniform float depth_range;      // above 0: shades of gray by depth, white at this distance

out vec4 fragment;

#if SHADOWS > 0
float lit(sampler2DShadow map, vec4 at) {
  vec3 p = at.xyz / at.w * 0.5 + 0.5;
  // outside of what the map covers there is no shadow
  if (at.w <= 0.0 || any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  vec2 texel = 1.0 / vec2(textureSize(map, 0));
  float sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    vec2 offset = (vec2(i & 1, i >> 1) - 0.5) * texel;
    sum += texture(map, vec3(p.xy + offset, p.z));
  }
  return 0.25 * sum;
}
#endif

float unblocked(int i, vec3 n, vec3 to_light) {
#if SHADOWS > 0
  if (i < SHADOWS) {
    // off the surface by a texel, more where light grazes: no surface shades itself
    float slope = sqrt(1.0 - min(1.0, dot(n, to_light) * dot(n, to_light)));
    vec3 from = world + n * (0.5 + 2.0 * slope) * shadow_texel[i] *
                (lights[i].directional > 0.5 ? 1.0 : distance(world, lights[i].pos));
    if (i == 0) return lit(shadow_map_0, shadow_matrix[0] * vec4(from, 1.0));
#if SHADOWS > 1
    if (i == 1) return lit(shadow_map_1, shadow_matrix[1] * vec4(from, 1.0));
#endif
#if SHADOWS > 2
    if (i == 2) return lit(shadow_map_2, shadow_matrix[2] * vec4(from, 1.0));
#endif
  }
#endif
  return 1.0;
}

void main() {
  vec3 from_eye = world - eye;
  if (sky_radius > 0.0 && (length(from_eye.xy) > sky_radius || abs(from_eye.z) > sky_radius)) discard;
  bool in_mirror = mirror_strength > 0.0;
  if (in_mirror && (mirror > 0.5 || dot(vec4(world, 1.0), mirror_plane) < 0.0)) discard;

  if (flat_colors > 0.5) {
    fragment = vec4(color.rgb, 1.0);
    return;
  }
  if (depth_range > 0.0) {
    fragment = vec4(vec3(clamp(dot(from_eye, forward) / depth_range, 0.0, 1.0)), 1.0);
    return;
  }

  vec3 n = normalize(world_normal);
#ifdef TWO_SIDED
  if (!gl_FrontFacing) n = -n;
#endif
  vec3 rgb = in_mirror ? color.rgb * mirror_strength : color.rgb;
  vec3 to_eye = normalize(-from_eye);
  vec3 sum = rgb * (shine.x + glow);
  vec3 passes = vec3(0.0);
#if LIGHTS > 0
  for (int i = 0; i < LIGHTS; ++i) {
    Light light = lights[i];
    vec3 to_light = -light.dir;
    float strength = 1.0;
    if (light.directional < 0.5) {
      to_light = light.pos - world;
      float far = length(to_light);
      to_light /= max(far, 1e-12);
      float along = -dot(light.dir, to_light);
      if (along < light.cos_cutoff) continue;
      strength = 1.0 / max(1e-6, light.attenuation.x + light.attenuation.y * far + light.attenuation.z * far * far);
      if (light.exponent != 0.0) strength *= pow(max(0.0, along), light.exponent);
    }
    float facing = dot(n, to_light);
    vec3 part = light.ambient * rgb;
    if (facing > 0.0) {
      part += light.diffuse * rgb * facing;
      float h = dot(n, normalize(to_light + to_eye));
      if (h > 0.0) part += light.specular * shine.y * pow(h, max(1e-3, 128.0 * shine.z));
    }
#ifdef OPAQUE
    if (i < SHADOWS && !in_mirror) {
      passes += clamp(part * strength, 0.0, 1.0) * unblocked(i, n, to_light);
      continue;
    }
#endif
    sum += part * strength;
  }
#endif
  vec4 result = vec4(clamp(sum, 0.0, 1.0) + passes, color.a);

#if defined(TEXTURE_CUBE)
  result *= texture(image, direction);
#elif defined(TEXTURE_UV) || defined(TEXTURE_LOCAL)
  result *= texture(image, coordinate);
#endif

  // of a box only the face along +z reflects
  if (mirror > 0.5 && !in_mirror && dot(n, mirror_plane.xyz) > 0.99) {
    vec4 at = mirror_matrix * vec4(world, 1.0);
    result.rgb += texture(mirror_image, at.xy / at.w * 0.5 + 0.5).rgb;
  }
  if (fog.a > 0.5) {
    float depth = dot(from_eye, forward);
    result.rgb = mix(result.rgb, fog.rgb, clamp((depth - fog_range.x) / max(1e-6, fog_range.y - fog_range.x), 0.0, 1.0));
  }
#ifdef OPAQUE
  fragment = vec4(clamp(result.rgb, 0.0, 1.0), 1.0);
#else
  // MuJoCo draws what is transparent twice
  float clear = 1.0 - result.a;
  fragment = vec4(clamp(result.rgb, 0.0, 1.0), 1.0 - clear * clear);
#endif
}
