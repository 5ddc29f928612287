import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { endpoints } from '@parley/contract'
import { product, read, root } from './source-files.ts'

test('each endpoint of the contract has one handler file and one test file of its name', () => {
  const server = product.filter((file) => file.startsWith('apps/server/src/'))
  const serving = server.flatMap((file) =>
    [...read(file).matchAll(/\bserve(?:Client)?\(\s*(\w+),/g)].map(([, name]) => ({ file, name })),
  )
  const wrong = endpoints.flatMap(({ name }) => {
    const expected = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
    const handlers = serving.filter((served) => served.name === name).map(({ file }) => file)
    const [handler] = handlers
    if (handler === undefined) return [`${name} has no handler`]
    if (handlers.length > 1) return [`${name} is served by ${handlers.join(' and ')}`]
    if (basename(handler) !== expected) return [`${name} is served by ${handler}, not by a file named ${expected}`]
    const tests = handler.replace(/\.ts$/, '.test.ts')
    return existsSync(join(root, tests)) ? [] : [`${name} has no ${tests}`]
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
