import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RtpHeader, SrtcpSession as WeriftSrtcp, SrtpSession as WeriftSrtp } from 'werift'
import { AEAD_AES_128_GCM, AES128_CM_HMAC_SHA1_80, masterSaltLength } from './srtp-keys.ts'
import { SrtpSession } from './srtp-session.ts'

const keyOf = (seed: number, length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7 + seed) & 0xff))

for (const [name, profile] of [
  ['AEAD_AES_128_GCM', AEAD_AES_128_GCM],
  ['AES128_CM_HMAC_SHA1_80', AES128_CM_HMAC_SHA1_80],
] as const) {
  const salt = masterSaltLength(profile)
  const ours = { key: keyOf(1, 16), salt: keyOf(2, salt) }
  const theirs = { key: keyOf(3, 16), salt: keyOf(4, salt) }
  const pair = () => {
    const keys = {
      localMasterKey: theirs.key,
      localMasterSalt: theirs.salt,
      remoteMasterKey: ours.key,
      remoteMasterSalt: ours.salt,
    }
    return {
      session: new SrtpSession(profile, ours, theirs),
      peer: new WeriftSrtp({ keys, profile }),
      controlPeer: new WeriftSrtcp({ keys, profile }),
    }
  }
  const header = (sequenceNumber: number) =>
    new RtpHeader({ sequenceNumber, timestamp: 9, ssrc: 77, payloadType: 96, version: 2 })
  const payload = Buffer.from('what is said')

  test(`${name}: another implementation reads our packets, past the end of the sequence numbers`, () => {
    const { session, peer } = pair()
    for (const sequenceNumber of [65_534, 65_535, 0, 1]) {
      const head = header(sequenceNumber).serialize(12)
      const opened = peer.decrypt(session.protect(head, payload))
      assert.deepEqual(opened.subarray(12), payload)
    }
  })

  test(`${name}: reads packets of another implementation, once each, in any order`, () => {
    const { session, peer } = pair()
    const packets = [65_534, 65_535, 0, 1].map((one) => peer.encrypt(payload, header(one)))
    const order = [0, 2, 1, 3].map((at) => packets[at] ?? Buffer.alloc(0))
    for (const packet of order) assert.deepEqual(session.unprotect(packet)?.subarray(12), payload)
    for (const packet of order) assert.equal(session.unprotect(packet), undefined)
  })

  test(`${name}: refuses a modified packet, which does not affect later ones`, () => {
    const { session, peer } = pair()
    const packet = peer.encrypt(payload, header(5))
    for (let at = 0; at < packet.length; at++) {
      const touched = Buffer.from(packet)
      touched.writeUInt8(touched.readUInt8(at) ^ 1, at)
      assert.equal(session.unprotect(touched), undefined)
    }
    for (let length = 0; length < packet.length; length++)
      assert.equal(session.unprotect(packet.subarray(0, length)), undefined)
    assert.deepEqual(session.unprotect(packet)?.subarray(12), payload)
  })

  test(`${name}: RTCP works in both directions, and is accepted once`, () => {
    const { session, controlPeer } = pair()
    const report = Buffer.from('80c900010000004d', 'hex')
    const feedback = Buffer.from('81ce00020000004d0000002a', 'hex')
    for (const packet of [report, feedback]) {
      assert.deepEqual(controlPeer.decrypt(session.protectControl(packet)), packet)
      const encrypted = controlPeer.encrypt(packet)
      assert.deepEqual(session.unprotectControl(encrypted), packet)
      assert.equal(session.unprotectControl(encrypted), undefined)
    }
    const encrypted = controlPeer.encrypt(feedback)
    for (let at = 0; at < encrypted.length; at++) {
      const touched = Buffer.from(encrypted)
      touched.writeUInt8(touched.readUInt8(at) ^ 1, at)
      assert.equal(session.unprotectControl(touched), undefined)
    }
  })
}
