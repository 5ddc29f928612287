import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearSecret, clearSecrets, keepSecret, keptSecret } from './kept-secrets.ts'

function createStorage(initial: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(initial))
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

test('keeps the secret of a link for its meeting only', () => {
  const storage = createStorage()
  keepSecret(storage, '1234567890', { pin: 'k7m2xq' })
  keepSecret(storage, '2345678901', { hostKey: 'key' })
  assert.deepEqual(keptSecret(storage, '1234567890'), { pin: 'k7m2xq' })
  assert.deepEqual(keptSecret(storage, '2345678901'), { hostKey: 'key' })
  assert.deepEqual(keptSecret(storage, '3456789012'), {})
})

test('deletes a wrong secret, and all secrets on signing out, but no other data of the tab', () => {
  const storage = createStorage({ 'parley-draft-1:alice:new': '{}' })
  for (const code of ['1234567890', '2345678901', '3456789012']) keepSecret(storage, code, { pin: 'k7m2xq' })
  clearSecret(storage, '1234567890')
  assert.deepEqual(keptSecret(storage, '1234567890'), {})
  assert.deepEqual(keptSecret(storage, '2345678901'), { pin: 'k7m2xq' })
  clearSecrets(storage)
  assert.deepEqual([keptSecret(storage, '2345678901'), keptSecret(storage, '3456789012')], [{}, {}])
  assert.equal(storage.getItem('parley-draft-1:alice:new'), '{}')
})

test('returns no secret for invalid values and blocked storage', () => {
  for (const value of ['', '{', 'null', '7', '[]', '{"pin":7,"hostKey":{}}', '{"pin":""}']) {
    assert.deepEqual(keptSecret(createStorage({ 'parley-join:1234567890': value }), '1234567890'), {})
  }
  const refuse = () => {
    throw new DOMException('', 'SecurityError')
  }
  const closed = { ...createStorage(), getItem: refuse, setItem: refuse }
  keepSecret(closed, '1234567890', { pin: 'k7m2xq' })
  assert.deepEqual(keptSecret(closed, '1234567890'), {})
})
