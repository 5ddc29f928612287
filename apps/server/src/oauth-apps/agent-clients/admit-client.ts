import { readClientIdUrl } from '@parley/rules/oauth-apps/client-id-url'
import type { Logger } from 'pino'
import type { Caller } from '../../access/caller.ts'
import { siteOf } from '../../access/network.ts'
import type { AttemptLimits } from '../../accounts/sign-in/attempt-limits.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { createFairLimit, type GroupPath } from '../../platform/fair-limit.ts'
import { upsertDocument } from '../document-store.ts'
import { insertAgentClient, lockAgentClient } from './agent-client-store.ts'
import { approvalOf } from './approval.ts'
import { decideByConfiguration, type StepDependencies } from './decide-by-configuration.ts'
import type { FetchDocument } from './fetch-document.ts'
import { isDue, refreshDocumentJob } from './refresh-document.ts'

/** Whether a request may go on with a client that is named by the URL of its document. */
type Admission =
  /** The client is known, whatever was decided about it. */
  | { kind: 'known' }
  /** The first person who uses a client has to be signed in: nothing is fetched for others. */
  | { kind: 'sign-in' }
  /** `cause` is an English sentence about the URL or the document. */
  | { kind: 'refused'; code: 'client_url_invalid' | 'client_not_allowed' | 'client_document_invalid'; cause: string }

type AdmittedRequest = {
  /** Called only if it matters. */
  findCaller(): Promise<Caller | undefined>
  request: { id: string; address: string }
}

/** @throws too_many_requests */
export type AdmitClient = (clientId: string, request: AdmittedRequest) => Promise<Admission>

/**
 * A document that was refused is not fetched again for this long: a person who reloads the page, or a client that tries
 * again, costs nothing.
 */
const refusalHoldMs = 30 * 1000

/** More than are refused within that time; what is dropped is fetched again, within the limits. */
const maxRefusalsHeld = 1_000

/**
 * Documents that are fetched at a time, each within five seconds: a fetch that waits for a server costs a socket. Sites,
 * accounts and domains take turns, and a site has a few at a time: others wait only while people of twelve sites ask for
 * documents of servers that do not respond. With those that wait, they are well below the least that the service works
 * on at a time (overload.ts), so that pages which wait for documents do not make it refuse other requests.
 */
const maxFetches = 48
const maxWaitingFetches = 48
const ofSite = { inProgress: 4, waiting: 16 }

export type AdmitDependencies = StepDependencies & {
  database: Database
  clock: Clock
  log: Logger
  attemptLimits: AttemptLimits
  fetchDocument: FetchDocument
}

/**
 * Create the admission of clients that are named by the URL of their document. A known client is answered from the
 * database, and its document is fetched again by a job. The document of an unknown one is fetched while the person
 * waits, once for all who wait at this instance, and the client becomes an app.
 */
export function createAdmitClient(service: AdmitDependencies): AdmitClient {
  const { database, clock, log, config, attemptLimits, random, fetchDocument } = service
  const inTurn = createFairLimit({ maxInProgress: maxFetches, maxWaiting: maxWaitingFetches })
  const underWay = new Map<string, Promise<Admission>>()
  const refusals = new Map<string, { until: number; refusal: Admission }>()

  return async (clientId, { findCaller, request }) => {
    const url = readClientIdUrl(clientId)
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
    // A fetch is shared from its start on. Before it each person has a turn of their own, and does not wait behind the
    // other documents of a person who asked for the same one.
    return inTurn.run({ paths, limits: ofSite }, async () => {
      const shared = findHeld(clientId) ?? underWay.get(clientId)
      if (shared !== undefined) return shared
      // It may have been registered between the first look and this one.
      if (await refreshKnown(clientId)) return { kind: 'known' }
      await attemptLimits.countOrRefuse('newClientsOfSite', site)
      await attemptLimits.countOrRefuse('newClientsOfAccount', caller.accountId)
      const registering = underWay.get(clientId) ?? register(clientId, caller, request)
      underWay.set(clientId, registering)
      return registering.finally(() => underWay.delete(clientId))
    })
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
      // Another instance has inserted it meanwhile.
      const registered = appId === undefined ? undefined : await lockAgentClient(tx, appId)
      if (registered === undefined) return
      const freshUntil = new Date(now.getTime() + lifetimeMs)
      await upsertDocument(tx, registered.app.id, { body, etag, fetchedAt: now, freshUntil })
      await decideByConfiguration(tx, service, registered, { caller, request, now })
    })
    return { kind: 'known' }
  }

  /** Whether the client is known; its document is then fetched again when it is no longer fresh. */
  async function refreshKnown(clientId: string): Promise<boolean> {
    const known = await database
      .selectFrom('app as p')
      .innerJoin('clientMetadataDocument as d', 'd.appId', 'p.id')
      .select(['p.id', 'd.freshUntil', 'd.failedAt'])
      .where('p.clientId', '=', clientId)
      .where('p.deletedAt', 'is', null)
      .executeTakeFirst()
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
 * The last two labels of a name. Servers under one domain share its turns, because their number costs its owner nothing.
 * Where the public registers names under two labels, such as co.uk, these share them as well: that changes the order of
 * turns alone.
 */
const parentDomainOf = (host: string) => host.split('.').slice(-2).join('.')
