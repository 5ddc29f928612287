import type { Caller } from '../../access/caller.ts'
import type { AnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import { sha256 } from '../../platform/sha256.ts'

/** A person who enters a room, identified by an account or by the hash of a guest's cookie. */
export type Person = { accountId: string; guestHash: null } | { accountId: null; guestHash: Buffer }

export type Sender = { caller: Caller | undefined; request: { cookie: string | undefined } }

/**
 * Identify the sender of a request. An account takes precedence over a guest cookie. Undefined for a guest without a
 * cookie.
 */
export function personOf(guestCookie: AnonymousCookie, { caller, request }: Sender): Person | undefined {
  if (caller !== undefined) return { accountId: caller.accountId, guestHash: null }
  const guest = guestCookie.read(request.cookie)
  return guest === undefined ? undefined : guestOf(guest)
}

export const guestOf = (cookie: string): Person => ({ accountId: null, guestHash: sha256(cookie) })
