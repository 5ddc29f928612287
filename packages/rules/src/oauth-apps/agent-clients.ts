import type { AppState } from './app-review.ts'

/**
 * Which clients people may use by a client ID metadata document or a dynamic registration (AGENT_CLIENTS): none, those
 * whose host the operator lists, those that pass a review, or all.
 */
export type AgentClientPolicy = 'off' | 'listed' | 'reviewed' | 'open'

export const agentClientPolicies = ['off', 'listed', 'reviewed', 'open'] as const satisfies AgentClientPolicy[]

/** What the operator's configuration says about a client: it may not be used, needs no review, or needs one. */
type ClientApproval = 'refused' | 'approved' | 'review'

type AgentClientRules = {
  clients: AgentClientPolicy
  /** Hosts as in URLs, with a port where it is not 443. */
  hosts: readonly string[]
}

/**
 * Evaluate the configuration for the host of a client's document. A registered client has none, so that no list can
 * contain it.
 */
export function clientApproval(host: string | undefined, { clients, hosts }: AgentClientRules): ClientApproval {
  const isListed = host !== undefined && hosts.includes(host)
  switch (clients) {
    case 'off':
      return 'refused'
    case 'listed':
      return isListed ? 'approved' : 'refused'
    case 'reviewed':
      return isListed ? 'approved' : 'review'
    case 'open':
      return 'approved'
  }
}

type ClientState = {
  status: AppState
  /** A revision in addition to the live revision or, before the first approval, the only revision. */
  hasDraft: boolean
  /** The configuration approved the live revision. */
  liveByConfiguration: boolean
}

/**
 * What brings a client into the state that the configuration demands: `approve` its draft, `submit` it for review,
 * `withdraw` an approval that the configuration gave and gives no more.
 */
export type ApprovalStep = 'approve' | 'submit' | 'withdraw' | 'none'

/** Decide the next step of a client when a person uses it. What a reviewer or an administrator has decided stays. */
export function planApproval(approval: ClientApproval, state: ClientState): ApprovalStep {
  const { status, hasDraft, liveByConfiguration } = state
  const isUndecided = status === 'draft' || status === 'under_review'
  if (approval === 'approved') return hasDraft && isUndecided ? 'approve' : 'none'
  if (approval === 'refused' || status === 'suspended') return 'none'
  if (liveByConfiguration) return 'withdraw'
  return hasDraft && status === 'draft' ? 'submit' : 'none'
}
