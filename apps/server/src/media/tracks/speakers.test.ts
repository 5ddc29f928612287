import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpeakerInfo, SpeakersChanged, TrackInfo } from '@livekit/protocol'
import { Publication } from './publication.ts'
import { Speakers, speakersAmong, speechLevel } from './speakers.ts'

const levels = [
  ['a door', [10, 10, 10, 10, 10], 0],
  ['a loud voice', Array(6).fill(0), 1],
  ['a voice', Array(20).fill(20), 0.125],
  ['a voice close by', Array(20).fill(6), 0.625],
] as const
for (const [what, loud, level] of levels) {
  test(`${what} has the level ${level}`, () => assert.equal(speechLevel(loud), level))
}

function microphone(sid: string, person: string): Publication {
  const info = new TrackInfo({ sid })
  const publisher = { sid: person, identity: person }
  return new Publication({
    info,
    publisher,
    mid: '0',
    kind: 'audio',
    codecs: [],
    extensions: {},
    rids: [],
    sendKeyframeRequest() {},
  })
}

test('reports once each when a participant begins to speak, continues, and stops', () => {
  const speakers = new Speakers()
  const alice = microphone('TR_1', 'PA_alice')
  const bob = microphone('TR_2', 'PA_bob')
  for (const one of [alice, bob]) speakers.watch(one)
  const speak = (one: Publication, level: number) => {
    for (let packet = 0; packet < 20; packet++) one.onAudioLevel?.(level, 0)
  }
  const changes = () => speakers.takeChanges()?.speakers.map(({ sid, level, active }) => [sid, level, active])
  speak(alice, 6)
  speak(bob, 36)
  assert.deepEqual(changes(), [['PA_alice', 0.625, true]])
  speak(alice, 6)
  assert.equal(changes(), undefined)
  speak(bob, 35)
  assert.deepEqual(changes(), [
    ['PA_bob', 0.125, true],
    ['PA_alice', 0, false],
  ])
  speak(bob, 35)
  speakers.unwatch(bob)
  assert.deepEqual(changes(), [['PA_bob', 0, false]])
})

test('a participant learns who speaks among those it hears, and who no longer speaks', () => {
  const speakers = [
    new SpeakerInfo({ sid: 'PA_alice', level: 0.5, active: true }),
    new SpeakerInfo({ sid: 'PA_bob', level: 0.5, active: true }),
    new SpeakerInfo({ sid: 'PA_carol', level: 0, active: false }),
  ]
  const received = (changed: SpeakerInfo[], ...sids: string[]) =>
    speakersAmong(new SpeakersChanged({ speakers: changed }), (sid) => sids.includes(sid))?.speakers.map(
      ({ sid }) => sid,
    )
  assert.deepEqual(received(speakers, 'PA_alice'), ['PA_alice', 'PA_carol'])
  assert.equal(received(speakers.slice(0, 2)), undefined)
})
