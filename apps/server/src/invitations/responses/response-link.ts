import type { InvitationResponse } from '@parley/contract'

export const responsePath = '/answer/:meetingId/:token/:answer'
/** `start` is the original start of one occurrence, such as 20300107T090000Z. */
export const occurrenceResponsePath = '/answer/:meetingId/:token/:start/:answer'

type NamedAnswer = {
  meetingId: string
  token: string
  /** The original start of the occurrence that is answered; undefined: the meeting. */
  occurrence: Date | undefined
  answer: InvitationResponse
}

/** The path of a response link. The token is of the same meeting and occurrence. */
export const responseLinkPath = ({ meetingId, token, occurrence, answer }: NamedAnswer): string =>
  ['/answer', meetingId, encodeURIComponent(token), ...(occurrence ? [writeStart(occurrence)] : []), answer].join('/')

/** Undefined where `text` is not what `responseLinkPath` writes. */
export function readStart(text: string): Date | undefined {
  const start = new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return !Number.isNaN(start.getTime()) && writeStart(start) === text ? start : undefined
}

const writeStart = (start: Date): string => start.toISOString().replaceAll(/[-:]|\.\d+/g, '')
