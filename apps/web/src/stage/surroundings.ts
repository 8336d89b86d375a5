/// The backdrop, and a matte ground that fades into it.
import {
    BufferAttribute, BufferGeometry, CircleGeometry, Color, GLSL3, Mesh, RawShaderMaterial, Vector3, Vector4,
} from 'three';
import { surfaceMaterial } from './body';
import type { Bounds } from './bounds';
import type { Lighting } from './lighting';
import type { Studio } from './studio';
import { backdropFragment, backdropVertex } from './surface_shader';

const groundRadius = 5; // in units of the radius of the scene

export class Backdrop {
    readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
    private readonly top = { value: new Color() };
    private readonly bottom = { value: new Color() };

    constructor() {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
        this.mesh = new Mesh(geometry, new RawShaderMaterial({
            glslVersion: GLSL3,
            vertexShader: backdropVertex,
            fragmentShader: backdropFragment,
            uniforms: { top: this.top, bottom: this.bottom },
            depthTest: false,
            depthWrite: false,
        }));
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = -1;
    }

    setStudio(studio: Studio) {
        this.top.value.copy(studio.top);
        this.bottom.value.copy(studio.bottom);
    }

    dispose() {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}

export class Ground {
    readonly mesh: Mesh<CircleGeometry, RawShaderMaterial>;
    private readonly colour: Vector3;
    private readonly fade: Vector4;

    constructor(private readonly height: number, lighting: Lighting) {
        const material = surfaceMaterial(lighting, [0.5, 0.5, 0.5], 0);
        material.transparent = true;
        this.colour = material.uniforms['surfaceColour']!.value as Vector3;
        this.fade = material.uniforms['groundFade']!.value as Vector4;
        this.mesh = new Mesh(new CircleGeometry(1, 96).rotateX(-Math.PI / 2), material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 1;
    }

    setStudio(studio: Studio) {
        this.colour.set(studio.ground.r, studio.ground.g, studio.ground.b);
    }

    update(bounds: Bounds, origin: Vector3) {
        const radius = groundRadius * bounds.radius;
        this.mesh.position.set(bounds.centre.x, this.height - origin.y, bounds.centre.z);
        this.mesh.scale.setScalar(radius);
        this.fade.set(bounds.centre.x, 0, bounds.centre.z, radius);
    }

    dispose() {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}
