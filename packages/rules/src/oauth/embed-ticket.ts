import { isLoopback } from './loopback.ts'

const minuteMs = 60_000

/** Long enough for a page to load the frame, and too short for a ticket in a log to be of use. */
export const embedTicketMs = minuteMs

/** Longer than meetings are. The token of a frame is in memory alone, and is not renewed. */
export const embedSessionMs = 12 * 60 * minuteMs

/** What the page of a meeting calls; the app's own token may have more scopes. */
const embeddedScopes = ['meeting:join', 'meeting:update', 'meeting:read'] as const

export const scopesInFrame = (held: readonly string[]): string[] =>
  embeddedScopes.filter((scope) => held.includes(scope))

/**
 * The origins whose pages may embed meetings of an app: those that were reviewed. In the sandbox, where nothing is
 * reviewed, pages on the developer's own machine.
 */
export const framingOrigins = (sandbox: boolean, registered: readonly string[]): readonly string[] =>
  sandbox ? registered.filter(isLoopback) : registered

/** A ticket as stored, with its app and its user as they are now. */
export type StoredTicket = {
  roomCode: string
  expiresAt: Date
  /** The client id of its app, or of the app's sandbox. */
  clientId: string | null
  sandbox: boolean
  embedOrigins: readonly string[]
  /** Whether the tokens that the ticket stems from are still valid. */
  isLive: boolean
  /** Those that the user still grants. */
  scopes: readonly string[]
}

/** What the frame sends of itself. */
type Frame = { svcMeetId: string; clientId: string; origin: string }

/** Say why a ticket is refused, for the developer of its app; undefined for one that is accepted. */
export function findTicketRefusal(ticket: StoredTicket, frame: Frame, now: Date): string | undefined {
  if (!ticket.isLive) return 'The tokens of the user have ended, or the app may not use them.'
  if (ticket.expiresAt <= now) return 'The ticket was sent more than 60 seconds after it was issued.'
  if (ticket.roomCode !== frame.svcMeetId) return 'The ticket is for another meeting than that of the frame.'
  if (ticket.clientId !== frame.clientId) return 'The clientId of the frame is not that of the app of the ticket.'
  if (!ticket.scopes.includes('meeting:join')) return 'The user no longer grants meeting:join.'
  if (!framingOrigins(ticket.sandbox, ticket.embedOrigins).includes(frame.origin))
    return ticket.sandbox
      ? 'The page of the frame is not on localhost, or its origin is not registered.'
      : 'The origin of the page is none that the app has registered and a reviewer has approved.'
  return undefined
}
