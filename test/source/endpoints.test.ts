import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@parley/contract'
import { product, read } from './source-files.ts'

test('each endpoint of the contract is served, by one handler', () => {
  const handlers = product
    .filter((file) => file.startsWith('apps/server/src/'))
    .flatMap((file) => [...read(file).matchAll(/\bserve(?:Client)?\(\s*(\w+),/g)].map(([, name]) => ({ file, name })))
  const wrong = endpoints.flatMap(({ name }) => {
    const serving = handlers.filter((handler) => handler.name === name).map(({ file }) => file)
    return serving.length === 1 ? [] : [`${name} is served by ${serving.join(' and ') || 'no file'}`]
  })
  assert.deepEqual(wrong, [])
})

test('no endpoint that reads a password or a passkey honours Idempotency-Key', () => {
  // Such a key stores a fast hash of the body, and a refusal rolls back what it wrote, such as the use of a challenge.
  const proofs = ['password', 'currentPassword', 'newPassword', 'credential']
  const reading = endpoints.filter(({ body }) => proofs.some((name) => name in Object(body?.properties)))
  assert.ok(reading.length > 5)
  const found = reading.filter(({ idempotent }) => idempotent).map(({ name }) => name)
  assert.deepEqual(found, [])
})
