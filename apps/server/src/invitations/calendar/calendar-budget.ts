import { setImmediate as turn } from 'node:timers/promises'
import { monotonicNow } from '../../platform/clock.ts'

/** How much a composition may write and do. Each place that composes calendars has its own limits. */
export type CalendarLimits = {
  bytes: number
  events: number
  /**
   * Steps of work (`CalendarBudget.run`). A step counts even if its text does not fit. A step takes about 10 to 200 µs.
   */
  steps: number
  /** The most bytes of one meeting, so that it leaves room for the others. */
  bytesOfMeeting: number
}

/**
 * Programs download a feed again and again, some of them to phones. A meeting without changed dates takes some 1,500
 * bytes and its description.
 */
export const feedLimits: CalendarLimits = { bytes: 5_000_000, events: 10_000, steps: 50_000, bytesOfMeeting: 500_000 }

/** Steps of one meeting with all dates that the API allows to be cancelled, changed and answered. */
const stepsOfMeeting = 10_000

/** One meeting with every date that the limits of the API allow, each with a topic of its own. */
export const fileLimits: CalendarLimits = {
  bytes: 2_000_000,
  events: 2_000,
  steps: stepsOfMeeting,
  bytesOfMeeting: 2_000_000,
}

/** One meeting for one guest, in the bytes that the rest of a mail leaves. */
export const mailLimits = (bytes: number): CalendarLimits => ({ ...fileLimits, bytes, bytesOfMeeting: bytes })

/** Sent as it is composed, to the owner of the account alone, a few times an hour. */
export const exportLimits: CalendarLimits = {
  bytes: 100_000_000,
  events: 200_000,
  steps: 5_000_000,
  bytesOfMeeting: 2_000_000,
}

/** What a composition omitted because a limit was reached. */
export type Omitted = { meetings: number; dates: number; texts: number }

/** How compositions give way to other work of the process; injected by tests. */
type Pace = { now: () => number; rest: () => Promise<unknown> }

const processPace: Pace = { now: monotonicNow, rest: () => turn() }

/**
 * How long a composition holds the thread before other requests get a turn. Several at once (`maxInProgress`) hold it one
 * after the other.
 */
export const maxHoldMs = 10

/** Kept for each meeting that is yet to come: its times, topic and links, so that long texts displace no meeting. */
const bytesOfShortMeeting = 1_500

/** The properties of the calendar itself, among them its name and description. */
const bytesOfFrame = 4_000

/**
 * What one composition of calendar text may use: bytes, events, and time on the thread. The functions that compose
 * require one, and the private fields keep other objects from standing in for it.
 */
export class CalendarBudget {
  readonly omitted: Omitted = { meetings: 0, dates: 0, texts: 0 }
  readonly #pace: Pace
  readonly #bytesOfMeeting: number
  #bytesLeft: number
  #eventsLeft: number
  #stepsLeft: number
  #heldSince: number

  constructor({ bytes, events, steps, bytesOfMeeting }: CalendarLimits, pace: Pace = processPace) {
    this.#pace = pace
    this.#bytesOfMeeting = bytesOfMeeting
    this.#bytesLeft = bytes - bytesOfFrame
    this.#eventsLeft = events
    this.#stepsLeft = steps
    this.#heldSince = pace.now()
  }

  get isCut(): boolean {
    return this.omitted.meetings + this.omitted.dates + this.omitted.texts > 0
  }

  /** Whether nothing more is to be composed. The meeting at which the steps are used up is still finished. */
  get isUsedUp(): boolean {
    return this.#bytesLeft < bytesOfShortMeeting / 2 || this.#eventsLeft <= 0 || this.#stepsLeft <= 0
  }

  /** What the next meeting may use, given the number of meetings that follow it. */
  roomFor(meetingsAfter: number): CalendarSpace {
    const bytes = Math.min(this.#bytesLeft - meetingsAfter * bytesOfShortMeeting, this.#bytesOfMeeting)
    return {
      bytes: Math.max(bytes, Math.min(this.#bytesLeft, bytesOfShortMeeting)),
      events: Math.max(this.#eventsLeft - meetingsAfter, Math.min(this.#eventsLeft, 1)),
    }
  }

  /** @throws RangeError when the text does not fit: its composer did not keep to its room */
  spend({ bytes, events }: CalendarSpace): void {
    if (bytes > this.#bytesLeft || events > this.#eventsLeft) throw new RangeError('A calendar exceeds its budget')
    this.#bytesLeft -= bytes
    this.#eventsLeft -= events
  }

  /** Run work to its end, and let other work of the process run when a step has ended after `maxHoldMs`. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    for (;;) {
      const step = steps.next()
      this.#stepsLeft -= 1
      if (this.#pace.now() - this.#heldSince >= maxHoldMs) {
        await this.#pace.rest()
        this.#heldSince = this.#pace.now()
      }
      if (step.done) return step.value
    }
  }
}

/** The part of a budget that a piece of text may use, or used. */
export type CalendarSpace = { bytes: number; events: number }
