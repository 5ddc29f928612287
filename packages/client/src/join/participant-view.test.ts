import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityIn } from './participant-view.ts'

const rows: [string | undefined, string, boolean][] = [
  ['{"role":"host","guest":false}', 'host', false],
  ['{"role":"host","guest":true}', 'host', true],
  ['{"role":"cohost","guest":false}', 'cohost', false],
  ['{"role":"participant","guest":false}', 'participant', false],
  ['{"role":"owner","guest":false}', 'participant', false],
  // Only the service's word makes a person more than a guest.
  ['{"role":"cohost"}', 'cohost', true],
  ['{"role":"host","guest":"false"}', 'host', true],
  ['not JSON', 'participant', true],
  ['null', 'participant', true],
  [undefined, 'participant', true],
]
for (const [metadata, role, isGuest] of rows)
  test(`a participant with the metadata ${metadata}`, () => assert.deepEqual(identityIn(metadata), { role, isGuest }))
