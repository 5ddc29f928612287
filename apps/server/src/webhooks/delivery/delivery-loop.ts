import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { inTransaction } from '../../platform/database/database.ts'
import { createLogLineLimit } from '../../platform/log-line-limit.ts'
import { type DeliveryDependencies, deliverEvent } from './deliver-event.ts'
import { type DueDelivery, findDueDeliveries } from './find-due-deliveries.ts'
import { claimLanes, deleteEmptyLane, type Lane } from './lane-store.ts'

/** An event that is due waits no longer; an idle instance costs the database an indexed read each time. */
const lookEveryMs = 200

/** While there is work, what was finished in the meantime is followed by one read for all of it. */
const gatherMs = 5

/** Attempts of an instance at the same time; each is a connection that waits for its receiver. */
const maxUnderWay = 256

/** Of one webhook: its other events wait, so that one slow receiver does not delay those of others. */
const maxPerWebhook = 8

/** Of all receivers that were slow the last time; the others have the rest. */
const maxSlowUnderWay = maxUnderWay / 2

/** A receiver that takes longer is slow: it gets one event at a time. */
export const slowMs = 2_000

/** Slow webhooks that an instance remembers, so that its memory is limited; further ones count as quick. */
const maxRemembered = 10_000

/** The time limit of an attempt, and as long again to record it: then another instance may repeat it. */
const claimMs = 30_000

type DeliveryLoop = {
  /** Start the attempts that are due; resolves when they have been started. Returns how many lanes were claimed. */
  startDue(): Promise<number>
  /** Resolves when the next attempt ends. */
  nextEnd(): Promise<void>
  /** Resolves when no attempt is under way. */
  idle(): Promise<void>
}

/** Deliver what is due: claim lanes, and make one attempt for each. */
export function createDeliveryLoop(dependencies: DeliveryDependencies & { log: Logger }): DeliveryLoop {
  const { database, clock, log } = dependencies
  const lines = createLogLineLimit()
  const underWay = new Set<Promise<void>>()
  const countOf = new Map<string, number>()
  const slow = new Set<string>()
  let ended = Promise.withResolvers<void>()

  function busyWebhooks(): string[] {
    const full = [...countOf].filter(([id, count]) => count >= (slow.has(id) ? 1 : maxPerWebhook)).map(([id]) => id)
    const slowUnderWay = [...countOf].reduce((sum, [id, count]) => sum + (slow.has(id) ? count : 0), 0)
    return slowUnderWay >= maxSlowUnderWay ? [...new Set([...full, ...slow])] : full
  }

  async function startDue(): Promise<number> {
    const limit = maxUnderWay - underWay.size
    if (limit <= 0) return 0
    const now = clock.now()
    const until = new Date(now.getTime() + claimMs)
    const lanes = await claimLanes(database, {
      now,
      until,
      busy: busyWebhooks(),
      slow: [...slow],
      perWebhook: maxPerWebhook,
      limit,
    })
    if (lanes.length === 0) return 0
    const due = await findDueDeliveries(database, lanes, now)
    const withWork = new Set(due.map(keyOf))
    const empty = lanes.filter((lane) => !withWork.has(keyOf(lane)))
    for (const delivery of due) start(delivery.webhookId, () => attempt(delivery))
    for (const lane of empty) start(lane.webhookId, () => inTransaction(database, (tx) => deleteEmptyLane(tx, lane)))
    return lanes.length
  }

  async function attempt(delivery: DueDelivery) {
    const sent = await deliverEvent(delivery, dependencies)
    if (sent === undefined) return
    if (sent.durationMs < slowMs) slow.delete(delivery.webhookId)
    else if (slow.size < maxRemembered) slow.add(delivery.webhookId)
  }

  /** A failure of the database ends nothing: the claim expires, and the attempt is repeated. */
  function start(webhookId: string, work: () => Promise<void>) {
    countOf.set(webhookId, (countOf.get(webhookId) ?? 0) + 1)
    const running = work()
      .catch((error) => {
        const admitted = lines.admit('deliver')
        if (admitted !== undefined) log.warn({ err: error, webhookId, ...admitted }, 'a webhook could not be served')
      })
      .finally(() => {
        underWay.delete(running)
        const left = (countOf.get(webhookId) ?? 1) - 1
        if (left === 0) countOf.delete(webhookId)
        else countOf.set(webhookId, left)
        ended.resolve()
        ended = Promise.withResolvers()
      })
    underWay.add(running)
  }

  return {
    startDue,
    nextEnd: () => ended.promise,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const keyOf = ({ webhookId, lane }: Lane) => `${webhookId} ${lane}`

/** Run the loop until it is stopped; attempts that are under way then are finished. */
export function runDeliveryLoop(loop: DeliveryLoop, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const lines = createLogLineLimit()

  async function run() {
    const { signal } = stopping
    while (!signal.aborted) {
      const nextEnd = loop.nextEnd()
      const claimed = await loop.startDue().catch((error) => {
        const admitted = lines.admit('claim')
        if (admitted !== undefined) log.warn({ err: error, ...admitted }, 'webhooks cannot be read; their events wait')
        return 0
      })
      await sleep(gatherMs, undefined, { signal }).catch(() => {})
      if (claimed === 0) await Promise.race([nextEnd, sleep(lookEveryMs, undefined, { signal }).catch(() => {})])
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
