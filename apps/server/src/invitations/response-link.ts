import type { InvitationResponse } from '@parley/contract'

export const answerPath = '/answer/:meetingId/:token/:answer'

export const answerLink = (baseUrl: string, meetingId: string, token: string, answer: InvitationResponse) =>
  `${baseUrl}/answer/${meetingId}/${token}/${answer}`
