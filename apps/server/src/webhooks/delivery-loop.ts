import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../platform/database/database.ts'
import { createLogLineLimit } from '../platform/log-line-limit.ts'
import { type AttemptOutcome, attemptOutcomes, deliverEvent } from './deliver.ts'
import {
  type ClaimedQueue,
  claimQueues,
  deleteEmptyQueue,
  findLiveWebhooks,
  type WebhookQueue,
} from './delivery-queue.ts'
import { type DueDelivery, findDueDeliveries } from './delivery-store.ts'
import type { Dependencies } from './dependencies.ts'

/** An event that is due waits no longer; an idle instance costs the database an indexed read each time. */
export const pollIntervalMs = 200

/** While there is work, what was finished in the meantime is followed by one read for all of it. */
const batchDelayMs = 5

/** Attempts of an instance at the same time; each is a connection that waits for its receiver. */
export const maxRunning = 256

/** Of one webhook: its other events wait, so that one slow receiver does not delay those of others. */
export const maxPerWebhook = 8

/**
 * An account has at most a quarter as many attempts under way as are free. Alone it gets 51; each of a dozen accounts gets
 * 16, and 64 are left for others.
 */
export const freeSlotsDivisor = 4

/** Of all slow accounts; the others have the rest. */
const maxSlowRunning = maxRunning / 2

/** A receiver that takes longer is slow: its account's webhooks get one event at a time. */
export const slowMs = 2_000

/** Slow accounts that an instance remembers, so that its memory is limited; further ones count as quick. */
const maxSlowAccounts = 10_000

/** The time limit of an attempt, and as long again to record it: then another instance may repeat it. */
const claimMs = 30_000

type DeliveryLoop = {
  /**
   * Start the attempts that are due, and abort those of webhooks that were deleted or switched off; resolves when that has
   * been done. Returns how many queues were claimed.
   */
  startDue(): Promise<number>
  /** Resolves when the next attempt ends. */
  nextEnd(): Promise<void>
  /** Resolves when no attempt is under way. */
  idle(): Promise<void>
  /** The attempts under way. */
  countRunning(): number
  /** The attempts since the start that have ended so. */
  countOf(outcome: AttemptOutcome): number
  outcomes: readonly AttemptOutcome[]
}

/** What is done for a lane. */
type ActiveQueue = { accountId: string; webhookId: string; startedAt: Date; checkedAt: Date; aborting: AbortController }

/** Deliver what is due: claim queues, and make one attempt for each. */
export function createDeliveryLoop(dependencies: Dependencies): DeliveryLoop {
  const { database, clock, random, log } = dependencies
  const lines = createLogLineLimit()
  const running = new Map<ActiveQueue, Promise<void>>()
  const counts = new Map<AttemptOutcome, number>()
  // By account: a webhook is deleted and made again in no time.
  const slow = new Set<string>()
  let ended = Promise.withResolvers<void>()

  const remember = (accountId: string) => {
    if (slow.size < maxSlowAccounts) slow.add(accountId)
  }

  async function startDue(): Promise<number> {
    const now = clock.now()
    const active = [...running.keys()]
    for (const { accountId, startedAt } of active) if (since(startedAt, now) >= slowMs) remember(accountId)
    await abortEnded(active, now)
    const free = maxRunning - running.size
    if (free <= 0) return 0
    const slowRunning = active.filter(({ accountId }) => slow.has(accountId)).length
    const queues = await claimQueues(database, {
      now,
      until: new Date(now.getTime() + claimMs),
      running: active,
      slow: [...slow],
      perWebhook: maxPerWebhook,
      freeSlotsDivisor,
      free,
      freeForSlow: Math.max(0, Math.min(free, maxSlowRunning - slowRunning)),
      seed: random.bytes(4).readUInt32BE(),
    })
    if (queues.length === 0) return 0
    const due = new Map((await findDueDeliveries(database, queues, now)).map((delivery) => [keyOf(delivery), delivery]))
    for (const queue of queues) {
      const delivery = due.get(keyOf(queue))
      if (delivery !== undefined) start(queue, now, (signal) => attempt(delivery, signal))
      else start(queue, now, () => inTransaction(database, (tx) => deleteEmptyQueue(tx, queue)))
    }
    return queues.length
  }

  async function attempt(delivery: DueDelivery, signal: AbortSignal) {
    const made = await deliverEvent(delivery, dependencies, signal)
    if (made === undefined) return
    const { outcome, durationMs } = made
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    if (durationMs >= slowMs) remember(delivery.webhookAccountId)
    // One that was aborted early says nothing of its receiver.
    else if (outcome !== 'aborted') slow.delete(delivery.webhookAccountId)
  }

  /** Quick attempts end before they are looked at. */
  async function abortEnded(active: readonly ActiveQueue[], now: Date) {
    const toCheck = active.filter(({ checkedAt }) => since(checkedAt, now) >= pollIntervalMs)
    if (toCheck.length === 0) return
    for (const queue of toCheck) queue.checkedAt = now
    const live = await findLiveWebhooks(database, [...new Set(toCheck.map(({ webhookId }) => webhookId))])
    for (const { webhookId, aborting } of toCheck) if (!live.has(webhookId)) aborting.abort()
  }

  /** A failure of the database ends nothing: the claim expires, and the attempt is repeated. */
  function start({ accountId, webhookId }: ClaimedQueue, startedAt: Date, act: (signal: AbortSignal) => Promise<void>) {
    const queue = { accountId, webhookId, startedAt, checkedAt: startedAt, aborting: new AbortController() }
    const done = act(queue.aborting.signal)
      .catch((error) => {
        const admitted = lines.admit('deliver')
        if (admitted !== undefined) log.warn({ err: error, webhookId, ...admitted }, 'a webhook could not be served')
      })
      .finally(() => {
        running.delete(queue)
        ended.resolve()
        ended = Promise.withResolvers()
      })
    running.set(queue, done)
  }

  return {
    startDue,
    nextEnd: () => ended.promise,
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
    countRunning: () => running.size,
    countOf: (outcome) => counts.get(outcome) ?? 0,
    outcomes: attemptOutcomes,
  }
}

const since = (then: Date, now: Date) => now.getTime() - then.getTime()
const keyOf = ({ webhookId, lane }: WebhookQueue) => `${webhookId} ${lane}`

/** Run the loop until it is stopped; attempts that are under way then are finished. */
export function runDeliveryLoop(
  loop: DeliveryLoop,
  { log, databaseFailures }: Dependencies,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const lines = createLogLineLimit()

  async function run() {
    const { signal } = stopping
    while (!signal.aborted) {
      const nextEnd = loop.nextEnd()
      const claimed = await loop.startDue().catch((error) => {
        if (databaseFailures.report(error)) return 0
        const admitted = lines.admit('claim')
        if (admitted !== undefined) log.warn({ err: error, ...admitted }, 'webhooks cannot be read; their events wait')
        return 0
      })
      await sleep(batchDelayMs, undefined, { signal }).catch(() => {})
      if (claimed === 0) await Promise.race([nextEnd, sleep(pollIntervalMs, undefined, { signal }).catch(() => {})])
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      await loop.idle()
    },
  }
}
