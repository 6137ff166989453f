// Lines of a width in pixels: each instance is a segment, drawn as a rectangle that faces the camera.

in vec3 from, to;
in vec4 tint;
in float line_width;

uniform vec2 window; // pixels

out vec4 color;

void main() {
  vec4 a = projectionMatrix * viewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(to, 1.0);
  // the part behind the near plane would be mirrored by the division
  float near_a = a.z + a.w;
  float near_b = b.z + b.w;
  if (near_a < 0.0 && near_b > 0.0) a = mix(b, a, near_b / (near_b - near_a) * 0.999);
  if (near_b < 0.0 && near_a > 0.0) b = mix(a, b, near_a / (near_a - near_b) * 0.999);
  vec2 along = (b.xy / b.w - a.xy / a.w) * window;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec4 end = mix(a, b, position.x);
  end.xy += vec2(-along.y, along.x) * position.y * line_width / window * end.w;
  color = tint;
  gl_Position = end;
}
