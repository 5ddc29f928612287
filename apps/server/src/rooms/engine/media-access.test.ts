import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParticipantInfo_State, TrackSource, TrackType } from '@livekit/protocol'
import { allRights } from '@parley/contract'
import { activeState } from '../record-attendance.ts'
import { permissionFor, topicsFor, trackSources } from './media-access.ts'
import { audioTrack } from './media-events.ts'

test('the numbers in our rules equal those of the protocol', () => {
  assert.deepEqual(trackSources, {
    camera: TrackSource.CAMERA,
    microphone: TrackSource.MICROPHONE,
    screen: TrackSource.SCREEN_SHARE,
    screenAudio: TrackSource.SCREEN_SHARE_AUDIO,
  })
  assert.equal(activeState, ParticipantInfo_State.ACTIVE)
  assert.equal(audioTrack, TrackType.AUDIO)
})

test('each right is a source or a topic; without any source nothing can be published, though an empty list means all', () => {
  const { camera, microphone, screen, screenAudio } = trackSources
  const sources = (changes: object) => permissionFor({ ...allRights, ...changes }).canPublishSources
  assert.deepEqual(sources({}), [camera, screen, microphone, screenAudio])
  assert.deepEqual(sources({ microphone: false }), [camera, screen])
  assert.deepEqual(sources({ screen: false }), [camera, microphone])
  assert.deepEqual(sources({ camera: false, chat: false }), [screen, microphone, screenAudio])
  const none = permissionFor({ ...allRights, microphone: false, camera: false, screen: false })
  assert.deepEqual([none.canPublish, none.canPublishSources, none.canSubscribe], [false, [], true])

  assert.equal(topicsFor(allRights), '')
  assert.equal(topicsFor({ ...allRights, chat: false }), 'parley parley-reactions parley-captions')
  assert.equal(topicsFor({ ...allRights, reactions: false }), 'parley parley-chat parley-captions')
  assert.equal(topicsFor({ ...allRights, chat: false, reactions: false }), 'parley parley-captions')
  assert.equal(topicsFor({ ...allRights, microphone: false }), 'parley parley-chat parley-reactions')
  assert.equal(topicsFor({ ...allRights, microphone: false, chat: false, reactions: false }), 'parley')
})
