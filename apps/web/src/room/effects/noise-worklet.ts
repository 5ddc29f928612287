import { createLoadWatch, soundBudgetMs } from './load-watch.ts'
import { createFraming, startRnnoise } from './noise-reducer.ts'

/** What the audio thread has; TypeScript's libraries are those of pages. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare const currentTime: number
declare function registerProcessor(name: string, processor: new (options: AudioWorkletNodeOptions) => object): void

/** Reduces the noise of one channel on the audio thread. */
class NoiseProcessor extends AudioWorkletProcessor {
  #isOver = false
  readonly #pass: (input: Float32Array, output: Float32Array) => void

  constructor({ processorOptions }: AudioWorkletNodeOptions) {
    super()
    const reduce = startRnnoise(processorOptions.module)
    const watch = createLoadWatch(currentTime * 1000, soundBudgetMs)
    this.port.onmessage = () => {
      this.#isOver = true
    }
    this.#pass = createFraming((frame) => {
      // There is no finer clock on the audio thread; over five seconds the average is right.
      const began = Date.now()
      reduce(frame)
      if (watch.add(currentTime * 1000, Date.now() - began)) this.port.postMessage('slow')
    })
  }

  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [input, output] = [inputs[0]?.[0], outputs[0]?.[0]]
    if (input !== undefined && output !== undefined) this.#pass(input, output)
    return !this.#isOver
  }
}

registerProcessor('reduce-noise', NoiseProcessor)
