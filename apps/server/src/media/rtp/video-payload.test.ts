import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVp8, renumberVp8, startsH264Keyframe, Vp8Rewriter } from './video-payload.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

const vp8 = [
  ['a keyframe without extensions', '10 00 9d', undefined, undefined, true],
  ['a frame that needs others', '10 01 9d', undefined, undefined, false],
  ['the middle of a keyframe', '00 00 9d', undefined, undefined, false],
  ['the second partition', '11 00 9d', undefined, undefined, false],
  ['a short picture id', '90 80 25 00', 0x25, undefined, true],
  ['a long picture id', '90 80 92 34 00', 0x1234, undefined, true],
  ['with a base layer index and a temporal layer', '90 e0 92 34 07 40 01', 0x1234, 7, false],
] as const
for (const [what, payload, pictureId, baseLayerIndex, startsKeyframe] of vp8) {
  test(`VP8: ${what}`, () => {
    const found = readVp8(hex(payload))
    assert.deepEqual(
      [found?.pictureId?.value, found?.baseLayerIndex?.value, found?.startsKeyframe],
      [pictureId, baseLayerIndex, startsKeyframe],
    )
  })
}

test('returns nothing for truncated VP8', () => {
  for (const payload of ['', '90', '9080', '908092', '90e09234', '90e0923407', '90e092340740']) {
    assert.equal(readVp8(hex(payload)), undefined, payload)
  }
})

test('renumbers VP8 where its numbers are, and nowhere else', () => {
  const payload = hex('90 e0 92 34 07 40 01 aa')
  const found = readVp8(payload)
  assert.ok(found !== undefined)
  assert.deepEqual(renumberVp8(payload, found, 0x7fff, 256), hex('90 e0 ff ff 00 40 01 aa'))
  assert.deepEqual(payload, hex('90 e0 92 34 07 40 01 aa'))
})

test('picture ids of another layer continue where the one before ended', () => {
  const pictures = new Vp8Rewriter()
  const send = (pictureId: number, baseLayerIndex: number, begins = false) => {
    const payload = hex(`90 c0 ${(0x8000 | pictureId).toString(16)} ${baseLayerIndex.toString(16).padStart(2, '0')} 00`)
    const found = readVp8(payload)
    assert.ok(found !== undefined)
    if (begins) pictures.begin(found)
    const sent = readVp8(pictures.rewrite(payload, found))
    return [sent?.pictureId?.value, sent?.baseLayerIndex?.value]
  }
  assert.deepEqual(send(0x7ffe, 254, true), [0x7ffe, 254])
  assert.deepEqual(send(0x7fff, 255), [0x7fff, 255])
  assert.deepEqual(send(100, 10, true), [0, 0])
  assert.deepEqual(send(102, 12), [2, 2])
  assert.deepEqual(send(101, 11), [1, 1])
  assert.deepEqual(send(50, 3, true), [3, 3])
})

const h264 = [
  ['an IDR slice', '65 88', true],
  ['a slice that needs others', '41 9a', false],
  ['sequence parameters', '67 42', true],
  ['an aggregate with sequence parameters', '18 0002 6742 0002 68ce', true],
  ['an aggregate without', '18 0002 419a', false],
  ['the first fragment of an IDR slice', '7c 85', true],
  ['a later fragment of one', '7c 05', false],
  ['an aggregate that is cut short', '18 00', false],
  ['nothing', '', false],
] as const
for (const [what, payload, isKey] of h264) {
  test(`H.264: ${what} ${isKey ? 'begins' : 'does not begin'} a picture of its own`, () =>
    assert.equal(startsH264Keyframe(hex(payload)), isKey))
}
