import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, isSame } from './store.ts'

test('a snapshot is the same value until something of it changes', () => {
  const store = createStore({ count: 0, names: ['Alice'] })
  const first = store.snapshot()
  let told = 0
  store.subscribe(() => told++)
  store.change({ count: 0, names: first.names })
  assert.equal(store.snapshot(), first)
  assert.equal(told, 0)
  store.change({ count: 1 })
  assert.deepEqual([store.snapshot().count, first.count, told], [1, 0, 1])
  assert.equal(store.snapshot().names, first.names)
})

test('who listens twice is told twice, and who has stopped is not told', () => {
  const store = createStore({ count: 0 })
  let told = 0
  const listener = () => void told++
  const [one, other] = [store.subscribe(listener), store.subscribe(listener)]
  store.change({ count: 1 })
  assert.equal(told, 2)
  one()
  one()
  store.change({ count: 2 })
  assert.equal(told, 3)
  other()
  store.change({ count: 3 })
  assert.equal(told, 3)
})

test('who stops another while being told, and who begins, spoils nothing', () => {
  const store = createStore({ count: 0 })
  const told: string[] = []
  store.subscribe(() => {
    told.push('first')
    second()
    if (told.length === 1) store.subscribe(() => told.push('late'))
  })
  const second = store.subscribe(() => told.push('second'))
  store.change({ count: 1 })
  store.change({ count: 2 })
  assert.deepEqual(told, ['first', 'second', 'first', 'late'])
})

test('values are the same field by field', () => {
  const list: string[] = []
  assert.equal(isSame({ a: list, b: Number.NaN }, { a: list, b: Number.NaN }), true)
  assert.equal(isSame({ a: list }, { a: [] }), false)
  assert.equal(isSame({ a: 1 }, { a: 1, b: undefined }), false)
})
