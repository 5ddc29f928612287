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

/**
 * Continues the numbers of VP8's payload descriptor across layers: a decoder discards a frame with a lower picture id.
 */
export class Vp8Rewriter {
  #pictureIdOffset = 0
  #layerIndexOffset = 0
  #last: { pictureId: number; baseLayerIndex: number } | undefined

  /** Continue with this keyframe, after the last numbers. */
  begin(first: Vp8Descriptor): void {
    if (this.#last === undefined) return
    this.#pictureIdOffset = this.#last.pictureId + 1 - (first.pictureId?.value ?? 0)
    this.#layerIndexOffset = this.#last.baseLayerIndex + 1 - (first.baseLayerIndex?.value ?? 0)
  }

  rewrite(payload: Buffer, found: Vp8Descriptor): Buffer {
    const pictureId = ((found.pictureId?.value ?? 0) + this.#pictureIdOffset) & 0x7fff
    const baseLayerIndex = ((found.baseLayerIndex?.value ?? 0) + this.#layerIndexOffset) & 0xff
    const last = this.#last?.pictureId
    const isLater = last === undefined || ((pictureId - last) & 0x7fff) < 0x4000
    if (isLater) this.#last = { pictureId, baseLayerIndex }
    if (this.#pictureIdOffset === 0 && this.#layerIndexOffset === 0) return payload
    return renumberVp8(payload, found, pictureId, baseLayerIndex)
  }
}

const idrSlice = 5
const sequenceParameters = 7
const aggregation = 24
const fragmentUnit = 28

/** Whether a packet starts a keyframe: a single NAL unit, an aggregate, or the first fragment (RFC 6184, 5.4). */
export function startsH264Keyframe(payload: Buffer): boolean {
  if (payload.length < 2) return false
  const type = payload.readUInt8(0) & 0x1f
  if (type === fragmentUnit) {
    const header = payload.readUInt8(1)
    return (header & 0x80) !== 0 && isKey(header & 0x1f)
  }
  if (type !== aggregation) return isKey(type)
  let at = 1
  while (at + 3 <= payload.length) {
    if (isKey(payload.readUInt8(at + 2) & 0x1f)) return true
    at += 2 + payload.readUInt16BE(at)
  }
  return false
}

const isKey = (type: number) => type === idrSlice || type === sequenceParameters
