import { defineAuthorityTests } from './authority-tests.ts'
import { type EngineStage, setUpEngineMeetings } from './engine-meetings.ts'
import { defineExclusionTests } from './exclusion-tests.ts'
import { defineMuteTests } from './mute-tests.ts'

/**
 * Host actions hold against hostile clients: clients that keep their tokens and sockets, publish without permission,
 * and try every way back. The same tests run against every engine.
 */
export async function defineHostControlTests(stage: EngineStage) {
  const meetings = await setUpEngineMeetings(stage)
  defineMuteTests(meetings)
  defineExclusionTests(meetings)
  defineAuthorityTests(meetings)
}
