// Materials: variants of one shader, which share the uniforms of the picture (lights, shadows, fog, mirror).

import {
  AdditiveBlending,
  DataTexture,
  DoubleSide,
  FrontSide,
  GLSL3,
  Matrix4,
  NormalBlending,
  ShaderMaterial,
  Texture,
  Vector2,
  Vector3,
  Vector4,
  type IUniform,
} from 'three';
import fragmentShader from './surface.frag.glsl';
import vertexShader from './surface.vert.glsl';

/** How texture coordinates arise: not at all, given by the shape, from local x and y, from the direction. */
export type TextureMode = 'none' | 'uv' | 'local' | 'cube';

export interface MaterialKey {
  shape: 'plain' | 'capsule' | 'skewed';
  mode: TextureMode;
  texture: Texture | null;
  opaque: boolean;
  /** Seen from both sides; 'turn': the normal turns to the eye, 'keep': the front's is used. */
  sides: 'front' | 'turn' | 'keep';
}

export const mostShadows = 3;

function blank(): DataTexture {
  const texture = new DataTexture(new Uint8Array([0, 0, 0, 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}

/** Uniforms that every surface shares. */
export class Surroundings {
  readonly uniforms: Record<string, IUniform> = {
    lights: { value: [] },
    shadow_matrix: { value: [new Matrix4(), new Matrix4(), new Matrix4()] },
    shadow_texel: { value: [0, 0, 0] },
    shadow_map_0: { value: null },
    shadow_map_1: { value: null },
    shadow_map_2: { value: null },
    eye: { value: new Vector3() },
    forward: { value: new Vector3() },
    glow: { value: 0 },
    sky_radius: { value: 0 },
    flat_colors: { value: 0 },
    depth_range: { value: 0 },
    fog: { value: new Vector4() },
    fog_range: { value: new Vector2() },
    mirror_strength: { value: 0 },
    mirror_plane: { value: new Vector4() },
    mirror_matrix: { value: new Matrix4() },
    mirror_image: { value: blank() },
  };
  lights = 0;
  shadows = 0;

  set(name: string, value: unknown): void {
    this.uniforms[name].value = value;
  }
}

export class Materials {
  wireframe = false;
  cull = true;
  additive = false;
  private readonly known = new Map<string, ShaderMaterial>();

  constructor(readonly surroundings: Surroundings) {}

  get(key: MaterialKey): ShaderMaterial {
    const name = `${key.shape} ${key.mode} ${key.texture?.id ?? -1} ${key.opaque} ${key.sides}`;
    let material = this.known.get(name);
    if (!material) {
      const defines: Record<string, string | number> = { LIGHTS: 0, SHADOWS: 0 };
      if (key.shape === 'capsule') defines.CAPSULE = '';
      if (key.shape === 'skewed') defines.SKEWED = '';
      if (key.mode === 'uv') defines.TEXTURE_UV = '';
      if (key.mode === 'local') defines.TEXTURE_LOCAL = '';
      if (key.mode === 'cube') defines.TEXTURE_CUBE = '';
      if (key.opaque) defines.OPAQUE = '';
      if (key.sides === 'turn') defines.TWO_SIDED = '';
      material = new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader,
        fragmentShader,
        defines,
        uniforms: { ...this.surroundings.uniforms, image: { value: key.texture } },
        transparent: !key.opaque,
        depthWrite: key.opaque,
      });
      material.userData.key = key;
      this.known.set(name, material);
      this.adapt(material);
    }
    return material;
  }

  /** After the number of lights or a flag has changed. */
  update(): void {
    for (const material of this.known.values()) this.adapt(material);
  }

  /** Forgets the materials, with them the textures of a model that is gone. */
  clear(): void {
    for (const material of this.known.values()) material.dispose();
    this.known.clear();
  }

  private adapt(material: ShaderMaterial): void {
    const key = material.userData.key as MaterialKey;
    const { lights, shadows } = this.surroundings;
    if (material.defines.LIGHTS !== lights || material.defines.SHADOWS !== shadows) {
      material.defines.LIGHTS = lights;
      material.defines.SHADOWS = shadows;
      material.needsUpdate = true;
    }
    material.side = key.sides !== 'front' || !this.cull ? DoubleSide : FrontSide;
    const blending = this.additive && !key.opaque ? AdditiveBlending : NormalBlending;
    if (material.wireframe !== this.wireframe || material.blending !== blending) {
      material.wireframe = this.wireframe;
      material.blending = blending;
      material.needsUpdate = true;
    }
  }
}

/** Depth of shadow casters, seen from a light. Back faces too: thin shells cast shadows from either side. */
export function casterMaterial(capsule: boolean): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader,
    fragmentShader: 'out highp vec4 fragment;\nvoid main() { fragment = vec4(0.0); }',
    colorWrite: false,
    defines: capsule ? { CAPSULE: '' } : {},
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}

