import { type Endpoint, endOtherSessions, endSession, listSessions, readSession, signOut } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/caller.ts'
import {
  deleteSession,
  deleteSessions,
  insertSession,
  listLiveSessions,
  shownUserAgent,
} from '../../access/credentials/session-store.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { HandlerContext } from '../../access/serve.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Platform } from '../../platform/platform.ts'
import { decryptAccountSecrets } from '../account/account-secrets.ts'
import { type AccountRow, findAccount } from '../account/account-store.ts'
import { viewOwnProfile, viewProfile } from '../account/profile.ts'
import { isReviewer } from '../account/tenant-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { findBrand, findServiceBrand, viewLook } from '../organisation-store.ts'
import { networkHash, rememberNetwork } from './known-network-store.ts'

/** Register the endpoints of sessions. */
export function registerSessions(dependencies: Dependencies): void {
  serveReadSession(dependencies)
  serveListSessions(dependencies)
  serveEndSession(dependencies)
  serveEndOtherSessions(dependencies)
  serveSignOut(dependencies)
}

/** How the person authenticated. */
type ProofOfIdentity = 'password' | 'passkey' | 'provider' | 'sign-up'

/** Begin a session for an authenticated person. Only this reply contains its token. */
export async function beginSession(
  tx: Tx,
  { random, encryption, config }: Pick<Platform, 'random' | 'encryption' | 'config'>,
  account: AccountRow,
  {
    request,
    now,
    by,
  }: {
    request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent'>
    now: Date
    by: ProofOfIdentity
  },
) {
  const { token, hash } = newToken('session', random)
  const { address, userAgent } = request
  const sessionId = random.uuid(now)
  const expiresAt = await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    tokenHash: hash,
    address,
    userAgent,
    now,
  })
  const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
  const detail = { sessionId, by, userAgent: shownUserAgent(userAgent) }
  await audit(tx, random, now, { ...entry, action: 'session.begun', detail, address })
  await rememberNetwork(tx, account.id, networkHash(encryption, address), now)
  const emailVerified = isAddressTrusted(account, config)
  const reviewer = await isReviewer(tx, account)
  const secrets = decryptAccountSecrets(encryption, account)
  const user = viewProfile({ ...account, reviewer }, { ...secrets, emailVerified, baseUrl: config.baseUrl })
  return { token, expiresAt: expiresAt.toISOString(), user }
}

/** Read the browser's session. Without one the reply is 200, so that pages cause no error in the browser's console. */
function serveReadSession(service: Dependencies) {
  service.serve(readSession, {
    handle: ({ caller, database }) => viewSession(database, service, caller),
  })
}

/** The profile of the session's account, and the look of its organisation or, without a session, of the service's. */
export async function viewSession(database: Database, service: Dependencies, caller: Caller | undefined) {
  const user = await viewSignedIn(database, service, caller)
  const brand = await (user === null ? findServiceBrand(database) : findBrand(database, user.tenantId))
  return { user, organisation: viewLook(brand) }
}

/** The profile of the session's account; null without a session, and for a token. */
async function viewSignedIn(database: Database, service: Dependencies, caller: Caller | undefined) {
  if (caller?.credential.kind !== 'session') return null
  const account = await findAccount(database, caller.accountId)
  return account === undefined ? null : viewOwnProfile(service, database, caller, account)
}

function serveListSessions({ serve, clock }: Dependencies) {
  serve(listSessions, {
    handle: async ({ caller, database }) => {
      const sessions = await listLiveSessions(database, caller.accountId, clock.now())
      return {
        sessions: sessions.map((session) => ({
          _id: session.id,
          createdOn: session.createdAt.toISOString(),
          lastUsedOn: session.lastUsedAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
          address: session.address,
          userAgent: session.userAgent,
          current: session.id === sessionOf(caller),
        })),
      }
    },
  })
}

function serveEndSession(service: Dependencies) {
  const { serve, sessionCookie } = service
  serve(endSession, {
    handle: async ({ caller, params: { sessionId }, request, answer, database }) => {
      const ended = isUuid(sessionId) && (await endOwnSession(database, service, caller, sessionId, request.address))
      if (!ended) throw problem('session_not_found')
      if (sessionId === sessionOf(caller)) answer.header('set-cookie', sessionCookie.clear())
      return { status: 'The session is ended.' }
    },
  })
}

function serveEndOtherSessions({ serve, clock, random }: Dependencies) {
  serve(endOtherSessions, {
    handle: ({ caller, request: { address }, database }) =>
      inTransaction(database, async (tx) => {
        await deleteSessions(tx, caller.accountId, sessionOf(caller))
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        await audit(tx, random, clock.now(), { ...entry, action: 'sessions.ended', detail: {}, address })
        return { status: 'All your other sessions are ended.' }
      }),
  })
}

function serveSignOut(service: Dependencies) {
  const { serve, sessionCookie } = service
  serve(signOut, {
    handle: async ({ caller, request, answer, database }) => {
      await endOwnSession(database, service, caller, sessionOf(caller), request.address)
      answer.header('set-cookie', sessionCookie.clear())
      return { status: 'You are signed out.' }
    },
  })
}

/** End a session of the caller's account. Return false when the account has no such session. */
function endOwnSession(
  database: Database,
  { random, clock }: Pick<Platform, 'random' | 'clock'>,
  { accountId, tenantId }: Caller,
  sessionId: string,
  address: string,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if (!(await deleteSession(tx, accountId, sessionId))) return false
    const entry = { tenantId, actorId: accountId, subjectId: accountId }
    await audit(tx, random, clock.now(), { ...entry, action: 'session.ended', detail: { sessionId }, address })
    return true
  })
}

/** Return the id of the caller's session. @throws session_required for a token, which `serve` refuses before */
export function sessionOf({ credential }: Caller): string {
  if (credential.kind !== 'session') throw problem('session_required')
  return credential.sessionId
}
