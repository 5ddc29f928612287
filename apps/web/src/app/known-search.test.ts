import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownSearch } from './known-search.ts'

const read = knownSearch(({ view }): { view?: 'log' } => (view === 'log' ? { view } : {}))

test('merged over the raw search parameters, unknown ones are undefined', () => {
  const shownTo = (sent: Record<string, unknown>) => ({ ...sent, ...read(sent) })
  assert.deepEqual(shownTo({ view: 'log', next: 'javascript:' }), { view: 'log', next: undefined })
  assert.deepEqual(shownTo({ view: 'bogus' }), { view: undefined })
})
