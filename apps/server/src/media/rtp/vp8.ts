/** The VP8 payload descriptor (RFC 7741, 4.2). `at` is an octet offset. */
export type Vp8Descriptor = {
  pictureId: { at: number; bits: 7 | 15; value: number } | undefined
  /** TL0PICIDX, the running index of base layer frames. */
  baseLayerIndex: { at: number; value: number } | undefined
  /** Whether the packet is the first of a keyframe. */
  startsKeyframe: boolean
}

/** Read a payload descriptor; undefined if it is truncated. */
export function readVp8(payload: Buffer): Vp8Descriptor | undefined {
  if (payload.length < 1) return undefined
  const first = payload.readUInt8(0)
  let at = 1
  let pictureId: Vp8Descriptor['pictureId']
  let baseLayerIndex: Vp8Descriptor['baseLayerIndex']
  if ((first & 0x80) !== 0) {
    if (payload.length < 2) return undefined
    const extended = payload.readUInt8(1)
    at = 2
    if ((extended & 0x80) !== 0) {
      if (payload.length < at + 1) return undefined
      const long = (payload.readUInt8(at) & 0x80) !== 0
      if (long && payload.length < at + 2) return undefined
      pictureId = long
        ? { at, bits: 15, value: payload.readUInt16BE(at) & 0x7fff }
        : { at, bits: 7, value: payload.readUInt8(at) }
      at += long ? 2 : 1
    }
    if ((extended & 0x40) !== 0) {
      if (payload.length < at + 1) return undefined
      baseLayerIndex = { at, value: payload.readUInt8(at) }
      at += 1
    }
    if ((extended & 0x30) !== 0) at += 1
  }
  if (payload.length <= at) return undefined
  const startsPartition = (first & 0x10) !== 0 && (first & 0x07) === 0
  return { pictureId, baseLayerIndex, startsKeyframe: startsPartition && (payload.readUInt8(at) & 0x01) === 0 }
}

/** A copy of the payload with other numbers in its descriptor. A 7-bit picture id keeps its length. */
export function renumberVp8(payload: Buffer, found: Vp8Descriptor, pictureId: number, baseLayerIndex: number): Buffer {
  const copy = Buffer.from(payload)
  if (found.pictureId?.bits === 15) copy.writeUInt16BE(0x8000 | (pictureId & 0x7fff), found.pictureId.at)
  if (found.pictureId?.bits === 7) copy.writeUInt8(pictureId & 0x7f, found.pictureId.at)
  if (found.baseLayerIndex !== undefined) copy.writeUInt8(baseLayerIndex & 0xff, found.baseLayerIndex.at)
  return copy
}
