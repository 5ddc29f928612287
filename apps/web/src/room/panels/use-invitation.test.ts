import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPin } from './use-invitation.ts'

const rows = [
  ['k7m2xq', 'k7m2xq'],
  ['K7M2XQ', 'k7m2xq'],
  ['12345678', undefined],
  ['k7m2x', undefined],
  ['', undefined],
  [undefined, undefined],
] as const

for (const [pin, shared] of rows) test(`${pin} is shared as ${shared}`, () => assert.equal(sharedPin(pin), shared))
