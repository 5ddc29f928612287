import type { MeetingRequest } from '@parley/contract'
import { violationAt } from '@parley/rules/text/violation'
import type { Caller } from '../access/caller.ts'
import { invalidRequest } from '../platform/http/problem.ts'
import type { SignedValues } from './signed-value.ts'

/** What a person is shown before a meeting is scheduled: exactly what `createMeeting` is then sent. */
type Proposed = { meeting: MeetingRequest; mailsParticipants: boolean }

/** Long enough to read a proposal and answer, and short enough that calendars have hardly changed. */
const lifetimeMs = 10 * 60_000

/** Proposals of one caller, through one app: no other can use them. */
export type Proposals = {
  make(proposed: Proposed): { proposal: string; expiresAt: Date }
  /**
   * `key` is the same for the same proposal, and makes its use idempotent.
   * @throws invalid_request for a proposal that was changed, is another caller's, or has expired
   */
  read(proposal: string): Proposed & { key: string }
}

export function createProposals(signed: SignedValues, caller: Caller, now: Date): Proposals {
  const binding = bindingOf(caller)
  return {
    make(proposed) {
      const expiresAt = new Date(now.getTime() + lifetimeMs)
      return { proposal: signed.sign(proposed, expiresAt, binding), expiresAt }
    },
    read(proposal) {
      const reading = signed.read(proposal, now, binding)
      switch (reading.kind) {
        case 'changed':
          throw invalidProposal('changed', 'was changed, or was made for another person or app')
        case 'expired':
          throw invalidProposal('expired', `has expired at ${reading.at.toISOString()}`)
        case 'valid':
          // Signed by this service, so it has the type that was signed.
          return { ...(reading.content as Proposed), key: `proposal ${reading.id}` }
      }
    },
  }
}

/** The account, and the grant or the credential that acts for it. */
export function bindingOf({ accountId, credential }: Caller): readonly string[] {
  switch (credential.kind) {
    case 'oauth':
      return [accountId, credential.kind, credential.grantId]
    case 'personal':
      return [accountId, credential.kind, credential.tokenId]
    case 'session':
      return [accountId, credential.kind, credential.sessionId]
  }
}

const invalidProposal = (code: string, reason: string) =>
  invalidRequest([
    violationAt('/proposal', {
      code,
      message: `${reason}. Call propose_meeting again, and show the person the new proposal`,
    }),
  ])
