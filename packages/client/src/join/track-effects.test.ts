import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TrackEffect } from './room.ts'
import { RoomError } from './room-error.ts'
import { createTrackEffects } from './track-effects.ts'

type FakeTrack = { readyState: 'live' | 'ended'; stop(): void }
const createTrack = (): MediaStreamTrack & FakeTrack => {
  const track: FakeTrack = {
    readyState: 'live',
    stop() {
      track.readyState = 'ended'
    },
  }
  return track as MediaStreamTrack & FakeTrack
}

/** What LiveKit's client passes on; the processor reads only the track. */
const optionsOf = (track: MediaStreamTrack) => ({ track }) as never

function processorOf(effect: TrackEffect) {
  const { processor } = createTrackEffects({ camera: effect }).cameraOptions()
  assert.ok(processor !== undefined)
  return processor
}

test('without an effect, the camera is captured as it is', () => {
  assert.deepEqual(createTrackEffects({}).cameraOptions(), {})
})

test('the processed track is sent, and the one before it stops only when the next is ready', async () => {
  const stopped: MediaStreamTrack[] = []
  const processed = [createTrack(), createTrack()]
  let at = 0
  const processor = processorOf({
    async process() {
      const track = processed[at] ?? createTrack()
      at += 1
      assert.equal(stopped.length, 0)
      return { track, stop: () => void stopped.push(track) }
    },
  })
  await processor.init(optionsOf(createTrack()))
  assert.equal(processor.processedTrack, processed[0])
  await processor.restart(optionsOf(createTrack()))
  assert.equal(processor.processedTrack, processed[1])
  assert.deepEqual(stopped, [processed[0]])
  await processor.destroy()
  assert.deepEqual(stopped, processed)
})

test('a camera whose effect fails is released, and nothing of it is sent', async () => {
  const processor = processorOf({ process: () => Promise.reject(new Error('too large')) })
  for (const start of [processor.init, processor.restart]) {
    const captured = createTrack()
    await assert.rejects(
      () => start(optionsOf(captured)),
      (error) => error instanceof RoomError && error.reason === 'effect_failed',
    )
    assert.equal(captured.readyState, 'ended')
    assert.equal(processor.processedTrack, undefined)
  }
})

test('a camera that is off is processed when it is switched on', async () => {
  let count = 0
  const processor = processorOf({
    async process(track) {
      count += 1
      return { track, stop() {} }
    },
  })
  const off = createTrack()
  off.stop()
  await processor.init(optionsOf(off))
  assert.equal(count, 0)
  await processor.restart(optionsOf(createTrack()))
  assert.equal(count, 1)
  // The device does the work, and its own track is sent.
  assert.equal(processor.processedTrack, undefined)
})
