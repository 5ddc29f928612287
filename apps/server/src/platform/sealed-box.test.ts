import assert from 'node:assert/strict'
import { hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import { createSealedBox, hasOwner } from './sealed-box.ts'

const secretKey = Buffer.alloc(32, 7)
const box = createSealedBox(secretKey)

test('what was sealed is opened again, also by another process with the same key', () => {
  const another = createSealedBox(Buffer.from(secretKey))
  for (const text of ['', 'k3m9px', 'Grüße 👋', 'x'.repeat(1_000_000)]) {
    assert.equal(another.open(box.seal(text, 'pin'), 'pin'), text)
  }
})

test('the same text sealed twice looks different, and does not show', () => {
  const first = box.seal('k3m9px', 'pin')
  assert.notDeepEqual(first, box.seal('k3m9px', 'pin'))
  assert.equal(first.includes('k3m9px'), false)
  assert.equal(first[0], 1)
})

test('another purpose does not open it', () => {
  assert.throws(() => box.open(box.seal('k3m9px', 'pin'), 'room-key'))
  assert.throws(() => box.open(box.seal('k3m9px', 'pin'), ''))
})

test('what belongs to one owner is read for that owner alone', () => {
  const sealed = box.seal('k3m9px', 'pin', 'meeting 1')
  assert.equal(box.open(sealed, 'pin', 'meeting 1'), 'k3m9px')
  for (const owner of ['meeting 2', '', undefined]) assert.throws(() => box.open(sealed, 'pin', owner), `${owner}`)
  assert.throws(() => box.open(sealed, 'room-key', 'meeting 1'))
  assert.ok(hasOwner(sealed))
})

test('what was sealed before there were owners is read, and does not become another value by a changed first byte', () => {
  const before = box.seal('k3m9px', 'pin')
  assert.equal(box.open(before, 'pin', 'meeting 1'), 'k3m9px')
  assert.ok(!hasOwner(before))
  const sealed = box.seal('k3m9px', 'pin', 'meeting 1')
  for (const [value, version] of [
    [before, 2],
    [sealed, 1],
  ] as const) {
    const changed = Buffer.from(value)
    changed.writeUInt8(version)
    for (const owner of ['meeting 1', '', undefined]) assert.throws(() => box.open(changed, 'pin', owner))
  }
})

test('another key does not open it', () => {
  assert.throws(() => createSealedBox(Buffer.alloc(32, 8)).open(box.seal('k3m9px', 'pin'), 'pin'))
})

test('a flipped bit anywhere is noticed', () => {
  for (const owner of [undefined, 'meeting 1']) {
    const sealed = box.seal('k3m9px', 'pin', owner)
    for (let index = 0; index < sealed.length; index++) {
      for (const bit of [1, 2]) {
        const changed = Buffer.from(sealed)
        changed.writeUInt8(changed.readUInt8(index) ^ bit, index)
        assert.throws(() => box.open(changed, 'pin', owner), `byte ${index}`)
      }
    }
  }
})

test('a cut value is noticed, at every length', () => {
  const sealed = box.seal('k3m9px', 'pin')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length), 'pin'), `length ${length}`)
  }
})

test('derived keys are stable, differ by purpose and have the length asked for', () => {
  const key = box.derive('jobs', 48)
  assert.equal(key.length, 48)
  assert.deepEqual(createSealedBox(secretKey).derive('jobs', 48), key)
  assert.notDeepEqual(box.derive('mails', 48), key)
  assert.deepEqual(key, Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'key jobs', 48)))
})

test('a mac is stable and depends on purpose, data and key', () => {
  const mac = box.mac('cursor', 'page 2')
  assert.equal(mac.length, 32)
  assert.deepEqual(box.mac('cursor', Buffer.from('page 2')), mac)
  assert.notDeepEqual(box.mac('cursor', 'page 3'), mac)
  assert.notDeepEqual(box.mac('link', 'page 2'), mac)
  assert.notDeepEqual(createSealedBox(Buffer.alloc(32)).mac('cursor', 'page 2'), mac)
})

test('more purposes than are cached stay right', () => {
  const macs = Array.from({ length: 200 }, (_, index) => box.mac(`purpose ${index}`, 'x').toString('hex'))
  assert.equal(new Set(macs).size, 200)
  assert.equal(box.mac('purpose 199', 'x').toString('hex'), macs[199])
})

test('a key of another length is refused', () => {
  for (const length of [0, 16, 31, 33, 64]) assert.throws(() => createSealedBox(Buffer.alloc(length)), RangeError)
})
