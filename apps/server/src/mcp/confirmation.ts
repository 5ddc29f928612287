import type { Caller } from '../access/caller.ts'
import { bindingOf } from './proposal.ts'
import type { SignedValues } from './signed-value.ts'

/**
 * Whether a person has confirmed an action. `cannot-ask`: the client does not show questions (elicitation), so that its
 * own confirmation by `destructiveHint` has to do.
 */
export type Confirmation = 'cannot-ask' | 'to-ask' | 'confirmed' | 'declined'

/** The key of the question in `inputRequests`, and of the answer in `inputResponses`. */
export const questionKey = 'confirmation'

/** As long as a person may take to answer. */
const lifetimeMs = 10 * 60_000

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
