import { addressKey, isEmailAddress } from '../text/email-address.ts'
import type { Violation } from '../text/violation.ts'

export const maxParticipants = 1000
export const maxCohosts = 100

/** A person who is invited to a meeting, has the host's rights over it, or both. */
export type Participant = {
  email: string
  addressKey: string
  invited: boolean
  cohost: boolean
}

/** Types checked. Fields that the schema refused are undefined. */
export type SentParticipants = {
  participants?: readonly (string | { email: string | undefined } | undefined)[] | undefined
  cohosts?: readonly (string | undefined)[] | undefined
}

/**
 * Read the participants of a meeting, in request order. Entries with the same address, compared case-insensitively, are
 * one person; the host's own address is dropped.
 */
export function readParticipants(
  sent: SentParticipants,
  hostAddressKey: string,
  violations: Violation[],
): readonly Participant[] {
  const people = new Map<string, Participant>()
  const add = (email: string, path: string, role: 'invited' | 'cohost') => {
    if (!isEmailAddress(email)) {
      violations.push({ path, code: 'bad_format', message: `${path.slice(1)} is not an email address.` })
      return
    }
    const key = addressKey(email)
    if (key === hostAddressKey) return
    const person = people.get(key) ?? { email, addressKey: key, invited: false, cohost: false }
    people.set(key, { ...person, [role]: true })
  }
  sent.participants?.forEach((participant, index) => {
    if (typeof participant === 'string') add(participant, `/participants/${index}`, 'invited')
    else if (participant?.email !== undefined) add(participant.email, `/participants/${index}/email`, 'invited')
  })
  sent.cohosts?.forEach((email, index) => {
    if (email !== undefined) add(email, `/cohosts/${index}`, 'cohost')
  })
  const all = [...people.values()]
  requireAtMost(maxParticipants, 'participants', all.filter((person) => person.invited).length, violations)
  requireAtMost(maxCohosts, 'cohosts', all.filter((person) => person.cohost).length, violations)
  return all
}

function requireAtMost(limit: number, field: string, count: number, violations: Violation[]) {
  if (count <= limit) return
  violations.push({ path: `/${field}`, code: 'too_many', message: `A meeting has at most ${limit} ${field}.` })
}
