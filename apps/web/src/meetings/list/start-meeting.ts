import { advancedOptionDefaults, createMeeting } from '@parley/contract'
import { client } from '../../session/client.ts'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { randomKey } from '../../ui/random-key.ts'

/** Long enough for most calls; people who are still inside stay inside. */
const durationMs = 60 * 60_000

/** Create a meeting that begins now, when its host joins it (StartPage.tsx). */
export async function startMeeting(topic: string) {
  const nowMs = readClockMs()
  const { meetingDetails } = await client.call(createMeeting, {
    query: { sendUpdates: 'none' },
    idempotencyKey: randomKey(),
    body: {
      topic,
      description: '',
      startTime: new Date(nowMs).toISOString(),
      endTime: new Date(nowMs + durationMs).toISOString(),
      participants: [],
      isPinEnabled: true,
      advancedOptions: advancedOptionDefaults,
      repeatOptions: { repeat: 'none', timeZone: ownTimeZoneName() },
    },
  })
  return meetingDetails
}
