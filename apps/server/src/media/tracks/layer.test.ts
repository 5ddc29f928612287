import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Layer } from './layer.ts'

const frameMs = 100

/** Two layers of one camera with ten frames a second; `sends` says whether the larger one sends a frame. */
function play(sends: (atMs: number) => boolean, untilMs: number) {
  const [small, large] = [new Layer(0, 'q', 90_000), new Layer(1, 'h', 90_000)]
  const states: { atMs: number; isActive: boolean; isSettled: boolean }[] = []
  for (let atMs = 0; atMs <= untilMs; atMs += frameMs) {
    if (sends(atMs)) {
      large.recordPacket(1000, atMs)
      small.recordFrameElsewhere(1)
    }
    small.recordPacket(100, atMs)
    large.recordFrameElsewhere(0)
    states.push({ atMs, isActive: large.isActive(atMs), isSettled: large.isSettled(atMs) })
  }
  return states
}

const changes = (states: ReturnType<typeof play>, name: 'isActive' | 'isSettled') =>
  states.filter((state, at) => at > 0 && state[name] !== states[at - 1]?.[name]).map(({ atMs }) => atMs)

test('a layer that falls silent while the other goes on is left within 300 ms', () => {
  assert.deepEqual(
    changes(
      play((atMs) => atMs <= 1000, 3000),
      'isActive',
    ),
    [1300],
  )
})

test('one or two dropped frames are no silence', () => {
  assert.deepEqual(
    changes(
      play((atMs) => atMs % 300 === 0, 3000),
      'isActive',
    ),
    [],
  )
})

test('a camera of one frame a second is not silent between two of them', () => {
  const [small, large] = [new Layer(0, 'q', 90_000), new Layer(1, 'h', 90_000)]
  for (let atMs = 0; atMs <= 5000; atMs += 1000) {
    small.recordPacket(100, atMs)
    large.recordFrameElsewhere(0)
    assert.ok(atMs === 0 || large.isActive(atMs))
    large.recordPacket(1000, atMs)
    small.recordFrameElsewhere(1)
  }
})

test('a layer that returns at once has to last for a second; one that was switched off is used again at once', () => {
  const flapping = play((atMs) => atMs <= 1000 || atMs >= 2000, 5000)
  assert.deepEqual(changes(flapping, 'isActive'), [1300, 2000])
  assert.deepEqual(changes(flapping, 'isSettled'), [1300, 3000])
  const switched = play((atMs) => atMs <= 1000 || atMs >= 7000, 9000)
  assert.deepEqual(changes(switched, 'isSettled'), [1300, 7000])
})

test('a track on which nothing is sent has no active layer after a while', () => {
  const layer = new Layer(0, '', 90_000)
  assert.deepEqual([layer.hasBegun, layer.isActive(0)], [false, false])
  layer.recordPacket(1000, 1000)
  assert.deepEqual([layer.hasBegun, layer.isActive(2499), layer.isActive(2500)], [true, true, false])
})
