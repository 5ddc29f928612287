import { type InvitationResponse, invitationResponses, type SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'

type Invited = SingleMeetingReply['participants'][number]
type InvitedPeople = Pick<SingleMeetingReply, 'participants' | 'cohosts' | 'cohostDetails'>

/** Everybody who is invited, each once: cohosts who are no participants come first. */
export function invitedPeople({ participants, cohostDetails }: InvitedPeople): Invited[] {
  const keys = new Set(participants.map(({ email }) => addressKey(email)))
  return [...cohostDetails.filter(({ email }) => !keys.has(addressKey(email))), ...participants]
}

/** The invitation of a person; undefined for the host and for those who are not invited. */
export const invitationOf = ({ email }: { email: string }, meeting: InvitedPeople): Invited | undefined =>
  invitedPeople(meeting).find((one) => addressKey(one.email) === addressKey(email))

type AnswerCount = { answer: InvitationResponse | 'none'; count: number }

/** How many gave each answer, without those that nobody gave; `none` is no answer yet. */
export function countAnswers(people: readonly Pick<Invited, 'response'>[]): AnswerCount[] {
  return [...invitationResponses, 'none' as const]
    .map((answer) => ({ answer, count: people.filter(({ response = 'none' }) => response === answer).length }))
    .filter(({ count }) => count > 0)
}
