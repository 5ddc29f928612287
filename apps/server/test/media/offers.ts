/** Offers as Chromium writes them, reduced to the lines that are parsed. */
const video = [
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 goog-remb',
  'a=rtcp-fb:96 transport-cc',
  'a=rtcp-fb:96 nack',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:104 H264/90000',
  'a=fmtp:104 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f',
  'a=rtpmap:108 H264/90000',
  'a=fmtp:108 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:109 rtx/90000',
  'a=fmtp:109 apt=108',
  'a=rtpmap:45 AV1/90000',
  'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
]
const audio = [
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1;stereo=1',
  'a=rtpmap:63 red/48000/2',
  'a=fmtp:63 111/111',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
]

export type SectionForTests = {
  kind: 'audio' | 'video' | 'application'
  mid: string
  direction: 'sendonly' | 'recvonly' | 'inactive' | 'sendrecv'
  /** Further attributes. */
  more?: readonly string[]
}

export function offerOf(sections: readonly SectionForTests[], usernameFragment = 'abcd'): string {
  const lines = sections.flatMap(({ kind, mid, direction, more = [] }) => [
    kind === 'application'
      ? 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel'
      : `m=${kind} 9 UDP/TLS/RTP/SAVPF ${kind === 'audio' ? '111 63' : '96 97 104 108 109 45'}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=ice-ufrag:${usernameFragment}`,
    'a=ice-pwd:0123456789abcdef01234567',
    'a=fingerprint:sha-256 AA:BB',
    'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
    ...(kind === 'application' ? [] : [`a=${direction}`, ...(kind === 'audio' ? audio : video)]),
    ...more,
  ])
  return `${['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', ...lines].join('\r\n')}\r\n`
}
