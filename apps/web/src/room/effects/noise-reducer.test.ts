import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createFraming, frameLength, sampleRate, startRnnoise } from './noise-reducer.ts'

const blockLength = 128
const path = fileURLToPath(import.meta.resolve('@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm'))
const rnnoise = await WebAssembly.compile(await readFile(path))

/** Pass two seconds of sound through, and return the last one. */
function lastSecond(process: (input: Float32Array, output: Float32Array) => void, sound: (at: number) => number) {
  const last: number[] = []
  for (let from = 0; from < 2 * sampleRate; from += blockLength) {
    const output = new Float32Array(blockLength)
    process(
      Float32Array.from({ length: blockLength }, (_, index) => sound(from + index)),
      output,
    )
    if (from >= sampleRate) last.push(...output)
  }
  return last
}

const loudness = (samples: readonly number[]) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

/** Repeatable noise between -1 and 1 (mulberry32). */
function createNoise() {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

test('RNNoise makes the noise of a fan much quieter', () => {
  const noise = createNoise()
  let deep = 0
  const sound = Array.from({ length: 2 * sampleRate + blockLength }, () => {
    deep = 0.97 * deep + 0.01 * noise()
    return deep
  })
  const before = loudness(sound.slice(sampleRate))
  const after = loudness(lastSecond(createFraming(startRnnoise(rnnoise)), (at) => sound[at] ?? 0))
  assert.ok(after < before / 8, `${before} → ${after}`)
})

test('sound comes out as it went in, one frame later', () => {
  const output = lastSecond(
    createFraming(() => {}),
    (at) => Math.sin(at / 10),
  )
  const first = Math.ceil(sampleRate / blockLength) * blockLength
  for (const [index, sample] of output.slice(0, 1000).entries())
    assert.ok(Math.abs(sample - Math.sin((first + index - frameLength) / 10)) < 1e-6, String(index))
})
