import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUnknownParameters } from './without-unknown-parameters.ts'

const read = withoutUnknownParameters(({ view }): { view?: 'log' } => (view === 'log' ? { view } : {}))

test('sets unknown search parameters to undefined, so that they override the raw ones', () => {
  const shownTo = (sent: Record<string, unknown>) => ({ ...sent, ...read(sent) })
  assert.deepEqual(shownTo({ view: 'log', next: 'javascript:' }), { view: 'log', next: undefined })
  assert.deepEqual(shownTo({ view: 'bogus' }), { view: undefined })
})
