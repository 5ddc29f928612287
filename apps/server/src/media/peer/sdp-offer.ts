/** The parts of an offer (RFC 8866, RFC 8829) that this server answers. */
export type Fingerprint = { algorithm: string; value: string }
type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'
export type OfferedCodec = {
  payloadType: number
  /** The name as in `rtpmap`, `VP8/90000`, but in lower case. */
  name: string
  parameters: string
  feedback: readonly string[]
}
export type OfferedSection = {
  kind: 'audio' | 'video' | 'application' | 'other'
  /** The rest of the `m=` line after the port, which a rejecting answer repeats. */
  protocolAndFormats: string
  mid: string
  rejected: boolean
  direction: Direction
  codecs: readonly OfferedCodec[]
  extensions: ReadonlyMap<string, number>
  /** The RIDs of the simulcast layers that are sent. */
  rids: readonly string[]
  /** The id of the sent track, to which `AddTrackRequest.cid` refers. */
  trackId: string | undefined
  /** The announced streams, each with its retransmission stream. */
  ssrcs: readonly { ssrc: number; rtxSsrc: number | undefined }[]
}
export type Offer = {
  usernameFragment: string
  password: string
  fingerprints: readonly Fingerprint[]
  sections: readonly OfferedSection[]
}

/** A room of 50 participants with three tracks each takes 151. */
const maxSections = 320
const maxLines = 40_000
const maxCodecsPerSection = 100

/** Read an offer. Throw if it is malformed or larger than any client's. */
export function readOffer(sdp: string): Offer {
  const lines = sdp.split(/\r?\n/)
  if (lines.length > maxLines) throw new Error('The description has too many lines')
  const starts = lines.flatMap((line, at) => (line.startsWith('m=') ? [at] : []))
  if (starts.length === 0 || starts.length > maxSections)
    throw new Error('The description has no sections, or too many')
  const session = lines.slice(0, starts[0])
  const parts = starts.map((start, at) => lines.slice(start, starts[at + 1]))
  const sections = parts.map(readSection)
  if (new Set(sections.map(({ mid }) => mid)).size !== sections.length) throw new Error('Two sections have one mid')
  const everywhere = [session, ...parts]
  return {
    usernameFragment: first(everywhere, 'ice-ufrag') ?? '',
    password: first(everywhere, 'ice-pwd') ?? '',
    fingerprints: [...new Set(everywhere.flatMap((some) => values(some, 'fingerprint')))].flatMap((line) => {
      const [algorithm, value] = line.split(' ')
      return algorithm === undefined || value === undefined ? [] : [{ algorithm, value }]
    }),
    sections,
  }
}

function readSection(lines: readonly string[]): OfferedSection {
  const [medium = '', port = '', ...rest] = (lines[0] ?? '').slice(2).split(' ')
  const codecs = readCodecs(lines)
  if (codecs.length > maxCodecsPerSection) throw new Error('A section has too many codecs')
  const mid = values(lines, 'mid')[0]
  if (mid === undefined || !/^[\w.~+-]{1,32}$/.test(mid)) throw new Error('A section has no usable mid')
  return {
    kind: medium === 'audio' || medium === 'video' || medium === 'application' ? medium : 'other',
    protocolAndFormats: rest.join(' '),
    mid,
    // Port 0 is a rejection unless the section is bundle-only (RFC 9143, 6).
    rejected: port === '0' && !lines.includes('a=bundle-only'),
    direction:
      (['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const).find((value) => lines.includes(`a=${value}`)) ??
      'sendrecv',
    codecs,
    extensions: new Map(values(lines, 'extmap').flatMap(readExtmap)),
    rids: values(lines, 'rid').flatMap((line) => (/^([\w-]{1,32}) send\b/.exec(line)?.[1] ?? []) as string | never[]),
    trackId: values(lines, 'msid')[0]?.split(' ')[1],
    ssrcs: readSsrcs(lines),
  }
}

function readCodecs(lines: readonly string[]): OfferedCodec[] {
  const parameters = new Map(values(lines, 'fmtp').map(splitAtSpace))
  const feedback = values(lines, 'rtcp-fb').map(splitAtSpace)
  return values(lines, 'rtpmap').map((line) => {
    const [payloadType, name] = splitAtSpace(line)
    return {
      payloadType: Number(payloadType),
      name: name.toLowerCase(),
      parameters: parameters.get(payloadType) ?? '',
      feedback: feedback.flatMap(([of, value]) => (of === payloadType || of === '*' ? [value] : [])),
    }
  })
}

function readExtmap(line: string): [string, number][] {
  const [, id, uri] = /^(\d{1,3})(?:\/\w+)? (\S+)/.exec(line) ?? []
  return id === undefined || uri === undefined ? [] : [[uri, Number(id)]]
}

function readSsrcs(lines: readonly string[]): OfferedSection['ssrcs'] {
  const retransmitting = new Map(
    values(lines, 'ssrc-group').flatMap((line): [number, number][] => {
      const [, primary, rtx] = /^FID (\d+) (\d+)$/.exec(line) ?? []
      return primary === undefined ? [] : [[Number(primary), Number(rtx)]]
    }),
  )
  const all = new Set(values(lines, 'ssrc').map((line) => Number(splitAtSpace(line)[0])))
  const repairing = new Set(retransmitting.values())
  return [...all].filter((ssrc) => !repairing.has(ssrc)).map((ssrc) => ({ ssrc, rtxSsrc: retransmitting.get(ssrc) }))
}

const values = (lines: readonly string[], name: string) =>
  lines.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []))

const first = (parts: readonly (readonly string[])[], name: string) => parts.flatMap((lines) => values(lines, name))[0]

function splitAtSpace(line: string): [string, string] {
  const at = line.indexOf(' ')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}
