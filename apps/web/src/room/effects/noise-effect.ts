import type { TrackEffect } from '@parley/client/join'
import type { EffectEnd } from './background-messages.ts'
import { sampleRate } from './noise-reducer.ts'
import workletUrl from './noise-worklet.ts?worker&url'

const startLimitMs = 30_000

/** Reduce the noise behind a voice. `onEnd` is called when it ends by itself; the sound goes on as it is until `stop`. */
export function createNoiseEffect(onEnd: (reason: EffectEnd) => void): TrackEffect {
  return {
    async process(track) {
      const context = new AudioContext({ sampleRate, latencyHint: 'interactive' })
      try {
        const [module] = await Promise.all([compileRnnoise(), context.audioWorklet.addModule(workletUrl)])
        const reducer = new AudioWorkletNode(context, 'reduce-noise', {
          channelCount: 1,
          channelCountMode: 'explicit',
          outputChannelCount: [1],
          processorOptions: { module },
        })
        reducer.port.onmessage = () => onEnd('slow')
        reducer.onprocessorerror = () => onEnd('failed')
        const source = new MediaStreamAudioSourceNode(context, { mediaStream: new MediaStream([track]) })
        const output = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
        source.connect(reducer).connect(output)
        await context.resume()
        const [processed] = output.stream.getAudioTracks()
        if (processed === undefined) throw new Error('This browser gives no processed sound.')
        return {
          track: processed,
          async stop() {
            reducer.port.postMessage('end')
            source.disconnect()
            processed.stop()
            await context.close()
          },
        }
      } catch (error) {
        await context.close()
        throw error
      }
    },
  }
}

const shared: { compiled?: Promise<WebAssembly.Module> | undefined } = {}

/** Compile RNNoise once, in a worker. */
function compileRnnoise(): Promise<WebAssembly.Module> {
  shared.compiled ??= new Promise<WebAssembly.Module>((resolve, reject) => {
    const worker = new Worker(new URL('./noise-wasm-worker.ts', import.meta.url), { type: 'module' })
    const end = (module?: WebAssembly.Module) => {
      clearTimeout(limit)
      worker.terminate()
      if (module === undefined) reject(new Error('RNNoise could not be loaded.'))
      else resolve(module)
    }
    const limit = setTimeout(end, startLimitMs)
    worker.addEventListener('message', ({ data }: MessageEvent<{ module?: WebAssembly.Module }>) => end(data.module))
    worker.addEventListener('error', () => end())
  })
  // An outage passes: the next attempt loads it again.
  shared.compiled.catch(() => {
    shared.compiled = undefined
  })
  return shared.compiled
}
