/** RNNoise takes ten milliseconds at 48 kHz at a time. */
export const frameLength = 480
export const sampleRate = 48_000
/** RNNoise's samples are those of 16 bits. */
const scale = 32_768
const sampleBytes = 4

type Exports = {
  memory: WebAssembly.Memory
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  rnnoise_create(model: number): number
  rnnoise_process_frame(state: number, output: number, input: number): number
}

/** Reduces the noise of frames in place. */
type Reduce = (frame: Float32Array) => void

/** Start RNNoise from its compiled module. The memory is released with the instance. */
export function startRnnoise(module: WebAssembly.Module): Reduce {
  const env = {
    // The memory of one state does not grow, and is not copied in large pieces.
    emscripten_resize_heap: () => 0,
    emscripten_memcpy_big(to: number, from: number, length: number) {
      new Uint8Array(exports.memory.buffer).copyWithin(to, from, from + length)
    },
    __assert_fail() {
      throw new Error('RNNoise has failed.')
    },
  }
  const exports = new WebAssembly.Instance(module, { env }).exports as unknown as Exports
  exports.__wasm_call_ctors()
  const state = exports.rnnoise_create(0)
  const buffer = exports.malloc(frameLength * sampleBytes)
  return (frame) => {
    const samples = new Float32Array(exports.memory.buffer, buffer, frameLength)
    for (const [at, sample] of frame.entries()) samples[at] = sample * scale
    exports.rnnoise_process_frame(state, buffer, buffer)
    for (const [at, sample] of samples.entries()) frame[at] = sample / scale
  }
}

/**
 * Pass blocks of any length through frames: the output is the input, changed by `reduce`, one frame later. The browser's
 * blocks have 128 samples, which divide no frame.
 */
export function createFraming(reduce: Reduce): (input: Float32Array, output: Float32Array) => void {
  const frame = new Float32Array(frameLength)
  const finished = new Float32Array(frameLength)
  let at = 0
  return (input, output) => {
    for (const [index, sample] of input.entries()) {
      output[index] = finished[at] ?? 0
      frame[at] = sample
      at += 1
      if (at < frameLength) continue
      reduce(frame)
      finished.set(frame)
      at = 0
    }
  }
}
