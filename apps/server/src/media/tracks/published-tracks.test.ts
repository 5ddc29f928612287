import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddTrackRequest, TrackInfo, TrackSource, TrackType, VideoLayer, VideoQuality } from '@livekit/protocol'
import { offerOf, type SectionForTests } from '../../../test/media/offers.ts'
import { secureRandom } from '../../platform/random.ts'
import { readOffer } from '../peer/sdp-offer.ts'
import { PublishedTracks } from './published-tracks.ts'

const publishingOfAlice = () => new PublishedTracks({ sid: 'PA_alice', identity: 'alice' }, secureRandom, () => {})
const camera = (cid: string, more: Partial<AddTrackRequest> = {}) =>
  new AddTrackRequest({ cid, type: TrackType.VIDEO, source: TrackSource.CAMERA, ...more })
const sends = (cid: string, mid: string, kind: 'audio' | 'video' = 'video', more: string[] = []): SectionForTests => ({
  kind,
  mid,
  direction: 'sendonly',
  more: [`a=msid:stream ${cid}`, ...more],
})
const offer = (...sections: SectionForTests[]) => readOffer(offerOf(sections))

test('a track is published by the offer that adds it, and ended by the one without it', () => {
  const publishing = publishingOfAlice()
  const layers = [
    new VideoLayer({ quality: VideoQuality.MEDIUM, width: 640, height: 360 }),
    new VideoLayer({ quality: VideoQuality.LOW, width: 320, height: 180 }),
  ]
  const info = publishing.addTrack(camera('c1', { layers }))
  assert.ok(info instanceof TrackInfo)
  assert.match(info.sid, /^TR_VC\w{12}$/)
  assert.equal(publishing.all.length, 0)
  const brought = offer(sends('c1', '5', 'video', ['a=rid:q send', 'a=rid:h send']))
  const { begun } = publishing.applyOffer(brought)
  assert.equal(publishing.all[0], begun[0])
  assert.deepEqual(
    begun[0]?.info.layers.map(({ width, rid, spatialLayer }) => [width, rid, spatialLayer]),
    [
      [320, 'q', 0],
      [640, 'h', 1],
    ],
  )
  assert.equal(begun[0]?.info.mimeType, 'video/VP8')
  assert.deepEqual(publishing.applyOffer(brought), { ended: [], begun: [] })
  const { ended } = publishing.applyOffer(offer({ kind: 'video', mid: '5', direction: 'inactive' }))
  assert.deepEqual([ended[0], publishing.all.length], [begun[0], 0])
  // Its name is not valid any more.
  assert.deepEqual(publishing.applyOffer(brought).begun, [])
})

test('does not receive a track that was not announced, or is of another kind', () => {
  const publishing = publishingOfAlice()
  publishing.addTrack(camera('c1'))
  const sections = offer(sends('other', '1'), sends('c1', '2', 'audio'))
  assert.deepEqual(publishing.applyOffer(sections), { ended: [], begun: [] })
  assert.deepEqual(
    sections.sections.map((section) => publishing.answer(section).kind),
    ['inactive', 'inactive'],
  )
})

const refusals: [string, AddTrackRequest][] = [
  ['a camera that is heard', camera('c', { type: TrackType.AUDIO })],
  ['a microphone that is seen', camera('c', { source: TrackSource.MICROPHONE })],
  ['the sound of a screen that is seen', camera('c', { source: TrackSource.SCREEN_SHARE_AUDIO })],
  ['data', camera('c', { type: TrackType.DATA })],
  ['a track without a name for the offer', camera('')],
  ['a name past its limit', camera('c', { name: 'n'.repeat(257) })],
  ['more layers than there are', camera('c', { layers: Array.from({ length: 4 }, () => new VideoLayer()) })],
]
for (const [what, request] of refusals) {
  test(`refuses ${what} as a track`, () => assert.equal(publishingOfAlice().addTrack(request), 'not-a-track'))
}

test('allows eight tracks, and the same request is the same track', () => {
  const publishing = publishingOfAlice()
  const first = publishing.addTrack(camera('c0'))
  for (let track = 1; track < 8; track++) assert.ok(publishing.addTrack(camera(`c${track}`)) instanceof TrackInfo)
  assert.equal(publishing.addTrack(camera('c8')), 'too-many')
  assert.equal(publishing.addTrack(camera('c0')), first)
  assert.ok(first instanceof TrackInfo)
  publishing.remove(first.sid)
  assert.ok(publishing.addTrack(camera('c8')) instanceof TrackInfo)
})

test('withdrawing a right forbids announced as well as published tracks', () => {
  const publishing = publishingOfAlice()
  publishing.addTrack(camera('c1'))
  publishing.applyOffer(offer(sends('c1', '1')))
  publishing.addTrack(camera('c2', { source: TrackSource.SCREEN_SHARE }))
  const sources = (isAllowed: (source: TrackSource) => boolean) =>
    publishing.forbidden(isAllowed).map(({ source }) => source)
  assert.deepEqual(sources(() => false).toSorted(), [TrackSource.CAMERA, TrackSource.SCREEN_SHARE])
  assert.deepEqual(
    sources((source) => source === TrackSource.CAMERA),
    [TrackSource.SCREEN_SHARE],
  )
})
