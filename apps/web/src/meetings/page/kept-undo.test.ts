import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { deleteUndo, type KeptUndo, keepUndo, readUndos } from './kept-undo.ts'

const offer = (more: Partial<KeptUndo> = {}): KeptUndo => ({
  accountId: 'a',
  meetingId: 'm',
  sendUpdates: 'all',
  message: 'Cancelled.',
  until: Date.now() + 60_000,
  ...more,
})

function useStorage(storage: Partial<Storage>) {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: storage })
}

function memory(): Partial<Storage> {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, text) => void items.set(key, text),
    removeItem: (key) => void items.delete(key),
  }
}

afterEach(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))

test('an offer is kept until its end, and the newer one of the same meeting replaces it', () => {
  useStorage(memory())
  const [first, newer, ofDate] = [offer(), offer({ message: 'Again.' }), offer({ originalStartTime: '2030-01-07' })]
  for (const each of [first, newer, ofDate]) keepUndo(each)
  assert.deepEqual(readUndos(first.until - 1), [newer, ofDate])
  assert.deepEqual(readUndos(first.until), [])
  deleteUndo(newer)
  assert.deepEqual(readUndos(first.until - 1), [ofDate])
})

test('blocked storage and a text of another kind hold no offers, and keeping one throws nothing', () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  useStorage({ getItem: refuse, setItem: refuse, removeItem: refuse })
  keepUndo(offer())
  assert.deepEqual(readUndos(Date.now()), [])
  useStorage({ ...memory(), getItem: () => '{"until":' })
  assert.deepEqual(readUndos(Date.now()), [])
})
