import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrackInfo } from '@livekit/protocol'
import { offerOf, type SectionForTests } from '../../../test/media/offers.ts'
import { secureRandom } from '../../platform/random.ts'
import { readOffer } from '../peer/sdp-offer.ts'
import { Publication } from './publication.ts'
import { SubscribedTracks } from './subscribed-tracks.ts'

const createSubscriptions = () =>
  new SubscribedTracks(secureRandom, {
    isOpen: true,
    recordSent: () => 0,
    sendRtp() {},
    sendRtcp() {},
    removeStream() {},
  })

function track(sid: string, kind: 'audio' | 'video'): Publication {
  const info = new TrackInfo({ sid, stream: 'camera' })
  const publisher = { sid: `PA_${sid}`, identity: sid }
  return new Publication({
    info,
    publisher,
    mid: '0',
    kind,
    codecs: [],
    extensions: {},
    rids: [],
    sendKeyframeRequest() {},
  })
}

/** A client that offers what it is asked for, as livekit-client does. */
class Client {
  readonly subscriptions = createSubscriptions()
  readonly sections: SectionForTests[] = []

  add(kind: 'audio' | 'video', count: number): void {
    for (let added = 0; added < count; added++) {
      this.sections.push({ kind, mid: String(this.sections.length), direction: 'recvonly' })
    }
  }

  /** The answer for each section: a track, or nothing sent. */
  offer(): string[] {
    const { sections } = readOffer(offerOf(this.sections))
    this.subscriptions.beginAnswer(sections)
    return sections.map((section) => {
      const answer = this.subscriptions.answer(section)
      return answer.kind === 'send' ? answer.stream.trackId : answer.kind
    })
  }

  /** Offer until nothing more is requested; fails when that takes long. */
  finish(): string[] {
    let answers = this.offer()
    for (let round = 0; round < 5; round++) {
      const asked = this.subscriptions.takeRequirement()
      if (asked === undefined) return answers
      this.add('audio', asked.numAudios)
      this.add('video', asked.numVideos)
      answers = this.offer()
    }
    throw new Error('It does not settle')
  }
}

test('assigns tracks to sections of their kind, and requests missing sections once', () => {
  const client = new Client()
  client.add('audio', 1)
  for (const sid of ['a1', 'a2', 'a3']) client.subscriptions.add(track(sid, 'audio'))
  client.subscriptions.add(track('v1', 'video'))
  assert.deepEqual(client.offer(), ['a1'])
  assert.deepEqual(client.subscriptions.midToTrackId(), { 0: 'a1' })
  assert.deepEqual(client.subscriptions.takeRequirement(), { numAudios: 2, numVideos: 1 })
  // Until the next offer only later tracks are requested.
  client.subscriptions.add(track('v2', 'video'))
  assert.deepEqual(client.subscriptions.takeRequirement(), { numAudios: 0, numVideos: 1 })
  client.add('audio', 2)
  client.add('video', 2)
  assert.deepEqual(client.offer(), ['a1', 'a2', 'a3', 'v1', 'v2'])
  assert.equal(client.subscriptions.takeRequirement(), undefined)
})

test('reassigns a section to another track after an answer in which nothing is sent', () => {
  const client = new Client()
  client.add('video', 1)
  const [first, second] = [track('v1', 'video'), track('v2', 'video')]
  client.subscriptions.add(first)
  assert.deepEqual(client.offer(), ['v1'])
  const [before] = client.subscriptions.all
  client.subscriptions.remove(first)
  client.subscriptions.add(second)
  assert.deepEqual(client.offer(), ['inactive'])
  assert.deepEqual(client.subscriptions.takeRequirement(), { numAudios: 0, numVideos: 0 })
  assert.deepEqual(client.offer(), ['v2'])
  const [after] = client.subscriptions.all
  assert.notEqual(before?.ssrc, after?.ssrc)
})

test('a hundred participants who join and leave need no more sections than two at a time', () => {
  const client = new Client()
  client.add('audio', 1)
  let before: Publication[] = []
  for (let guest = 0; guest < 100; guest++) {
    const tracks = [track(`a${guest}`, 'audio'), track(`v${guest}`, 'video')]
    for (const one of tracks) client.subscriptions.add(one)
    const answers = client.finish()
    for (const { sid } of tracks) assert.ok(answers.includes(sid), sid)
    for (const one of before) client.subscriptions.remove(one)
    before = tracks
  }
  assert.equal(client.sections.length, 4)
})

test('a section that is no longer offered releases its track', () => {
  const client = new Client()
  client.add('audio', 2)
  client.subscriptions.add(track('a1', 'audio'))
  assert.deepEqual(client.offer(), ['a1', 'inactive'])
  client.sections[0] = { kind: 'audio', mid: '0', direction: 'inactive' }
  const { sections } = readOffer(offerOf(client.sections))
  client.subscriptions.beginAnswer(sections)
  const [, other] = sections
  assert.ok(other !== undefined)
  assert.equal(client.subscriptions.answer(other).kind, 'send')
  assert.deepEqual(client.subscriptions.midToTrackId(), { 1: 'a1' })
})
