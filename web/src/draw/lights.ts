// Lights as the shader takes them, and the maps of their shadows.

import {
  Camera,
  DepthTexture,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  NearestFilter,
  Scene,
  UnsignedIntType,
  Vector3,
  WebGLRenderTarget,
  WebGLRenderer,
} from 'three';
import type { Light, Model, Visual } from '../messages';
import { aim, type View } from './camera';
import { mostShadows, type Surroundings } from './materials';
import { cross, unit } from './vec';

const enum LightType {
  Spot = 0,
  Directional = 1,
  Point = 2,
}

export class Lights {
  private lights: Light[] = [];
  private readonly targets: WebGLRenderTarget[] = [];
  private readonly camera = new Camera();

  constructor(private readonly surroundings: Surroundings) {}

  set(lights: Light[]): void {
    this.lights = lights.filter((l) => l.type <= LightType.Point);
  }

  /** `index` counts all lights of the message. */
  move(index: number, pos: ArrayLike<number>, dir: ArrayLike<number>): void {
    const light = this.lights[index];
    if (!light) return;
    light.pos = Array.from(pos);
    light.dir = Array.from(dir);
  }

  /** Fills the uniforms; true if the number of lights or shadows has changed. */
  prepare(view: View, shadows: boolean): boolean {
    const { surroundings } = this;
    const casting = shadows ? this.casting() : [];
    const rest = this.lights.filter((l) => !casting.includes(l));
    const ordered = [...casting, ...rest];
    surroundings.set('lights', ordered.map((l) => uniformOf(l, view)));
    surroundings.set('glow', this.lights.some((l) => l.type <= LightType.Directional) ? 0 : 0.3);
    const changed = surroundings.lights !== ordered.length || surroundings.shadows !== casting.length;
    surroundings.lights = ordered.length;
    surroundings.shadows = casting.length;
    return changed;
  }

  /** Draws what each light with shadows sees. */
  drawShadows(renderer: WebGLRenderer, casters: Scene, model: Model, vis: Visual, most: number): void {
    const casting = this.casting();
    const asked = Number(vis.quality?.shadowsize ?? 4096);
    const size = Math.min(most, Math.max(16, asked));
    const extent = model.stat.extent;
    const matrices = this.surroundings.uniforms.shadow_matrix.value as Matrix4[];
    const texels = this.surroundings.uniforms.shadow_texel.value as number[];
    casting.forEach((light, i) => {
      const target = this.target(i, size);
      const near = Number(vis.map?.znear ?? 0.01) * extent;
      const far = Number(vis.map?.zfar ?? 50) * extent;
      let half: number;
      const directional = light.type === LightType.Directional;
      if (directional) {
        half = Number(vis.map?.shadowclip ?? 1) * extent;
        texels[i] = (2 * half) / size;
      } else {
        const cone = light.type === LightType.Point ? 160 : Math.min(160, 2 * light.cutoff * Number(vis.map?.shadowscale ?? 0.6));
        half = Math.tan((cone * Math.PI) / 360);
        texels[i] = (2 * half) / size;
        half *= near;
      }
      const forward = unit(light.dir);
      const side = Math.abs(forward[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
      const up = unit(cross(cross(forward, side), forward));
      aim(this.camera, {
        eye: light.pos, forward, up, orthographic: directional, near, far,
        top: half, bottom: -half, left: -half, right: half,
      });
      matrices[i].multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
      renderer.setRenderTarget(target);
      renderer.clear(true, true, false);
      renderer.render(casters, this.camera);
      this.surroundings.set(`shadow_map_${i}`, target.depthTexture);
    });
    renderer.setRenderTarget(null);
  }

  private casting(): Light[] {
    return this.lights.filter((l) => l.castshadow && !l.headlight).slice(0, mostShadows);
  }

  private target(i: number, size: number): WebGLRenderTarget {
    let target = this.targets[i];
    if (!target || target.width !== size) {
      target?.dispose();
      const depth = new DepthTexture(size, size, UnsignedIntType);
      depth.compareFunction = LessEqualCompare;
      depth.magFilter = depth.minFilter = LinearFilter;
      target = new WebGLRenderTarget(size, size, { depthTexture: depth, magFilter: NearestFilter, minFilter: NearestFilter });
      this.targets[i] = target;
    }
    return target;
  }
}

function uniformOf(light: Light, view: View): Record<string, unknown> {
  const v = (a: ArrayLike<number>) => new Vector3(a[0], a[1], a[2]);
  const spot = light.type === LightType.Spot;
  return {
    pos: v(light.headlight ? view.eye : light.pos),
    dir: v(unit(light.headlight ? view.forward : light.dir)),
    ambient: v(light.ambient),
    diffuse: v(light.diffuse),
    specular: v(light.specular),
    attenuation: spot ? v(light.attenuation) : new Vector3(1, 0, 0),
    directional: light.type === LightType.Directional ? 1 : 0,
    cos_cutoff: spot && light.cutoff < 180 ? Math.cos((light.cutoff * Math.PI) / 180) : -2,
    exponent: spot ? light.exponent : 0,
  };
}
