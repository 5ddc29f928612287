import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSnapshotStore, isSame } from './store.ts'

test('a snapshot is the same object until one of its fields changes', () => {
  const store = createSnapshotStore({ count: 0, names: ['Alice'] })
  const first = store.snapshot()
  let calls = 0
  store.subscribe(() => calls++)
  store.change({ count: 0, names: first.names })
  assert.equal(store.snapshot(), first)
  assert.equal(calls, 0)
  store.change({ count: 1 })
  assert.deepEqual([store.snapshot().count, first.count, calls], [1, 0, 1])
  assert.equal(store.snapshot().names, first.names)
})

test('a listener added twice is called twice, and a removed one is not called', () => {
  const store = createSnapshotStore({ count: 0 })
  let calls = 0
  const listener = () => void calls++
  const [one, other] = [store.subscribe(listener), store.subscribe(listener)]
  store.change({ count: 1 })
  assert.equal(calls, 2)
  one()
  one()
  store.change({ count: 2 })
  assert.equal(calls, 3)
  other()
  store.change({ count: 3 })
  assert.equal(calls, 3)
})

test('listeners may be added and removed during a change', () => {
  const store = createSnapshotStore({ count: 0 })
  const calls: string[] = []
  store.subscribe(() => {
    calls.push('first')
    second()
    if (calls.length === 1) store.subscribe(() => calls.push('late'))
  })
  const second = store.subscribe(() => calls.push('second'))
  store.change({ count: 1 })
  store.change({ count: 2 })
  assert.deepEqual(calls, ['first', 'second', 'first', 'late'])
})

test('isSame compares two values field by field', () => {
  const list: string[] = []
  assert.equal(isSame({ a: list, b: Number.NaN }, { a: list, b: Number.NaN }), true)
  assert.equal(isSame({ a: list }, { a: [] }), false)
  assert.equal(isSame({ a: 1 }, { a: 1, b: undefined }), false)
})
