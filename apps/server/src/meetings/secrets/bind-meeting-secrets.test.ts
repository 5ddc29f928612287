import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unboundSecretsOf } from '../../../test/meetings/unbound-secrets.ts'
import { detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { runTask } from '../../../test/run-task.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { hasOwner } from '../../platform/encryption.ts'
import { createBindSecretsTask } from './bind-meeting-secrets.ts'
import { decryptSecrets } from './meeting-secrets.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped' })
const { database, encryption } = app
const { alice, bob, mallory } = await meetPeople(app)

const logged: object[] = []
const log = { error: (line: object) => void logged.push(line) } as never
const bind = () => runTask(createBindSecretsTask({ database, encryption, log }))

const sealedOf = async (id: string) => {
  const found = database.selectFrom('meeting').select(['id', 'sealedSecrets', 'version']).where('id', '=', id)
  return found.executeTakeFirstOrThrow()
}
const putSecrets = (id: string, sealedSecrets: Buffer) =>
  database.updateTable('meeting').set({ sealedSecrets }).where('id', '=', id).execute()
/** Encrypt them as an earlier version did. */
const asBefore = async (id: string) => putSecrets(id, await unboundSecretsOf(app, id))
const details = async (person: Person, meeting: { _id: string }) => person.send('GET', detailsPath(meeting))

test('binds a new meeting’s secrets to it', async () => {
  const made = await schedule(alice, standUp())
  assert.ok(hasOwner((await sealedOf(made._id)).sealedSecrets))
})

test('reads unbound secrets of earlier versions, and binds them by a job that changes nothing else', async () => {
  const made = await schedule(alice, standUp())
  const [before] = (await details(alice, made)).body
  await asBefore(made._id)
  const [old] = (await details(alice, made)).body
  assert.deepEqual(old, before)
  assert.equal((await enter(made)).state, 'admitted')
  await bind()
  const bound = await sealedOf(made._id)
  assert.ok(hasOwner(bound.sealedSecrets))
  assert.deepEqual((await details(alice, made)).body[0], before)
  assert.equal((await enter(made)).state, 'admitted')
  await bind()
  assert.deepEqual(await sealedOf(made._id), bound, 'nothing is left to do')
})

const enter = async ({ svcMeetId, pin }: { svcMeetId: string; pin: string }) =>
  (await sendRequest(app, 'POST', `/api/rooms/${svcMeetId}/enter`, { pin })).body

test('does not disclose one meeting’s secrets in the row of another', async () => {
  const hers = await schedule(alice, standUp())
  const his = await schedule(mallory, standUp({ participants: [] }))
  await asBefore(hers._id)
  await bind()
  await putSecrets(his._id, (await sealedOf(hers._id)).sealedSecrets)
  const read = await details(mallory, his)
  assert.equal(read.status, 500)
  assert.ok(!JSON.stringify(read.body).includes(hers.pin))
})

test('binds more than one batch, and continues after a row that cannot be decrypted', async () => {
  const made = await schedule(alice, standUp())
  const [broken, ...others] = await Promise.all(
    Array.from({ length: 3 }, () => schedule(bob, standUp({ participants: [] }))),
  )
  for (const { _id } of [made, ...others]) await asBefore(_id)
  const damaged = Buffer.alloc(40)
  damaged.writeUInt8(1)
  await putSecrets(String(broken?._id), damaged)
  // A thousand rows of an earlier version, as in a database that was in use.
  const { rows } = await app.pool.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'meeting' and is_generated = 'NEVER' and column_name not in ('id', 'code')`,
  )
  const names = String(rows[0]?.names)
  await app.pool.query(
    `insert into meeting (id, code, ${names}) select gen_random_uuid(), 7000000000 + n, ${names}
     from meeting, generate_series(0, 1000) as n where id = $1`,
    [made._id],
  )
  await bind()
  const left = await database.selectFrom('meeting').select(['id', 'code', 'sealedSecrets']).execute()
  assert.deepEqual(
    left.filter(({ sealedSecrets }) => !hasOwner(sealedSecrets)).map((meeting) => meeting.id),
    [broken?._id],
  )
  assert.equal(logged.length, 1)
  const many = left.filter(({ code }) => code.startsWith('700000'))
  assert.deepEqual(
    [many.length, new Set(many.map((row) => decryptSecrets(encryption, row).pin))],
    [1001, new Set([made.pin])],
  )
})

test('a stored answer is readable in its own row only', async () => {
  const make = async (person: Person, key: string) =>
    sendRequest(app, 'POST', '/api/meeting', standUp({ participants: [] }), {
      authorization: `Bearer ${person.token}`,
      'idempotency-key': key,
    })
  const hers = await make(alice, 'hers')
  await make(mallory, 'his')
  const move = (key: string, from: string) =>
    app.pool.query(
      `update idempotency_key k set sealed_answer = o.sealed_answer from idempotency_key o
       where k.key = $1 and o.key = $2`,
      [key, from],
    )
  assert.equal((await make(mallory, 'his')).headers.get('idempotency-replayed'), 'true')
  await move('his', 'hers')
  const stolen = await make(mallory, 'his')
  assert.equal(stolen.status, 500)
  assert.ok(!JSON.stringify(stolen.body).includes(hers.body.meetingDetails.pin))
  assert.equal((await make(alice, 'hers')).body.meetingDetails.pin, hers.body.meetingDetails.pin)
})
