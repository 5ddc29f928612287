import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readingOf } from '../../test/browser-less.ts'
import { faultPage } from '../pages/fault-page.ts'
import { problem } from '../platform/problem.ts'
import { faultOf, PageFault, pageFaults } from './page-fault.ts'

test('every fault says what happened, who can fix it, and the request id', () => {
  const faults = Object.keys(pageFaults).map((code) => faultOf(new PageFault(code as keyof typeof pageFaults)))
  for (const fault of [...faults, faultOf(problem('internal_error')), faultOf(problem('malformed_request'))]) {
    const { status, main } = faultPage(fault, 'the-request-id')
    assert.ok(status >= 400)
    const reading = readingOf({ text: main.markup })
    assert.match(reading, /^.{10,} (You|The app’s developer|The administrator of this service) can fix this .{10,}/)
    assert.ok(reading.endsWith('Request id: the-request-id'))
  }
})

test('what goes wrong on our side is for the administrator, what was sent wrongly for the visitor', () => {
  assert.equal(faultOf(problem('unavailable')).fixer, 'administrator')
  assert.equal(faultOf(problem('unavailable')).status, 503)
  assert.equal(faultOf(problem('internal_error')).status, 500)
  assert.equal(faultOf(problem('address_too_long')).fixer, 'visitor')
})
