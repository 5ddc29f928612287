import { readProfile } from '@parley/contract'
import { momentIn } from '@parley/rules/recurrence/wall-time'
import { Type } from 'typebox'
import { defineTool, toolInput } from './tool.ts'
import { findZone, moment } from './tool-fields.ts'

export const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I, and what time is it?',
  description:
    'The name and time zone of the person you act for, and the current date, weekday and time there. Call it first, to understand “tomorrow” or “on Monday”.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({}),
  output: Type.Object({
    name: Type.String({ description: 'Name of the person' }),
    timeZone: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'IANA time zone of the profile; null when the person has set none: ask for it',
      examples: ['Europe/Berlin'],
    }),
    now: moment({ description: 'The current time in the person’s zone, or in UTC where none is set' }),
  }),
  uses: () => [readProfile],
  async run(context) {
    const { name, lname } = await context.call(readProfile, {})
    const timeZone = findZone(context, undefined)
    const now = momentIn(timeZone ?? 'UTC', context.now)
    const fullName = `${name} ${lname}`.trim()
    const where = timeZone ?? 'UTC; the person has set no time zone'
    return {
      kind: 'done',
      sentence: `You act for ${fullName}; it is ${now.weekday}, ${now.local.replace('T', ' ')} (${where}).`,
      result: { name: fullName, timeZone: timeZone ?? null, now },
    }
  },
})
