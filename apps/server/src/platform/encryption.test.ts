import assert from 'node:assert/strict'
import { hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import { createEncryption } from './encryption.ts'

const secretKey = Buffer.alloc(32, 7)
const encryption = createEncryption(secretKey)

test('decrypts an encrypted value, also in another process with the same key', () => {
  const another = createEncryption(Buffer.from(secretKey))
  for (const text of ['', 'k3m9px', 'Grüße 👋', 'x'.repeat(1_000_000)]) {
    assert.equal(another.decrypt(encryption.encrypt(text, 'pin'), 'pin'), text)
  }
})

test('encrypts the same text differently each time, without revealing it', () => {
  const first = encryption.encrypt('k3m9px', 'pin')
  assert.notDeepEqual(first, encryption.encrypt('k3m9px', 'pin'))
  assert.equal(first.includes('k3m9px'), false)
  assert.equal(first[0], 1)
})

test('refuses to decrypt for another purpose', () => {
  assert.throws(() => encryption.decrypt(encryption.encrypt('k3m9px', 'pin'), 'room-key'))
  assert.throws(() => encryption.decrypt(encryption.encrypt('k3m9px', 'pin'), ''))
})

test('decrypts a value of one owner for that owner only', () => {
  const encrypted = encryption.encrypt('k3m9px', 'pin', 'meeting 1')
  assert.equal(encryption.decrypt(encrypted, 'pin', 'meeting 1'), 'k3m9px')
  for (const owner of ['meeting 2', '', undefined])
    assert.throws(() => encryption.decrypt(encrypted, 'pin', owner), `${owner}`)
  assert.throws(() => encryption.decrypt(encrypted, 'room-key', 'meeting 1'))
})

test('decrypts a value without an owner for none only, and no value of another format', () => {
  const encrypted = encryption.encrypt('k3m9px', 'pin')
  for (const owner of ['meeting 1', '', 'null']) assert.throws(() => encryption.decrypt(encrypted, 'pin', owner), owner)
  encrypted.writeUInt8(2)
  assert.throws(() => encryption.decrypt(encrypted, 'pin'), /not an encrypted value/)
})

test('refuses to decrypt with another key', () => {
  assert.throws(() => createEncryption(Buffer.alloc(32, 8)).decrypt(encryption.encrypt('k3m9px', 'pin'), 'pin'))
})

test('detects a flipped bit anywhere', () => {
  for (const owner of [undefined, 'meeting 1']) {
    const encrypted = encryption.encrypt('k3m9px', 'pin', owner)
    for (let index = 0; index < encrypted.length; index++) {
      for (const bit of [1, 2]) {
        const changed = Buffer.from(encrypted)
        changed.writeUInt8(changed.readUInt8(index) ^ bit, index)
        assert.throws(() => encryption.decrypt(changed, 'pin', owner), `byte ${index}`)
      }
    }
  }
})

test('detects a truncated value, at every length', () => {
  const encrypted = encryption.encrypt('k3m9px', 'pin')
  for (let length = 0; length < encrypted.length; length++) {
    assert.throws(() => encryption.decrypt(encrypted.subarray(0, length), 'pin'), `length ${length}`)
  }
})

test('derives stable keys that differ by purpose and have the requested length', () => {
  const key = encryption.derive('jobs', 48)
  assert.equal(key.length, 48)
  assert.deepEqual(createEncryption(secretKey).derive('jobs', 48), key)
  assert.notDeepEqual(encryption.derive('mails', 48), key)
  assert.deepEqual(key, Buffer.from(hkdfSync('sha256', secretKey, 'parley', 'key jobs', 48)))
})

test('computes a stable mac that depends on purpose, data and key', () => {
  const mac = encryption.mac('cursor', 'page 2')
  assert.equal(mac.length, 32)
  assert.deepEqual(encryption.mac('cursor', Buffer.from('page 2')), mac)
  assert.notDeepEqual(encryption.mac('cursor', 'page 3'), mac)
  assert.notDeepEqual(encryption.mac('link', 'page 2'), mac)
  assert.notDeepEqual(createEncryption(Buffer.alloc(32)).mac('cursor', 'page 2'), mac)
})

test('stays correct with more purposes than are cached', () => {
  const macs = Array.from({ length: 200 }, (_, index) => encryption.mac(`purpose ${index}`, 'x').toString('hex'))
  assert.equal(new Set(macs).size, 200)
  assert.equal(encryption.mac('purpose 199', 'x').toString('hex'), macs[199])
})

test('refuses a key of another length', () => {
  for (const length of [0, 16, 31, 33, 64]) assert.throws(() => createEncryption(Buffer.alloc(length)), RangeError)
})
