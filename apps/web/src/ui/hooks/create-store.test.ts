import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore } from './create-store.ts'

test('calls its listeners after a change, and not for the same value', () => {
  const store = createStore('card')
  const received: string[] = []
  const stop = store.subscribe(() => received.push(store.read()))
  store.replace('wide')
  store.replace('wide')
  store.replace('window')
  stop()
  store.replace('card')
  assert.deepEqual(received, ['wide', 'window'])
  assert.equal(store.read(), 'card')
})

test('a listener that was added twice is called twice, and removed one at a time', () => {
  const store = createStore(0)
  let calls = 0
  const listener = () => calls++
  const stop = store.subscribe(listener)
  store.subscribe(listener)
  store.replace(1)
  assert.equal(calls, 2)
  stop()
  store.replace(2)
  assert.equal(calls, 3)
})

test('a listener may remove itself or add another during a change', () => {
  const store = createStore(0)
  const calls: string[] = []
  const stop = store.subscribe(() => {
    calls.push('first')
    stop()
    store.subscribe(() => calls.push('added'))
  })
  store.subscribe(() => calls.push('second'))
  store.replace(1)
  assert.deepEqual(calls, ['first', 'second'])
  store.replace(2)
  assert.deepEqual(calls, ['first', 'second', 'second', 'added'])
})
