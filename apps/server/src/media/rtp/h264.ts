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
