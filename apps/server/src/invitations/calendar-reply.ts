import { hash } from 'node:crypto'
import type { readCalendar } from '@parley/contract'
import type { HandlerContext } from '../access/serve.ts'
import type { Config } from '../platform/config/config.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { matchesEtag } from '../platform/http/static-file.ts'
import { limitInProgress } from '../platform/limit-in-progress.ts'
import { createRateLimiter } from '../platform/rate-limiter.ts'

type Context = HandlerContext<typeof readCalendar>

/** Raise it when the same meetings give another text than before. */
const textVersion = 1

/**
 * Send a calendar with its ETag, or 304 when the client already has it. The tag is made of what the text depends on, so
 * that nothing is composed for a client that has it. Only the client itself may cache it.
 */
export async function replyWithCalendar(
  { dependsOn, compose }: { dependsOn: unknown; compose: () => Promise<string> },
  { ifNoneMatch }: Pick<Context['request'], 'ifNoneMatch'>,
  answer: Context['answer'],
): Promise<string> {
  const tag = hash('sha256', JSON.stringify([textVersion, dependsOn]), 'base64url').slice(0, 22)
  answer.header('etag', `"${tag}"`)
  answer.header('cache-control', 'private, no-cache')
  if (!matchesEtag(ifNoneMatch, tag)) return compose()
  answer.status(304)
  return ''
}

/**
 * Limits on reading calendars, each of which may be of `feedLimits`. They are counted in this process, whose thread the
 * compositions share.
 */
export const readingLimits = {
  /** One calendar: ten programs that read it every ten minutes. */
  ofCalendar: { points: 60, duration: 60 * 60 },
  /** One network: services such as Google Calendar read the calendars of many people from one address. */
  ofNetwork: { points: 1_200, duration: 10 * 60 },
}

/** At the same time, of one person: two programs that both start with the computer. */
export const maxInProgressOfCalendar = 2
/** At the same time, from one network, so that readers from other networks find a place. */
export const maxInProgressOfNetwork = 16
/** Compositions at the same time, which bounds their memory and the time on the thread. The others wait for a turn. */
export const maxInProgress = 4
/** A turn takes a second or two at most: a reader behind that many others is asked to come back. */
export const maxWaiting = 64
const retryAfterSeconds = 10

/** Run the work of a reader within all limits. @throws too_many_requests, unavailable */
export type LimitReadings = (
  reader: { calendar: string; network: string },
  work: () => Promise<string>,
) => Promise<string>

export function createReadingLimits({ rateLimits }: Pick<Config, 'rateLimits'>): LimitReadings {
  if (!rateLimits) return (_, work) => work()
  const ofCalendar = createRateLimiter({ name: 'calendarReadings', ...readingLimits.ofCalendar }, undefined)
  const ofNetwork = createRateLimiter({ name: 'calendarReadingsOfNetwork', ...readingLimits.ofNetwork }, undefined)
  const inProgressOfCalendar = limitInProgress(maxInProgressOfCalendar)
  const inProgressOfNetwork = limitInProgress(maxInProgressOfNetwork)
  const takeTurn = createTurns()
  return async ({ calendar, network }, work) => {
    const waitMs = (await ofNetwork.count(network)) ?? (await ofCalendar.count(calendar))
    if (waitMs !== undefined) throw tooManyRequests(waitMs)
    return inProgressOfNetwork(network, () => inProgressOfCalendar(calendar, () => takeTurn(work)))
  }
}

/** Run so many works at a time, and let others wait, first come, first served. */
function createTurns() {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work: () => Promise<string>): Promise<string> => {
    if (running < maxInProgress) running++
    else if (waiting.length >= maxWaiting) throw problem('unavailable', { retryAfterSeconds })
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
