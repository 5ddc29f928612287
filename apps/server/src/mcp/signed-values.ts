import { timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { MeetingRequest } from '@parley/contract'
import { violationAt } from '@parley/rules/text/violation'
import type { Caller } from '../access/caller.ts'
import type { Encryption } from '../platform/encryption.ts'
import { invalidRequest } from '../platform/http/problem.ts'
import { sha256 } from '../platform/sha256.ts'

type Binding = readonly string[]

type ParsedSignedValue =
  /** `id` is that of the value, however a client has spelled it: base64 has several spellings, and may have spaces. */
  { kind: 'valid'; content: unknown; id: string } | { kind: 'changed' } | { kind: 'expired'; at: Date }

/** Larger than what the largest request of a tool makes of one. */
const maxContentBytes = 2 * 1024 * 1024

/**
 * Sign values that a client keeps for the service, in place of rows: any instance can read them, and no client can change
 * them. Each is bound to a purpose and to `binding`, such as an account, and expires. The client can read them: never put
 * secrets in them.
 */
export function createSignedValues({ mac }: Pick<Encryption, 'mac'>, purpose: string) {
  const macOf = (payload: Buffer, binding: Binding) =>
    mac(purpose, JSON.stringify([binding, payload.toString('base64')]))

  return {
    sign(content: unknown, expiresAt: Date, binding: Binding): string {
      const payload = deflateRawSync(JSON.stringify([expiresAt.getTime(), content]))
      return `${payload.toString('base64url')}.${macOf(payload, binding).toString('base64url')}`
    },
    read(text: string, now: Date, binding: Binding): ParsedSignedValue {
      const [payload = Buffer.alloc(0), sent = Buffer.alloc(0)] = text
        .split('.', 2)
        .map((part) => Buffer.from(part, 'base64url'))
      const expected = macOf(payload, binding)
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return { kind: 'changed' }
      const [expiresAtMs, content] = JSON.parse(
        inflateRawSync(payload, { maxOutputLength: maxContentBytes }).toString('utf8'),
      )
      const at = new Date(expiresAtMs)
      return at <= now ? { kind: 'expired', at } : { kind: 'valid', content, id: sha256(expected).toString('hex') }
    },
  }
}

type SignedValues = ReturnType<typeof createSignedValues>

/** What a person is shown before a meeting is scheduled: exactly what `createMeeting` is then sent. */
type Proposed = { meeting: MeetingRequest; mailsParticipants: boolean }

/**
 * Lifetime of proposals and questions: long enough to read and answer one, and short enough that calendars have hardly
 * changed.
 */
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
      const parsed = signed.read(proposal, now, binding)
      switch (parsed.kind) {
        case 'changed':
          throw invalidProposal('changed', 'was changed, or was made for another person or app')
        case 'expired':
          throw invalidProposal('expired', `has expired at ${parsed.at.toISOString()}`)
        case 'valid':
          // Signed by this service, so it has the type that was signed.
          return { ...(parsed.content as Proposed), key: `proposal ${parsed.id}` }
      }
    },
  }
}

/** Name the account, and the grant or the credential that acts for it. */
function bindingOf({ accountId, credential }: Caller): readonly string[] {
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

/**
 * Whether a person has confirmed an action. `cannot-ask`: the client does not show questions (elicitation), so that its
 * own confirmation by `destructiveHint` has to do.
 */
export type Confirmation = 'cannot-ask' | 'to-ask' | 'confirmed' | 'declined'

/** The key of the question in `inputRequests`, and of the answer in `inputResponses`. */
export const questionKey = 'confirmation'

type Answer = { canAsk: boolean; state: unknown; response: unknown }

/**
 * Questions to the person, whose answer comes with a repeated call (MCP revision 2026-07-28, "Multi Round-Trip
 * Requests"). The state that the client returns is signed and names the action, so that an answer confirms what was
 * asked and nothing else: not other arguments, nor a meeting that has changed meanwhile.
 */
export function createConfirmations(
  signed: SignedValues,
  caller: Caller,
  now: Date,
  { canAsk, state, response }: Answer,
) {
  const bindingTo = (action: unknown) => [...bindingOf(caller), JSON.stringify(action)]
  return {
    confirmation(action: unknown): Confirmation {
      if (!canAsk) return 'cannot-ask'
      if (typeof state !== 'string' || signed.read(state, now, bindingTo(action)).kind !== 'valid') return 'to-ask'
      const { action: answer, content } = Object(response) as { action?: unknown; content?: unknown }
      if (answer === undefined) return 'to-ask'
      return answer === 'accept' && Object(content).confirm === true ? 'confirmed' : 'declined'
    },
    stateOf: (action: unknown): string => signed.sign(null, new Date(now.getTime() + lifetimeMs), bindingTo(action)),
  }
}
