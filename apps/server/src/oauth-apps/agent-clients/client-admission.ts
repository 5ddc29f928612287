import { planApproval } from '@parley/rules/oauth-apps/agent-clients'
import { readClientIdUrl } from '@parley/rules/oauth-apps/client-id-url'
import type { Logger } from 'pino'
import type { AttemptLimits } from '../../access/attempt-limits.ts'
import type { Caller } from '../../access/caller.ts'
import { siteOf } from '../../access/network.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { createFairLimit, type GroupPath } from '../../platform/fair-limit.ts'
import type { OAuthClient } from '../client-store.ts'
import { findKnownDocument, insertAgentClient, lockAgentClient, upsertDocument } from './agent-client-store.ts'
import { approvalOf, type Cause, decideByConfiguration, type StepDependencies } from './client-approval.ts'
import { isDue, refreshDocumentJob } from './client-documents.ts'
import { commandLineClientId } from './command-line-client.ts'
import type { FetchDocument } from './fetch-document.ts'

/** Clients that no developer has registered, as the authorization pages use them (docs/oauth-reference.md, "Clients by document"). */
export type AgentClients = {
  admit: AdmitClient
  /**
   * Bring a client that a person uses into the state that AGENT_CLIENTS demands.
   * @returns whether the client has changed, and has to be read again
   */
  reconcile(client: OAuthClient, cause: Cause): Promise<boolean>
}

export const createAgentClients = (dependencies: AdmitDependencies): AgentClients => ({
  admit: createAdmitClient(dependencies),
  async reconcile(client, cause) {
    if (client.registration === 'portal') return false
    if (planApproval(approvalOf(client, dependencies.config), client) === 'none') return false
    await inTransaction(dependencies.database, async (tx) => {
      const registered = await lockAgentClient(tx, client.appId)
      if (registered !== undefined) await decideByConfiguration(tx, dependencies, registered, cause)
    })
    return true
  },
})

/** Whether a request may continue with a client that is named by the URL of its document. */
type Admission =
  /** The client is known, whatever was decided about it. */
  | { kind: 'known' }
  /** The first person who uses a client has to be signed in. Nothing is fetched for other people. */
  | { kind: 'sign-in' }
  /** `cause` is an English sentence about the URL or the document. */
  | { kind: 'refused'; code: 'client_url_invalid' | 'client_not_allowed' | 'client_document_invalid'; cause: string }

type AdmittedRequest = {
  /** Called only for an unknown client. */
  findCaller(): Promise<Caller | undefined>
  request: { id: string; address: string }
}

/** @throws too_many_requests */
type AdmitClient = (clientId: string, request: AdmittedRequest) => Promise<Admission>

/**
 * A refused document is not fetched again for this long, so that reloading the page, or another try of the client, costs
 * nothing.
 */
const refusalHoldMs = 30 * 1000

/** More than are refused within that time. A dropped refusal only means another fetch, within the limits. */
const maxRefusalsHeld = 1_000

/**
 * Maximum of concurrent fetches, each within five seconds; a fetch that waits for a server costs a socket. Sites,
 * accounts and domains take turns, and a site fetches a few documents at a time: all turns are in use only while people
 * of twelve sites ask for documents of servers that do not respond. Fetches in progress and waiting fetches together
 * are well below the least number of requests that the service works on (overload.ts), so that pages which wait for
 * documents do not make the service refuse other requests.
 */
const maxFetches = 48
const maxWaitingFetches = 48
const ofSite = { inProgress: 4, waiting: 16 }

type AdmitDependencies = StepDependencies & {
  database: Database
  clock: Clock
  log: Logger
  attemptLimits: AttemptLimits
  fetchDocument: FetchDocument
}

/**
 * Create the admission of clients that are named by the URL of their document. A known client is answered from the
 * database, and its document is fetched again by a job. The document of an unknown client is fetched while the person
 * waits, once for all people who wait at this instance, and the client becomes an app.
 */
function createAdmitClient(dependencies: AdmitDependencies): AdmitClient {
  const { database, clock, log, config, attemptLimits, random, fetchDocument } = dependencies
  const inTurn = createFairLimit({ maxInProgress: maxFetches, maxWaiting: maxWaitingFetches })
  const running = new Map<string, Promise<Admission>>()
  const refusals = new Map<string, { until: number; refusal: Admission }>()

  return async (clientId, { findCaller, request }) => {
    const url = readUrl(clientId)
    if (url.kind === 'refused') {
      return { kind: 'refused', code: 'client_url_invalid', cause: `client_id ${url.message}.` }
    }
    if (approvalOf({ registration: 'metadata_document', clientId }, config) === 'refused') {
      const cause = `AGENT_CLIENTS does not allow clients of ${url.host}.`
      return { kind: 'refused', code: 'client_not_allowed', cause }
    }
    if (await refreshKnown(clientId)) return { kind: 'known' }
    const caller = await findCaller()
    if (caller === undefined) return { kind: 'sign-in' }
    const held = findHeld(clientId)
    if (held !== undefined) return held
    const site = siteOf(request.address)
    await attemptLimits.require('newClientsOfSite', site)
    await attemptLimits.require('newClientsOfAccount', caller.accountId)
    const paths = [
      [site, caller.accountId],
      [caller.accountId],
      [parentDomainOf(url.host), url.host],
    ] as const satisfies [GroupPath, ...GroupPath[]]
    // A fetch is shared from its start. Before, each person has an own turn, and does not wait behind the other documents
    // of another person who asked for the same document.
    return inTurn.run({ paths, limits: ofSite }, async () => {
      const shared = findHeld(clientId) ?? running.get(clientId)
      if (shared !== undefined) return shared
      // The client may have been registered since the first look.
      if (await refreshKnown(clientId)) return { kind: 'known' }
      await attemptLimits.countOrRefuse('newClientsOfSite', site)
      await attemptLimits.countOrRefuse('newClientsOfAccount', caller.accountId)
      const registering = running.get(clientId) ?? register(clientId, caller, request)
      running.set(clientId, registering)
      return registering.finally(() => running.delete(clientId))
    })
  }

  /** The service's own address may be one that no other document could have, such as `http://localhost:3000`. */
  function readUrl(clientId: string) {
    if (clientId !== commandLineClientId(config)) return readClientIdUrl(clientId)
    return { kind: 'allowed' as const, host: new URL(clientId).host }
  }

  async function register(clientId: string, caller: Caller, request: AdmittedRequest['request']): Promise<Admission> {
    const fetched = await fetchDocument(clientId)
    if (fetched.kind !== 'fetched') {
      const cause = fetched.kind === 'refused' ? fetched.cause : 'The document was not sent.'
      log.info({ clientId, cause, requestId: request.id }, 'refused a client ID metadata document')
      return hold(clientId, { kind: 'refused', code: 'client_document_invalid', cause })
    }
    const now = clock.now()
    await inTransaction(database, async (tx) => {
      const { metadata, body, etag, lifetimeMs } = fetched
      const appId = await insertAgentClient(tx, { registration: 'metadata_document', clientId, metadata, now, random })
      // Undefined: another instance has inserted the client meanwhile.
      const registered = appId === undefined ? undefined : await lockAgentClient(tx, appId)
      if (registered === undefined) return
      const freshUntil = new Date(now.getTime() + lifetimeMs)
      await upsertDocument(tx, registered.app.id, { body, etag, fetchedAt: now, freshUntil })
      await decideByConfiguration(tx, dependencies, registered, { caller, request, now })
    })
    return { kind: 'known' }
  }

  /** Whether the client is known. Queue a fetch of its document if the copy is no longer fresh. */
  async function refreshKnown(clientId: string): Promise<boolean> {
    const known = await findKnownDocument(database, clientId)
    if (known === undefined) return false
    if (isDue(known, clock.now())) {
      await refreshDocumentJob.queue(database, { appId: known.id }, { key: `refresh-client-document ${known.id}` })
    }
    return true
  }

  function findHeld(clientId: string): Admission | undefined {
    const held = refusals.get(clientId)
    return held !== undefined && clock.now().getTime() < held.until ? held.refusal : undefined
  }

  function hold(clientId: string, refusal: Admission): Admission {
    if (refusals.size >= maxRefusalsHeld) refusals.clear()
    refusals.set(clientId, { until: clock.now().getTime() + refusalHoldMs, refusal })
    return refusal
  }
}

/**
 * The last two labels of a host name. Servers under one domain share its turns, because more servers cost the owner of
 * the domain nothing. Names under a public suffix of two labels, such as co.uk, share turns as well, which changes only
 * the order of turns.
 */
const parentDomainOf = (host: string) => host.split('.').slice(-2).join('.')
