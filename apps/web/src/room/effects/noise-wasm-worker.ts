import simpleUrl from '@sapphi-red/web-noise-suppressor/rnnoise.wasm?url'
import url from '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url'

/**
 * Compiles RNNoise: the policy of the pages forbids it, and that of this file allows it. The page passes the module on
 * to the audio thread.
 */
async function compile(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compileStreaming(fetch(url))
  } catch {
    // Without SIMD.
    return WebAssembly.compileStreaming(fetch(simpleUrl))
  }
}

compile().then(
  (module) => self.postMessage({ module }),
  () => self.postMessage({}),
)
