import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, codeFor } from '../../../test/oauth/token-client.ts'
import { meetPeople } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { deleteExpiredTokens } from './token-store.ts'

const dayMs = 86_400_000

test('deletes tokens that can reveal no replay any more, and a family with its last refresh token', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const service = await startApp({ clock })
  const { olga, alice } = await meetPeople(service)
  const planner = await approvedApp(service, olga)
  const backend = backendOf(service, planner)
  const { database } = service
  const kept = async () => {
    const counts = []
    for (const table of ['authorizationCode', 'accessToken', 'refreshToken', 'tokenFamily'] as const) {
      counts.push(
        (
          await database
            .selectFrom(table)
            .select((all) => all.fn.countAll().as('n'))
            .executeTakeFirst()
        )?.n,
      )
    }
    return counts
  }
  const expiresAt = async (time: number) => {
    clock.set(new Date(time))
    await deleteExpiredTokens(database, clock.now())
    return kept()
  }

  const start = clock.now().getTime()
  const code = await codeFor(service, planner, alice, { clock })
  const { body: first } = await backend.exchange(code)
  clock.advance(10 * dayMs)
  await expectOk(backend.refresh(first.refresh_token))
  assert.deepEqual(await kept(), [1, 2, 2, 1])

  const codeEnd = start + 300_000 + 7 * dayMs
  assert.deepEqual(await expiresAt(codeEnd - 1), [1, 1, 2, 1])
  assert.deepEqual(await expiresAt(codeEnd), [0, 1, 2, 1])
  const accessTokenEnd = start + 12 * dayMs
  assert.deepEqual(await expiresAt(accessTokenEnd - 1), [0, 1, 2, 1])
  assert.deepEqual(await expiresAt(accessTokenEnd), [0, 0, 2, 1])
  const parentEnd = start + 90 * dayMs
  assert.deepEqual(await expiresAt(parentEnd - 1), [0, 0, 2, 1])
  assert.deepEqual(await expiresAt(parentEnd), [0, 0, 1, 1])
  assert.deepEqual(await expiresAt(parentEnd + 10 * dayMs - 1), [0, 0, 1, 1])
  assert.deepEqual(await expiresAt(parentEnd + 10 * dayMs), [0, 0, 0, 0])
})

test('a rotated refresh token ends its family even after its own sixty days', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const service = await startApp({ clock })
  const { olga, alice } = await meetPeople(service)
  const planner = await approvedApp(service, olga)
  const backend = backendOf(service, planner)
  const { body: first } = await backend.exchange(await codeFor(service, planner, alice, { clock }))
  clock.advance(59 * dayMs)
  const { body: second } = await backend.refresh(first.refresh_token)
  clock.advance(30 * dayMs)
  await deleteExpiredTokens(service.database, clock.now())
  assert.equal((await backend.refresh(first.refresh_token)).status, 400)
  assert.equal((await backend.refresh(second.refresh_token)).status, 400)
})
