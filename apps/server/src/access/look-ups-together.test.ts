import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLookUpsTogether } from './look-ups-together.ts'

test('each gets the row of its key, in whatever order they are found, and undefined where there is none', async () => {
  const known = ['carol', 'alice', 'bob'].map((name) => ({ name }))
  const asked: string[][] = []
  const lookUp = createLookUpsTogether(
    async (keys) => {
      asked.push(keys.map(String))
      return known.filter(({ name }) => asked.at(-1)?.includes(name))
    },
    ({ name }) => Buffer.from(name),
  )
  const names = ['alice', 'bob', 'mallory', 'carol', 'bob']
  const found = await Promise.all(names.map((name) => lookUp(Buffer.from(name))))
  assert.deepEqual(
    found.map((row) => row?.name),
    ['alice', 'bob', undefined, 'carol', 'bob'],
  )
  assert.deepEqual(asked, [['alice'], ['bob', 'mallory', 'carol', 'bob']])
})
