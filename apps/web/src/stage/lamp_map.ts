/// A directional lamp with its shadow map for strands and bodies.
import {
    ClampToEdgeWrapping, DepthTexture, HalfFloatType, LessEqualCompare, LinearFilter, LinearMipmapNearestFilter,
    Matrix4, OrthographicCamera, RGBAFormat, UnsignedIntType, Vector3, WebGLRenderTarget, type IUniform, type Scene,
    type WebGLRenderer,
} from 'three';
import type { Bounds } from './bounds';

const margin = 1.12; // margin around the bounding sphere
const toUnit = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);

export class LampMap {
    readonly matrix = new Matrix4();
    readonly direction = new Vector3(0, 1, 0);
    private readonly camera = new OrthographicCamera();
    private target: WebGLRenderTarget;

    constructor(size: number) {
        this.target = makeTarget(size);
    }

    get hair() {
        return this.target.texture;
    }
    get body() {
        return this.target.depthTexture!;
    }
    get size() {
        return this.target.width;
    }

    resize(size: number) {
        if (size === this.size) return;
        this.dispose();
        this.target = makeTarget(size);
    }

    /// Sets `texel` to the size of a texel of the map [m], the minimum width at which strands are drawn into it.
    render(renderer: WebGLRenderer, casters: Scene, bounds: Bounds, texel: IUniform<number>) {
        const radius = bounds.radius * margin;
        const camera = this.camera;
        camera.position.copy(this.direction).multiplyScalar(2 * radius).add(bounds.centre);
        camera.up.set(0, Math.abs(this.direction.y) > 0.99 ? 0 : 1, Math.abs(this.direction.y) > 0.99 ? 1 : 0);
        camera.lookAt(bounds.centre);
        camera.left = camera.bottom = -radius;
        camera.right = camera.top = radius;
        camera.near = radius;
        camera.far = 3 * radius;
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
        this.matrix.multiplyMatrices(toUnit, camera.projectionMatrix).multiply(camera.matrixWorldInverse);
        texel.value = 2 * radius / this.size;
        renderer.setRenderTarget(this.target);
        renderer.setClearColor(0, 0);
        renderer.clear();
        renderer.render(casters, camera);
        renderer.setRenderTarget(null);
    }

    dispose() {
        this.target.depthTexture?.dispose();
        this.target.dispose();
    }
}

function makeTarget(size: number) {
    const depthTexture = new DepthTexture(size, size, UnsignedIntType);
    depthTexture.compareFunction = LessEqualCompare;
    depthTexture.minFilter = depthTexture.magFilter = LinearFilter;
    return new WebGLRenderTarget(size, size, {
        type: HalfFloatType,
        format: RGBAFormat,
        minFilter: LinearMipmapNearestFilter,
        magFilter: LinearFilter,
        wrapS: ClampToEdgeWrapping,
        wrapT: ClampToEdgeWrapping,
        generateMipmaps: true,
        depthTexture,
    });
}
