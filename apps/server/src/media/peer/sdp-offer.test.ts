import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offerOf } from '../../../test/media/offers.ts'
import { chooseCodecs, extensionIdsOf } from './codecs.ts'
import { type SectionAnswer, writeAnswer } from './sdp-answer.ts'
import { type OfferedSection, readOffer } from './sdp-offer.ts'

const offer = readOffer(
  offerOf([
    { kind: 'audio', mid: '0', direction: 'recvonly' },
    { kind: 'application', mid: '1', direction: 'sendrecv' },
    {
      kind: 'video',
      mid: '2',
      direction: 'sendonly',
      more: ['a=msid:s camera', 'a=rid:q send', 'a=rid:h send', 'a=simulcast:send q;h'],
    },
    {
      kind: 'audio',
      mid: '3',
      direction: 'sendonly',
      more: ['a=msid:- voice', 'a=ssrc:5 cname:x', 'a=ssrc:5 msid:- voice'],
    },
    {
      kind: 'video',
      mid: '4',
      direction: 'sendonly',
      more: ['a=ssrc-group:FID 6 7', 'a=ssrc:6 cname:x', 'a=ssrc:7 cname:x'],
    },
  ]),
)

test('reads from an offer what each section sends, and how', () => {
  assert.deepEqual([offer.usernameFragment, offer.fingerprints], ['abcd', [{ algorithm: 'sha-256', value: 'AA:BB' }]])
  const read = offer.sections.map(({ kind, mid, direction, trackId, rids, ssrcs }) => [
    kind,
    mid,
    direction,
    trackId,
    rids,
    ssrcs,
  ])
  assert.deepEqual(read, [
    ['audio', '0', 'recvonly', undefined, [], []],
    ['application', '1', 'sendrecv', undefined, [], []],
    ['video', '2', 'sendonly', 'camera', ['q', 'h'], []],
    ['audio', '3', 'sendonly', 'voice', [], [{ ssrc: 5, rtxSsrc: undefined }]],
    ['video', '4', 'sendonly', undefined, [], [{ ssrc: 6, rtxSsrc: 7 }]],
  ])
})

test('selects the codecs that can be forwarded, in order of preference', () => {
  const section = offer.sections[2]
  assert.ok(section !== undefined)
  const types = (preferred?: string) =>
    chooseCodecs(section, preferred).map(({ name, payloadType, rtxPayloadType }) => [name, payloadType, rtxPayloadType])
  const vp8 = ['vp8', 96, 97]
  const h264 = ['h264', 108, 109]
  assert.deepEqual(types(), [vp8, h264])
  assert.deepEqual(types('h264'), [h264, vp8])
  assert.deepEqual(types('av1'), [vp8, h264])
  assert.deepEqual(extensionIdsOf(section), { mid: 4, rid: 10, absoluteSendTime: 2 })
})

const transport = {
  credentials: { usernameFragment: 'ufrag', password: 'pwd' },
  fingerprint: 'CC:DD',
  addresses: ['192.0.2.1', '2001:db8::1'],
  port: 40_000,
}
const stream = { ssrc: 11, rtxSsrc: 12, streamId: 'PA_1|camera', trackId: 'TR_1' }

test('an answer states what each section receives or sends, and the transport in the first one', () => {
  const answers: Record<string, (section: OfferedSection) => SectionAnswer> = {
    0: (section) => ({ kind: 'send', codecs: chooseCodecs(section), extensions: extensionIdsOf(section), stream }),
    1: () => ({ kind: 'data' }),
    2: (section) => ({
      kind: 'receive',
      codecs: chooseCodecs(section),
      extensions: extensionIdsOf(section),
      opus: { stereo: false, silenceSuppressed: false },
    }),
    3: (section) => ({
      kind: 'receive',
      codecs: chooseCodecs(section),
      extensions: extensionIdsOf(section),
      opus: { stereo: true, silenceSuppressed: true },
    }),
    4: () => ({ kind: 'reject' }),
  }
  const sdp = writeAnswer(offer, (section) => answers[section.mid]?.(section) ?? { kind: 'reject' }, transport, 3)
  const [session = '', ...sections] = sdp.split(/(?=^m=)/m)
  assert.match(session, /a=group:BUNDLE 0 1 2 3\r\n/)
  assert.match(session, /a=ice-lite/)
  const [sent = '', data = '', received = '', voice = '', rejected = ''] = sections
  assert.match(sent, /^m=audio 9 UDP\/TLS\/RTP\/SAVPF 111\r\n/)
  assert.match(sent, /a=sendonly\r\n[\s\S]*a=msid:PA_1\|camera TR_1\r\na=ssrc:11 cname:PA_1\|camera\r\n/)
  assert.match(sent, /a=candidate:1 1 udp 2130706431 192\.0\.2\.1 40000 typ host\r\n/)
  assert.match(sent, /a=fmtp:111 minptime=10;useinbandfec=1\r\n/)
  assert.match(data, /^m=application 9 UDP\/DTLS\/SCTP webrtc-datachannel\r\n[\s\S]*a=sctp-port:5000/)
  assert.match(
    received,
    /a=recvonly[\s\S]*a=rtcp-fb:96 transport-cc\r\n[\s\S]*a=rid:q recv\r\na=rid:h recv\r\na=simulcast:recv q;h\r\n/,
  )
  assert.doesNotMatch(received, /AV1|goog-remb|packetization-mode=0|candidate/)
  assert.match(voice, /a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1;stereo=1\r\n/)
  assert.match(rejected, /^m=video 0 /)
})

test('a video that is sent has a stream for retransmissions', () => {
  const sdp = writeAnswer(
    offer,
    (section) => ({ kind: 'send', codecs: chooseCodecs(section), extensions: {}, stream }),
    transport,
    1,
  )
  assert.match(sdp, /a=ssrc-group:FID 11 12\r\na=ssrc:11 cname:\S+\r\na=ssrc:12 cname:/)
  // The client reports arrivals, and its own estimate only where it cannot.
  assert.match(sdp, /a=rtcp-fb:96 transport-cc/)
  assert.doesNotMatch(sdp, /goog-remb/)
})

const section = (mid: number) => ({ kind: 'audio', mid: String(mid), direction: 'recvonly' }) as const
const sections = (count: number) => offerOf(Array.from({ length: count }, (_, mid) => section(mid)))

test('an offer has named sections, at most as many as a large room needs', () => {
  assert.equal(readOffer(sections(320)).sections.length, 320)
  assert.throws(() => readOffer(sections(321)))
  assert.throws(() => readOffer(offerOf([])))
  assert.throws(() => readOffer(offerOf([section(1), section(1)])))
  assert.throws(() => readOffer(offerOf([{ ...section(1), mid: 'with space' }])))
  assert.throws(() => readOffer(offerOf([{ ...section(1), more: Array(100).fill('a=rtpmap:1 x/1') }])))
  assert.throws(() => readOffer('\n'.repeat(40_000)))
})
