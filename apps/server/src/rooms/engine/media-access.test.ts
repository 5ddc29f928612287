import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParticipantInfo_State, TrackSource, TrackType } from '@livekit/protocol'
import { activeState } from '../record-attendance.ts'
import { trackSources } from './media-access.ts'
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
