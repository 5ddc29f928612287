import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPhase } from './end-phase.ts'

const phaseAt = (time: string) => endPhase('2030-01-07T10:00:00Z', new Date(`2030-01-${time}Z`))

test('tells five minutes before the planned end and from the end on, and shows the time a day before', () => {
  const rows: [string, string][] = [
    ['06T09:59:59', 'far'],
    ['06T10:00:00', 'later'],
    ['07T09:54:59', 'later'],
    ['07T09:55:00', 'soon'],
    ['07T09:59:59', 'soon'],
    ['07T10:00:00', 'over'],
  ]
  for (const [time, phase] of rows) assert.equal(phaseAt(time), phase, time)
})

test('an own room has no end', () => assert.equal(endPhase(null, new Date()), 'none'))
