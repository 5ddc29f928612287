import type { OfferedCodec, OfferedSection } from './sdp-offer.ts'

/** The codecs that are forwarded. VP9 and AV1 would need layer selection of their own. */
export type CodecName = 'opus' | 'vp8' | 'h264'

export type Codec = {
  name: CodecName
  clockRate: number
  /** The client's payload types for it and for its retransmissions (RFC 4588). */
  payloadType: number
  rtxPayloadType: number | undefined
  /** The parameters, as the client offered them. */
  parameters: string
}

const rtpmaps: Record<CodecName, string> = { opus: 'opus/48000/2', vp8: 'vp8/90000', h264: 'h264/90000' }
const byKind = { audio: ['opus'], video: ['vp8', 'h264'] } as const

export const mimeTypeOf = (codec: CodecName) =>
  codec === 'opus' ? 'audio/opus' : codec === 'vp8' ? 'video/VP8' : 'video/H264'

/** Choose codecs from an offered section, in the order of preference; empty if none is supported. */
export function chooseCodecs(section: OfferedSection, preferred?: string): Codec[] {
  if (section.kind !== 'audio' && section.kind !== 'video') return []
  const chosen = byKind[section.kind].flatMap((name) => {
    const offered = section.codecs.find((codec) => codec.name === rtpmaps[name] && isForwarded(name, codec))
    if (offered === undefined) return []
    const { payloadType, parameters } = offered
    const clockRate = name === 'opus' ? 48_000 : 90_000
    return [{ name, clockRate, payloadType, rtxPayloadType: retransmissionOf(section, payloadType), parameters }]
  })
  return chosen.sort((a, b) => Number(b.name === preferred) - Number(a.name === preferred))
}

/**
 * Forward H.264 only in the constrained baseline profile, which every browser decodes, and in non-interleaved mode (RFC
 * 6184, 6.3).
 */
const isForwarded = (name: CodecName, { parameters }: OfferedCodec) =>
  name !== 'h264' || (/packetization-mode=1/.test(parameters) && /profile-level-id=42e0/i.test(parameters))

const retransmissionOf = ({ codecs }: OfferedSection, payloadType: number) =>
  codecs.find(({ name, parameters }) => name.startsWith('rtx/') && parameters === `apt=${payloadType}`)?.payloadType

export const extensionUris = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repairedRid: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  absoluteSendTime: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  orientation: 'urn:3gpp:video-orientation',
  transportSequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
} as const

/** The client's ids of the header extensions. */
export type ExtensionIds = { readonly [name in keyof typeof extensionUris]?: number }

export function extensionIdsOf({ extensions }: OfferedSection): ExtensionIds {
  const entries = Object.entries(extensionUris).flatMap(([name, uri]) => {
    const id = extensions.get(uri)
    return id === undefined ? [] : [[name, id]]
  })
  return Object.fromEntries(entries)
}
