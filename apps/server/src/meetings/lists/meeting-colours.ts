import { chooseMeetingColour } from '@parley/contract'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireMeetingId, viewerOf } from '../meeting-access.ts'
import { chooseColour } from './meeting-colour-store.ts'

/** Register the choice of a meeting's colour, which the caller alone sees. */
export function registerMeetingColours({ serve, config }: Dependencies): void {
  serve(chooseMeetingColour, {
    handle: async ({ caller, params, body: { colour }, database }) => {
      const { accountId, addressKey } = viewerOf(caller, config)
      const meetingId = requireMeetingId(params.meetingId)
      if (!(await chooseColour(database, { accountId, addressKey, meetingId, colour })))
        throw problem('meeting_not_found')
      return { colour }
    },
  })
}
