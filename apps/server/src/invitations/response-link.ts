import type { InvitationResponse } from '@parley/contract'

export const responsePath = '/answer/:meetingId/:token/:answer'

export const responseLink = (baseUrl: string, meetingId: string, token: string, answer: InvitationResponse) =>
  `${baseUrl}/answer/${meetingId}/${token}/${answer}`
