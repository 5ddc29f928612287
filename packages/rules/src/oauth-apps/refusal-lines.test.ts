import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CountedRefusals,
  hourOf,
  maxCausesInHour,
  maxRequestIds,
  otherCauses,
  planRefusalLines,
} from './refusal-lines.ts'

const at = new Date('2030-01-07T09:59:59.999Z')
const refusal = (cause: string, more: Partial<CountedRefusals> = {}): CountedRefusals => ({
  appId: 'app',
  sandbox: false,
  kind: 'client_refused',
  cause,
  hour: hourOf(at),
  count: 1,
  requestIds: ['r'],
  first: at,
  last: at,
  ...more,
})
const causes = (count: number) => Array.from({ length: count }, (_, index) => `Cause ${index}`)
const planned = (refusals: readonly CountedRefusals[], known: readonly CountedRefusals[] = []) =>
  planRefusalLines(refusals, known).map(({ cause, count }) => [cause, count])

test('an hour begins on the hour', () => {
  assert.equal(hourOf(at).toISOString(), '2030-01-07T09:00:00.000Z')
  assert.equal(hourOf(new Date('2030-01-07T10:00:00Z')).toISOString(), '2030-01-07T10:00:00.000Z')
})

test('refusals of one cause share a line, with the ids of the newest requests', () => {
  const later = new Date('2030-01-07T09:59:59.999Z')
  const many = Array.from({ length: maxRequestIds + 1 }, (_, index) => refusal('Wrong.', { requestIds: [`r${index}`] }))
  const [line, ...others] = planRefusalLines([...many, refusal('Wrong.', { last: later, count: 5 })], [])
  assert.equal(others.length, 0)
  assert.deepEqual([line?.count, line?.first, line?.last], [maxRequestIds + 6, at, later])
  assert.equal(line?.requestIds.length, maxRequestIds)
  assert.deepEqual(line?.requestIds.slice(0, 2), ['r', `r${maxRequestIds}`])
})

test('environments, kinds, hours and apps have lines of their own', () => {
  const different = [{ sandbox: true }, { kind: 'token_refused' }, { hour: new Date(0) }, { appId: 'other' }]
  assert.equal(planRefusalLines([refusal('Wrong.'), ...different.map((one) => refusal('Wrong.', one))], []).length, 5)
})

test('beyond the limit of causes in an hour, refusals share the line of other causes', () => {
  const known = causes(maxCausesInHour - 1).map((cause) => refusal(cause))
  assert.deepEqual(planned([refusal('Last one'), refusal('Too many'), refusal('More')], known), [
    ['Last one', 1],
    [otherCauses, 2],
  ])
  // What has a line already keeps it, and another app has its own limit.
  const full = [...known, refusal('Last one'), refusal(otherCauses)]
  assert.deepEqual(planned([refusal('Cause 3'), refusal('New'), refusal('New', { appId: 'other' })], full), [
    ['Cause 3', 1],
    [otherCauses, 1],
    ['New', 1],
  ])
})

test('refusals that were counted as of other causes before do not use up a cause', () => {
  const refusals = [refusal(otherCauses, { count: 7 }), ...causes(maxCausesInHour).map((cause) => refusal(cause))]
  const lines = planRefusalLines(refusals, [])
  assert.equal(lines.length, maxCausesInHour + 1)
  assert.equal(lines.find(({ cause }) => cause === otherCauses)?.count, 7)
})
