import { hash } from 'node:crypto'
import type { readCalendar } from '@parley/contract'
import type { HandlerContext } from '../access/serve.ts'
import type { Config } from '../platform/config/config.ts'
import { createFairLimit } from '../platform/fair-limit.ts'
import { tooManyRequests } from '../platform/http/problem.ts'
import { matchesEtag } from '../platform/http/static-file.ts'
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

/** At the same time, of one calendar: two programs that both start with the computer. As many may wait. */
export const limitsOfCalendar = { inProgress: 2, waiting: 2 }
/** Compositions at the same time, which bounds their memory and the time on the thread. The others wait for a turn. */
export const maxInProgress = 4
/** A turn takes a second or two at most: a reader behind that many others is asked to come back. */
export const maxWaiting = 64

/** Run the work of a reader within all limits. @throws too_many_requests, unavailable */
export type LimitReadings = (
  reader: { calendar: string; network: string },
  work: () => Promise<string>,
) => Promise<string>

export function createReadingLimits({ rateLimits }: Pick<Config, 'rateLimits'>): LimitReadings {
  if (!rateLimits) return (_, work) => work()
  const ofCalendar = createRateLimiter({ name: 'calendarReadings', ...readingLimits.ofCalendar }, undefined)
  const ofNetwork = createRateLimiter({ name: 'calendarReadingsOfNetwork', ...readingLimits.ofNetwork }, undefined)
  const turns = createFairLimit({ maxInProgress, maxWaiting })
  return async ({ calendar, network }, work) => {
    const waitMs = (await ofNetwork.count(network)) ?? (await ofCalendar.count(calendar))
    if (waitMs !== undefined) throw tooManyRequests(waitMs)
    // Networks take turns, and so do calendars, whichever networks read them.
    return turns.run({ paths: [[calendar], [network]], limits: limitsOfCalendar }, work)
  }
}
