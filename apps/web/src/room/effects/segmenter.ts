import { type CompiledModel, loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core'
import createRuntime from '@litertjs/core/wasm/litert_wasm_compat_internal.js'
import runtimeUrl from '@litertjs/core/wasm/litert_wasm_compat_internal.wasm?url'
import uprightUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url'
import landscapeUrl from '@mediapipe/selfie_segmentation/selfie_segmentation_landscape.tflite?url'

/** The size of pictures that a model takes. */
const models = {
  landscape: { url: landscapeUrl, width: 256, height: 144 },
  upright: { url: uprightUrl, width: 256, height: 256 },
} as const

export type Segmenter = {
  width: number
  height: number
  /** Whether each pixel belongs to a person, from 0 to 1. `pixels` is RGBA of the model's size. */
  segment(pixels: Uint8ClampedArray): Promise<Float32Array>
}

const shared: { runtime?: Promise<unknown> } = {}

/** Load the runtime as LiteRT.js does in a classic worker, without fetching a script by its name. */
function startRuntime(): Promise<unknown> {
  Object.assign(self, {
    importScripts() {},
    ModuleFactory: createRuntime,
    Module: { locateFile: () => runtimeUrl, print() {}, printErr() {} },
  })
  // The runtime asks for a graphics card, and warns where there is none. The model takes the processor a few milliseconds.
  const { warn } = console
  console.warn = () => {}
  return loadLiteRt('runtime.js').finally(() => {
    console.warn = warn
  })
}

const loaded = new Map<keyof typeof models, Promise<Segmenter>>()

/** Load the model for pictures of this shape, once. */
export function loadSegmenter(shape: keyof typeof models): Promise<Segmenter> {
  const known = loaded.get(shape) ?? load(shape)
  loaded.set(shape, known)
  return known
}

async function load(shape: keyof typeof models): Promise<Segmenter> {
  shared.runtime ??= startRuntime()
  const { url, width, height } = models[shape]
  const [reply] = await Promise.all([fetch(url), shared.runtime])
  if (!reply.ok) throw new Error(`The model was answered with ${reply.status}.`)
  const model = await loadAndCompile(new Uint8Array(await reply.arrayBuffer()), { accelerator: 'wasm' })
  return { width, height, segment: (pixels) => run(model, pixels, width, height) }
}

async function run(model: CompiledModel, pixels: Uint8ClampedArray, width: number, height: number) {
  const input = new Float32Array(width * height * 3)
  for (let from = 0, to = 0; to < input.length; from += 4, to += 3) {
    input[to] = (pixels[from] ?? 0) / 255
    input[to + 1] = (pixels[from + 1] ?? 0) / 255
    input[to + 2] = (pixels[from + 2] ?? 0) / 255
  }
  const tensor = new Tensor(input, [1, height, width, 3])
  const [result] = await model.run(tensor)
  if (result === undefined) throw new Error('The model has no output.')
  const mask = Float32Array.from(result.toTypedArray() as Float32Array)
  tensor.delete()
  result.delete()
  return mask
}
