import { timingSafeEqual } from 'node:crypto'
import type { InvitationResponse } from '@parley/contract'
import type { SealedBox } from '../platform/sealed-box.ts'

type Guest = { meetingId: string; addressKey: string }

/** 144 bits: nobody guesses one, and the link still fits a line. */
const tokenBytes = 18

/**
 * What proves that somebody got an invitation: bound to the meeting and the address, so that every mail about the meeting
 * carries the same, and an old one still works after an update. It records an answer, and opens nothing.
 */
export const answerToken = (box: SealedBox, { meetingId, addressKey }: Guest): string =>
  macOf(box, meetingId, addressKey).toString('base64url')

/** Whose token it is, of these guests of the meeting. Links do not carry the address itself, which logs would show. */
export function guestOfToken<Person extends { addressKey: string }>(
  box: SealedBox,
  meetingId: string,
  token: string,
  guests: readonly Person[],
): Person | undefined {
  const sent = Buffer.from(token, 'base64url')
  if (sent.length !== tokenBytes) return undefined
  return guests.find(({ addressKey }) => timingSafeEqual(sent, macOf(box, meetingId, addressKey)))
}

const macOf = (box: SealedBox, meetingId: string, addressKey: string) =>
  box.mac('answer link', JSON.stringify([meetingId, addressKey])).subarray(0, tokenBytes)

export const answerPath = '/answer/:meetingId/:token/:answer'

export const answerLink = (baseUrl: string, meetingId: string, token: string, answer: InvitationResponse) =>
  `${baseUrl}/answer/${meetingId}/${token}/${answer}`
