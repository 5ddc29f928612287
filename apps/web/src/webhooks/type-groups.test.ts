import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventTypeNames } from '@parley/contract'
import { languages } from '@parley/texts/languages'
import { groupTypes, isSelectable, nounOf, typeKey } from './type-groups.ts'

test('groups the types by noun, without those that every webhook is sent', () => {
  const groups = groupTypes(eventTypeNames.filter(isSelectable))
  assert.deepEqual(
    groups.map(({ noun }) => noun),
    ['meeting', 'participant', 'invitation', 'grant', 'app', 'secret'],
  )
  assert.ok(groups[0]?.types.includes('meeting.occurrence.updated'))
  assert.equal(groups.flatMap(({ types }) => types).length, eventTypeNames.length - 3)
})

test('every type and every noun of the catalogue has a text in every language, and no other has one', () => {
  for (const { code } of languages) {
    const file = join(import.meta.dirname, `../../../../packages/texts/${code}/webhooks.json`)
    const { types, nouns } = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(Object.keys(types).toSorted(), eventTypeNames.map(typeKey).toSorted(), code)
    const selectable = eventTypeNames.filter(isSelectable)
    assert.deepEqual(Object.keys(nouns).toSorted(), [...new Set(selectable.map(nounOf))].toSorted(), code)
  }
})
