import {
  type InvitationResponse,
  invitationResponses,
  type ResponseCounts,
  type SingleMeetingReply,
} from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'

type Invited = SingleMeetingReply['participants'][number]
type InvitedPeople = Pick<SingleMeetingReply, 'participants' | 'cohosts' | 'cohostDetails'>

/** Every invited person once: cohosts who are not participants come first. */
export function invitedPeople({ participants, cohostDetails }: InvitedPeople): Invited[] {
  const keys = new Set(participants.map(({ email }) => addressKey(email)))
  return [...cohostDetails.filter(({ email }) => !keys.has(addressKey(email))), ...participants]
}

/** A person's invitation; undefined for the host and for people who are not invited. */
export const invitationOf = ({ email }: { email: string }, meeting: InvitedPeople): Invited | undefined =>
  invitedPeople(meeting).find((one) => addressKey(one.email) === addressKey(email))

export type ShownCount = { answer: InvitationResponse | 'none'; count: number }

/** The number of invitations by answer, without zeros; `none` means no answer yet. */
export function countAnswers(people: readonly Pick<Invited, 'response'>[]): ShownCount[] {
  return [...invitationResponses, 'none' as const]
    .map((answer) => ({ answer, count: people.filter(({ response = 'none' }) => response === answer).length }))
    .filter(({ count }) => count > 0)
}

/** The counts in the order in which they are shown, without zeros. */
export const shownCounts = (counts: ResponseCounts): ShownCount[] =>
  [...invitationResponses, 'none' as const]
    .map((answer) => ({ answer, count: counts[answer] }))
    .filter(({ count }) => count > 0)
