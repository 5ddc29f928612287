import { type InvitationResponse, invitationResponses, type ResponseCounts } from '@parley/contract'

type ShownCount = { answer: InvitationResponse | 'none'; count: number }

/** The counts in the order in which they are shown, without zeros. */
export const shownCounts = (counts: ResponseCounts): ShownCount[] =>
  [...invitationResponses, 'none' as const]
    .map((answer) => ({ answer, count: counts[answer] }))
    .filter(({ count }) => count > 0)
