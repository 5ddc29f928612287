import { type Codec, type ExtensionIds, extensionUris, mimeTypeOf } from './codecs.ts'
import { maxMessageLength } from './data-channels.ts'
import type { IceCredentials } from './ice-lite.ts'
import type { Offer, OfferedSection } from './sdp-offer.ts'

/** A stream that the server sends in a section of the client's offer. */
type SentStream = {
  ssrc: number
  rtxSsrc: number
  /** The client synchronizes tracks of one stream id, such as a participant's microphone and camera. */
  streamId: string
  trackId: string
}

/** Opus parameters of a received track (RFC 7587, 6.1). */
type OpusOptions = { stereo: boolean; silenceSuppressed: boolean }

export type SectionAnswer =
  | { kind: 'receive'; codecs: readonly Codec[]; extensions: ExtensionIds; opus: OpusOptions }
  | { kind: 'send'; codecs: readonly Codec[]; extensions: ExtensionIds; stream: SentStream }
  | { kind: 'inactive'; codecs: readonly Codec[]; extensions: ExtensionIds }
  | { kind: 'data' }
  | { kind: 'reject' }

type LocalTransport = {
  credentials: IceCredentials
  /** SHA-256 of our certificate. */
  fingerprint: string
  addresses: readonly string[]
  port: number
}

/** Write the answer to an offer (RFC 8829, 5.3.1) of a lite ICE agent, with all sections in one bundle. */
export function writeAnswer(
  offer: Offer,
  answerTo: (section: OfferedSection) => SectionAnswer,
  transport: LocalTransport,
  version: number,
): string {
  const answers = offer.sections.map((section) => ({ section, answer: answerTo(section) }))
  const bundled = answers.filter(({ answer }) => answer.kind !== 'reject').map(({ section }) => section.mid)
  const lines = [
    'v=0',
    `o=- 1 ${version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${bundled.join(' ')}`,
    'a=ice-lite',
    'a=extmap-allow-mixed',
    'a=msid-semantic:WMS *',
    ...answers.flatMap(({ section, answer }) => [
      ...writeSection(section, answer, transport),
      // The first section of the bundle has the candidates.
      ...(section.mid === bundled[0] ? writeCandidates(transport) : []),
    ]),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function writeSection(section: OfferedSection, answer: SectionAnswer, transport: LocalTransport): string[] {
  const { kind, mid, protocolAndFormats } = section
  const medium = kind === 'other' ? 'application' : kind
  if (answer.kind === 'reject') {
    return [`m=${medium} 0 ${protocolAndFormats}`, 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive']
  }
  const shared = [
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${transport.credentials.usernameFragment}`,
    `a=ice-pwd:${transport.credentials.password}`,
    `a=fingerprint:sha-256 ${transport.fingerprint}`,
    'a=setup:passive',
  ]
  if (answer.kind === 'data') {
    const data = ['a=sctp-port:5000', `a=max-message-size:${maxMessageLength}`]
    return [`m=${medium} 9 ${protocolAndFormats}`, ...shared, ...data]
  }
  const types = answer.codecs.flatMap(({ payloadType, rtxPayloadType }) => [payloadType, rtxPayloadType ?? []].flat())
  return [
    `m=${medium} 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    ...shared,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    `a=${answer.kind === 'receive' ? 'recvonly' : answer.kind === 'send' ? 'sendonly' : 'inactive'}`,
    ...answer.codecs.flatMap((codec) => writeCodec(section, codec, answer)),
    // Accept all in every section: Chromium stops offering an extension in later sections once one section refused it.
    ...Object.entries(answer.extensions).map(
      ([name, id]) => `a=extmap:${id} ${extensionUris[name as keyof typeof extensionUris]}`,
    ),
    ...(answer.kind === 'receive' ? writeLayers(section) : []),
    ...(answer.kind === 'send' ? writeStream(answer.stream, answer.codecs) : []),
  ]
}

function writeCodec(section: OfferedSection, codec: Codec, answer: SectionAnswer): string[] {
  const { name, payloadType, rtxPayloadType, parameters } = codec
  const offered = section.codecs.find((codec) => codec.payloadType === payloadType)?.feedback ?? []
  const rtpmap = name === 'opus' ? 'opus/48000/2' : `${mimeTypeOf(name).slice('video/'.length)}/90000`
  const ours = name === 'opus' ? opusParameters(answer) : parameters
  return [
    `a=rtpmap:${payloadType} ${rtpmap}`,
    ...(ours === '' ? [] : [`a=fmtp:${payloadType} ${ours}`]),
    ...(answer.kind === 'receive' ? feedbackOnReceived : feedbackOnSent)
      .filter((feedback) => offered.includes(feedback) && (name !== 'opus' || feedback === 'transport-cc'))
      .filter((feedback) => feedback !== 'goog-remb' || !offered.includes('transport-cc'))
      .map((feedback) => `a=rtcp-fb:${payloadType} ${feedback}`),
    ...(rtxPayloadType === undefined
      ? []
      : [`a=rtpmap:${rtxPayloadType} rtx/90000`, `a=fmtp:${rtxPayloadType} apt=${payloadType}`]),
  ]
}

/**
 * Both sides report arrival times. Clients that cannot send their own estimate (REMB), which says nothing about audio
 * and little about a line that is not full.
 */
const feedbackOnReceived = ['transport-cc', 'ccm fir', 'nack', 'nack pli']
const feedbackOnSent = ['transport-cc', 'goog-remb', 'ccm fir', 'nack', 'nack pli']
/** In-band FEC repairs a lost packet from the one after it. */
const opusParameters = (answer: SectionAnswer) =>
  [
    'minptime=10',
    'useinbandfec=1',
    ...(answer.kind === 'receive' && answer.opus.silenceSuppressed ? ['usedtx=1'] : []),
    ...(answer.kind === 'receive' && answer.opus.stereo ? ['stereo=1'] : []),
  ].join(';')

const writeLayers = ({ rids }: OfferedSection) =>
  rids.length === 0 ? [] : [...rids.map((rid) => `a=rid:${rid} recv`), `a=simulcast:recv ${rids.join(';')}`]

function writeStream(stream: SentStream, codecs: readonly Codec[]): string[] {
  const { ssrc, rtxSsrc, streamId, trackId } = stream
  const repaired = codecs.some(({ rtxPayloadType }) => rtxPayloadType !== undefined)
  return [
    `a=msid:${streamId} ${trackId}`,
    ...(repaired ? [`a=ssrc-group:FID ${ssrc} ${rtxSsrc}`] : []),
    ...(repaired ? [ssrc, rtxSsrc] : [ssrc]).map((source) => `a=ssrc:${source} cname:${streamId}`),
  ]
}

function writeCandidates({ addresses, port }: LocalTransport): string[] {
  return [
    ...addresses.map((address, index) => {
      // RFC 8445, 5.1.2.1, for type host; the addresses are in the order of preference.
      const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255
      return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`
    }),
    'a=end-of-candidates',
  ]
}
