import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { guestsToNotify, type Recipient } from './guests-to-notify.ts'

const now = new Date('2030-01-01T00:00:00Z')
const seriesAt = (start: string): Series => ({
  startsAt: new Date(start),
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
})
const [ahead, over] = [seriesAt('2030-01-07T09:00:00Z'), seriesAt('2029-12-03T09:00:00Z')]
const running = seriesAt('2029-12-31T23:45:00Z')

/**
 * Bob's calendar shows the state before the change, Carol's an older one, Dan's no longer has the meeting; Erin was
 * never mailed.
 */
const recipients: Recipient[] = [
  { addressKey: 'bob', holds: 'state-before' },
  { addressKey: 'carol', holds: 'another-state' },
  { addressKey: 'dan', holds: 'nothing' },
]
const all = ['bob', 'carol', 'dan', 'erin']

/** Each: what happened, before, after, whether the content changed, who is invited, who is notified. */
const rows: [string, Series | null, Series | null, boolean, string[], string][] = [
  ['a changed meeting', ahead, ahead, true, all, 'bob carol dan erin'],
  ['only the participants change', ahead, ahead, false, all, 'carol dan erin'],
  ['a guest is removed', ahead, ahead, false, ['carol'], 'carol bob'],
  ['all guests are removed', ahead, ahead, false, [], 'bob carol'],
  ['a change to a past meeting', over, over, true, all, 'carol'],
  ['a guest is removed from a past meeting', over, over, false, ['erin'], 'carol'],
  ['moved into the past', ahead, over, true, all, 'bob carol'],
  ['moved out of the past', over, ahead, true, all, 'bob carol dan erin'],
  ['a change while the meeting runs', running, running, true, all, 'bob carol dan erin'],
  ['cancelled', ahead, null, true, all, 'bob carol'],
  ['cancelled after it was over', over, null, true, all, 'carol'],
]
for (const [name, before, after, isContentChanged, invited, expected] of rows) {
  test(`notifies for ${name}: ${expected}`, () => {
    const change = { before, after, isContentChanged, invited, recipients }
    assert.equal(guestsToNotify(change, now).join(' '), expected)
  })
}
