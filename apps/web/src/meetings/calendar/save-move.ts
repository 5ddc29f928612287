import { changeOccurrence, type SingleMeetingReply, splitMeeting, updateMeeting } from '@parley/contract'
import { client } from '../../session/client.ts'
import type { SeriesExtent } from '../ChangeFields.tsx'
import { draftOf, toMeetingRequest } from '../schedule/meeting-draft.ts'
import type { Times } from './moves.ts'
import { followingMoveRequest, seriesMoveRequest } from './moves.ts'

export type MoveRequest = {
  meeting: SingleMeetingReply
  /** The version of the meeting to move; the server refuses another one (412). */
  etag: string
  originalStartTime: string
  times: Times
  extent: SeriesExtent | 'single'
  /** How many dates the series has before this one. */
  countBefore?: number
  sendUpdates: 'all' | 'none'
}

/** Save where a date was moved to. Returns the version of the meeting after it. */
export async function saveMove(request: MoveRequest): Promise<string> {
  const { meeting, etag: ifMatch, originalStartTime, times, extent, countBefore = 0, sendUpdates } = request
  const meetingId = meeting._id
  const query = { sendUpdates }
  const { startTime, endTime } = times
  switch (extent) {
    case 'one': {
      const params = { meetingId, originalStart: originalStartTime }
      return etagOf(client.callForResponse(changeOccurrence, { params, query, body: { startTime, endTime }, ifMatch }))
    }
    case 'single': {
      const scheduled = toMeetingRequest(draftOf(meeting), meeting.repeatOptions.timeZoneIana, meeting)
      const body = { ...scheduled, startTime, endTime }
      return etagOf(client.callForResponse(updateMeeting, { params: { meetingId }, query, body, ifMatch }))
    }
    case 'following': {
      const body = followingMoveRequest(meeting, { originalStartTime, times }, countBefore)
      return etagOf(client.callForResponse(splitMeeting, { params: { meetingId }, query, body, ifMatch }))
    }
    case 'all': {
      const body = seriesMoveRequest(meeting, { originalStartTime, times })
      return etagOf(client.callForResponse(updateMeeting, { params: { meetingId }, query, body, ifMatch }))
    }
  }
}

const etagOf = async (response: Promise<{ headers: Headers }>) => (await response).headers.get('etag') ?? ''
