// Instances of one shape. A part is placed by the rows of a 3x4 matrix, which need not be a rotation: scene triangles
// use skewed axes. `size` scales the unit shape before that.

in vec4 place_x, place_y, place_z;
in vec3 size;
in vec4 tint;
in vec4 gloss;   // emission, specular, shininess, 1 on the mirror
in vec4 texmap;  // texture coordinates: scale and offset; cube textures: scale of the direction, unused
#ifdef CAPSULE
in float lift;   // -1, 0, 1: which end of the cylinder a vertex belongs to
#endif

out vec3 world;
out vec3 world_normal;
out vec4 color;
out vec3 shine;
#ifdef TEXTURE_CUBE
out vec3 direction;
#else
out vec2 coordinate;
#endif
flat out float mirror;

vec3 placed(vec3 p) {
  return vec3(dot(place_x, vec4(p, 1.0)), dot(place_y, vec4(p, 1.0)), dot(place_z, vec4(p, 1.0)));
}

void main() {
#ifdef CAPSULE
  float radius = 0.5 * (size.x + size.y);
  vec3 local = position * radius + vec3(0.0, 0.0, lift * size.z);
  vec3 n = normal;
#else
  vec3 local = position * size;
  vec3 n = normal / max(abs(size), 1e-12);
#endif
  world = placed(local);
  world_normal = vec3(dot(place_x.xyz, n), dot(place_y.xyz, n), dot(place_z.xyz, n));
#ifdef SKEWED
  // axes of a scene triangle: the third one is its normal
  world_normal = vec3(place_x.z, place_y.z, place_z.z);
#endif
  color = tint;
  shine = gloss.xyz;
  mirror = gloss.w;
#if defined(TEXTURE_CUBE)
  direction = position * texmap.xyz;
#elif defined(TEXTURE_LOCAL)
  coordinate = local.xy * texmap.xy + texmap.zw;
#elif defined(TEXTURE_UV)
  coordinate = uv * texmap.xy + texmap.zw;
#else
  coordinate = vec2(0.0);
#endif
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}
