import { test } from 'node:test'
import { assertReceives } from './assert-receives.ts'

for (const heading of ['Node with standardwebhooks', 'Node alone']) {
  test(`${heading}: the receiver of docs/webhooks.md takes each genuine event once, and refuses others`, () =>
    assertReceives({
      heading,
      language: 'js',
      fileName: 'receiver.mjs',
      commandOf: async (file) => [process.execPath, file],
    }))
}
