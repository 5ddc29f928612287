import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetingColours } from '@parley/contract'
import { colourOf } from './meeting-colour.ts'

const id = '019aa4c2-6f00-7000-8000-3ee714600003'

test('a meeting has the colour that the person has chosen, and always the same one where none is chosen', () => {
  assert.equal(colourOf({ id, colourSeed: null, ownColour: 'pink' }), 'pink')
  const colour = colourOf({ id, colourSeed: null, ownColour: null })
  assert.ok(meetingColours.includes(colour))
  assert.equal(colourOf({ id, colourSeed: null, ownColour: null }), colour)
})

test('a part of a split series has the colour of the first part', () => {
  const part = '019aa4c2-6f00-7000-8000-3ee714600004'
  const ofFirst = colourOf({ id, colourSeed: null, ownColour: null })
  assert.notEqual(colourOf({ id: part, colourSeed: null, ownColour: null }), ofFirst)
  assert.equal(colourOf({ id: part, colourSeed: id, ownColour: null }), ofFirst)
})

test('the ids of many meetings get every colour', () => {
  const ids = Array.from({ length: 64 }, (_, number) => id.slice(0, -2) + number.toString(16).padStart(2, '0'))
  const found = new Set(ids.map((one) => colourOf({ id: one, colourSeed: null, ownColour: null })))
  assert.equal(found.size, meetingColours.length)
})
