import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../platform/database/database.ts'
import { createLogLineLimit } from '../platform/log.ts'
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

/** Upper bound of the delay of a due event. Costs one indexed read per interval when idle. */
export const pollIntervalMs = 200

/** Pause between two claims while there is work. The next claim serves all queues whose attempts ended meanwhile. */
const batchDelayMs = 5

/** Maximum of concurrent attempts of an instance. Each is a connection that waits for its receiver. */
export const maxRunning = 256

/**
 * Maximum of concurrent attempts of a webhook. Its other events wait, because a slow receiver must not delay others.
 */
export const maxPerWebhook = 8

/**
 * An account runs at most a quarter as many attempts as there are free slots. A single account gets 51; each of twelve
 * accounts gets 16, and 64 slots stay free for others.
 */
export const freeSlotsDivisor = 4

/** Maximum of concurrent attempts of all slow accounts together. Other accounts have the rest. */
const maxSlowRunning = maxRunning / 2

/** An attempt of this duration makes its account slow: its webhooks then get one event at a time. */
export const slowMs = 2_000

/** Maximum of slow accounts in memory. Further ones count as quick. */
const maxSlowAccounts = 10_000

/**
 * Lifetime of a claim: the time limit of an attempt, and as much again to record it. Another instance may then repeat
 * it.
 */
const claimMs = 30_000

type DeliveryLoop = {
  /**
   * Start the attempts that are due, and abort attempts of webhooks that were deleted or switched off. Do not wait
   * for the attempts.
   * @returns how many queues were claimed
   */
  startDue(): Promise<number>
  /** Wait until the next attempt ends. */
  nextEnd(): Promise<void>
  /** Wait until no attempt is running. */
  idle(): Promise<void>
  /** Count the running attempts. */
  countRunning(): number
  /** Count the attempts with this outcome since the process started. */
  countOf(outcome: AttemptOutcome): number
  outcomes: readonly AttemptOutcome[]
}

/** A queue with a running attempt. */
type ActiveQueue = { accountId: string; webhookId: string; startedAt: Date; checkedAt: Date; aborting: AbortController }

/** Claim the queues that are due, and make one attempt for each. */
export function createDeliveryLoop(dependencies: Dependencies): DeliveryLoop {
  const { database, clock, random, log } = dependencies
  const lines = createLogLineLimit()
  const running = new Map<ActiveQueue, Promise<void>>()
  const counts = new Map<AttemptOutcome, number>()
  // Accounts, not webhooks, because a webhook can be deleted and created again at any time.
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
    // An attempt that was aborted early does not show whether its receiver is quick.
    else if (outcome !== 'aborted') slow.delete(delivery.webhookAccountId)
  }

  /** Abort attempts of webhooks that were deleted or switched off. Quick attempts end before their first check. */
  async function abortEnded(active: readonly ActiveQueue[], now: Date) {
    const toCheck = active.filter(({ checkedAt }) => since(checkedAt, now) >= pollIntervalMs)
    if (toCheck.length === 0) return
    for (const queue of toCheck) queue.checkedAt = now
    const live = await findLiveWebhooks(database, [...new Set(toCheck.map(({ webhookId }) => webhookId))])
    for (const { webhookId, aborting } of toCheck) if (!live.has(webhookId)) aborting.abort()
  }

  /** Start one action for a queue. If the database fails, the claim expires, and the attempt is repeated. */
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

/** Run the loop until it is stopped. Stopping waits for the running attempts. */
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
