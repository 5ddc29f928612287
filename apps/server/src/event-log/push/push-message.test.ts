import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReceiver } from '../../../test/push-service.ts'
import { encryptPushMessage, publicKeyOf, readReceiverKeys } from './push-message.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

/** RFC 8291, 5 and Appendix A. */
const rfc = {
  plaintext: 'When I grow up, I want to be a watermelon',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y' +
    'l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('encrypts the example of RFC 8291 to the same bytes', () => {
  const { p256dh, auth } = rfc
  const keys = readReceiverKeys({ p256dh, auth })
  assert.ok(keys)
  assert.equal(publicKeyOf(bytes(rfc.privateKey)).toString('base64url'), rfc.publicKey)
  const ephemeral = { privateKey: bytes(rfc.privateKey), salt: bytes(rfc.salt) }
  const message = encryptPushMessage(Buffer.from(rfc.plaintext), keys, ephemeral)
  assert.equal(message.toString('base64url'), rfc.message)
})

test('refuses keys that are no point of the curve, or no secret of 16 bytes', () => {
  const { p256dh, auth } = rfc
  const other = `${p256dh.slice(0, -4)}AAAA`
  for (const keys of [
    { p256dh: other, auth },
    { p256dh: 'AAAA', auth },
    { p256dh, auth: 'AAAA' },
    { p256dh: '', auth },
    { p256dh: Buffer.alloc(65).toString('base64url'), auth },
  ]) {
    assert.equal(readReceiverKeys(keys), undefined)
  }
})

test('a message of the largest size that a topic and a name can have fits into one record', async () => {
  const receiver = await createReceiver()
  const keys = readReceiverKeys(receiver.keys)
  assert.ok(keys)
  const plaintext = '🎉'.repeat(900)
  const ephemeral = { privateKey: Buffer.alloc(32, 7), salt: Buffer.alloc(16, 9) }
  const message = encryptPushMessage(Buffer.from(plaintext), keys, ephemeral)
  assert.ok(message.length <= 4_096)
  assert.equal(await receiver.decrypt(message), plaintext)
})
