import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParticipantInfo_State, TrackSource, TrackType } from '@livekit/protocol'
import { activeState } from '../attendance/room-report.ts'
import { audioTrack } from './handle-media-event.ts'
import { trackSources } from './track-sources.ts'

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
