import assert from 'node:assert/strict'
import { cancelPath, type Person, standUp } from '../../apps/server/test/people.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Whole minutes, so that a time on a page can be compared with it. */
const inMs = (distanceMs: number) => new Date(Math.floor((Date.now() + distanceMs) / minuteMs) * minuteMs).toISOString()

/** From so far in the future to so far. */
export const between = (fromMs: number, toMs: number) => ({ startTime: inMs(fromMs), endTime: inMs(toMs) })

/** Schedules a meeting that must be taken, and tells nobody by mail. */
export async function scheduleQuietly(host: Person, meeting: object = standUp()) {
  const { status, body } = await host.ask('POST', '/api/meeting?sendUpdates=none', meeting)
  assert.equal(status, 200, JSON.stringify(body))
  return body.meetingDetails
}

export async function cancelQuietly(host: Person, meeting: { _id: string }) {
  const { status } = await host.ask('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
  assert.equal(status, 200)
}
