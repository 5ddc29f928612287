import type { RandomSource } from './random-source.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A meeting as sent to the API. */
export type Body = {
  topic: string
  startTime: string
  endTime: string
  participants: string[]
  description: string
  advancedOptions: object
  isPinEnabled: true
  repeatOptions: Record<string, unknown>
}

/** One call to the API. `{next}` stands for a future date that the driver looks up. */
export type Change =
  | { kind: 'update'; name: string; body: Body; isQuiet: boolean }
  | { kind: 'cancel-next' | 'cancel-named'; name: string; isQuiet: boolean }
  | { kind: 'change-one'; ofOne: true; name: string; isQuiet: boolean; byMinutes: number; lengthMinutes: number | null }
  | { kind: 'rename-one' | 'undo-one' | 'restore-one'; ofOne: true; name: string; isQuiet: boolean }
  | { kind: 'split'; name: string; isQuiet: boolean; changes: Partial<Body>; byMinutes: number }
  | { kind: 'cancel-all'; name: string; isQuiet: false }

const zones = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC', 'Asia/Tokyo']

const startingAt = (body: Body, start: number, durationMs: number): Body => ({
  ...body,
  startTime: new Date(start).toISOString(),
  endTime: new Date(start + durationMs).toISOString(),
})
const durationOf = ({ startTime, endTime }: Body) => Date.parse(endTime) - Date.parse(startTime)

/** The end of a series: none, in some weeks, after a number of dates or, if it has begun, in the past. */
const someEnd = (random: RandomSource, start: number, now: number) =>
  random.one([
    { endDate: null, count: null },
    { endDate: new Date(Math.max(start, now) + random.between(3, 90) * dayMs).toISOString(), count: null },
    { endDate: new Date(Math.max(start, now - random.between(0, 20) * dayMs) + hourMs).toISOString(), count: null },
    { endDate: null, count: random.between(1, 30) },
  ])

function someRule(random: RandomSource, timeZone: unknown, start: number, now: number): Record<string, unknown> {
  const common = { timeZone, ...someEnd(random, start, now), interval: random.one([1, 1, 2]) }
  const days = Array.from({ length: 7 }, () => random.below(2))
  switch (random.one(['none', 'daily', 'weekly', 'weekly', 'monthly'])) {
    case 'none':
      return { repeat: 'none', timeZone }
    case 'daily':
      return { ...common, repeat: 'daily' }
    case 'monthly':
      return { ...common, repeat: 'monthly', dateInMonth: random.between(1, 28) }
    default:
      return { ...common, repeat: 'weekly', daysOfWeek: days.includes(1) ? days : [0, 1, 0, 0, 1, 0, 0] }
  }
}

export function someMeeting(random: RandomSource, guests: readonly string[], now: number): Body {
  const start = now - (now % hourMs) + random.between(-10 * 24, 15 * 24) * hourMs
  const base = { topic: 'Topic 0', description: '', advancedOptions: {}, isPinEnabled: true as const }
  const times = { startTime: '', endTime: '', repeatOptions: someRule(random, random.one(zones), start, now) }
  const body = { ...base, ...times, participants: guests.filter(() => random.happens(0.8)) }
  return startingAt(body, start, random.one([30, 60, 90]) * 60_000)
}

let topics = 0

/** Changes of this and following occurrences: nothing, other texts, other people, or another time. */
function someSplit(random: RandomSource, guests: readonly string[], isQuiet: boolean): Change {
  const changes: Partial<Body>[] = [
    {},
    {},
    { topic: `Topic ${++topics}` },
    { participants: guests.filter(() => random.happens(0.6)) },
  ]
  const byMinutes = random.one([0, 0, 0, -90, 120, 24 * 60])
  return { kind: 'split', name: 'split', isQuiet, changes: random.one(changes), byMinutes }
}

/** Choose the host's next change. */
export function someChange(random: RandomSource, body: Body, guests: readonly string[], now: number): Change {
  const isQuiet = random.happens(0.3)
  const start = Date.parse(body.startTime)
  const { timeZone } = body.repeatOptions
  const update = (name: string, changed: Body): Change => ({ kind: 'update', name, body: changed, isQuiet })
  const rule = body.repeatOptions
  const changes: (() => Change)[] = [
    () => update('topic', { ...body, topic: `Topic ${++topics}` }),
    () => update('nothing', body),
    () => update('moved by hours', startingAt(body, start + random.between(-6, 6) * hourMs, durationOf(body))),
    () => update('moved by days', startingAt(body, start + random.between(-5, 9) * dayMs, durationOf(body))),
    () => update('longer or shorter', startingAt(body, start, random.one([45, 75]) * 60_000)),
    () => update('into the past', startingAt(body, now - random.between(2, 40) * dayMs, durationOf(body))),
    () => update('zone', { ...body, repeatOptions: { ...rule, timeZone: random.one(zones) } }),
    () => update('rule', { ...body, repeatOptions: someRule(random, timeZone, start, now) }),
    () => update('end', { ...body, repeatOptions: { ...rule, ...someEnd(random, start, now) } }),
    () => update('people', { ...body, participants: guests.filter(() => random.happens(0.6)) }),
    () => update('people', { ...body, participants: guests.filter(() => random.happens(0.6)) }),
    () => ({ kind: 'cancel-next', name: 'cancel the next date', isQuiet }),
    () => ({ kind: 'cancel-named', name: 'cancel a date', isQuiet }),
    () => ({ kind: 'cancel-named', name: 'cancel a date', isQuiet }),
    ...Array.from(
      { length: 4 },
      () => (): Change => ({
        kind: 'change-one',
        ofOne: true,
        name: 'move a date',
        isQuiet,
        byMinutes: random.one([-26 * 60, -90, 0, 60, 150, 26 * 60, 3 * 24 * 60]),
        lengthMinutes: random.one([null, null, 20, 180]),
      }),
    ),
    ...Array.from({ length: 6 }, () => () => someSplit(random, guests, isQuiet)),
    () => ({ kind: 'rename-one', ofOne: true, name: 'rename a date', isQuiet }),
    () => ({ kind: 'undo-one', ofOne: true, name: 'take back the change of a date', isQuiet }),
    () => ({ kind: 'undo-one', ofOne: true, name: 'take back the change of a date', isQuiet }),
    () => ({ kind: 'restore-one', ofOne: true, name: 'restore a date', isQuiet }),
    () => ({ kind: 'restore-one', ofOne: true, name: 'restore a date', isQuiet }),
  ]
  // A cancelled meeting cannot be changed.
  if (random.happens(0.08)) return { kind: 'cancel-all', name: 'cancel all', isQuiet: false }
  return random.one(changes)()
}
