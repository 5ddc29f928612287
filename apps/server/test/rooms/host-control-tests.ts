import { defineAuthorityTests } from './authority-tests.ts'
import { type EngineTestApp, setUpEngineMeetings } from './engine-meetings.ts'
import { defineExclusionTests } from './exclusion-tests.ts'
import { defineMuteTests } from './mute-tests.ts'

/**
 * Host actions hold against hostile clients: clients that keep their tokens and sockets, publish without permission,
 * and try every way back. The same tests run against every engine.
 */
export async function defineHostControlTests(testApp: EngineTestApp) {
  const meetings = await setUpEngineMeetings(testApp)
  defineMuteTests(meetings)
  defineExclusionTests(meetings)
  defineAuthorityTests(meetings)
}
