import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { expectAnswer } from '../test/one-connection.ts'
import { standUp } from '../test/people.ts'
import { createTestDatabase } from '../test/postgres/test-database.ts'
import { runParley } from '../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

const writers = 8

test('a backup under load holds everything acknowledged before it, and nothing partially', async (t) => {
  const [from, to] = await Promise.all([createTestDatabase(), createTestDatabase()])
  t.after(() => Promise.all([from.drop(), to.drop()]))
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t), RATE_LIMITS: 'off' }
  const environment = { ...key, DATABASE_URL: from.url }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')

  const acknowledged: string[] = []
  let isOver = false
  const write = async () => {
    while (!isOver) {
      // Fails with any status but 200: writers notice nothing of the backup.
      const { _id } = await olga.schedule(standUp({ participants: ['bob@example.org', 'carol@example.org'] }))
      acknowledged.push(_id)
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  while (acknowledged.length < 200) await new Promise((resolve) => setTimeout(resolve, 20))
  const before = acknowledged.slice()
  const file = join(key.DATA_DIR, 'loaded.backup')
  const saved = await runParley(t, environment, 'backup', file)
  const after = acknowledged.length
  isOver = true
  await writing
  assert.equal(saved.code, 0, saved.output)
  assert.ok(after > before.length, 'people went on writing meanwhile')

  const there = { ...key, DATABASE_URL: to.url }
  const restored = await runParley(t, there, 'restore', '--drop-waiting', file)
  assert.equal(restored.code, 0, restored.output)
  const client = new pg.Client(to.url)
  await client.connect()
  const { rows: kept } = await client.query<{ id: string; people: number }>(
    'select id, (select count(*)::integer from participant where meeting_id = meeting.id) as people from meeting',
  )
  await client.end()
  const ids = new Set(kept.map(({ id }) => id))
  assert.deepEqual(
    before.filter((id) => !ids.has(id)),
    [],
    'acknowledged before the backup, and lost',
  )
  assert.deepEqual(
    kept.filter(({ people }) => people !== 2),
    [],
    'a meeting without its people',
  )
  const copy = await runService(t, { environment: there })
  const read = (base: string) =>
    expectAnswer(base, 200, 'GET', `/api/meeting/meetingDetails/${before[0]}`, { token: olga.token })
  assert.equal((await read(copy.base)).body[0].pin, (await read(service.base)).body[0].pin)
})
