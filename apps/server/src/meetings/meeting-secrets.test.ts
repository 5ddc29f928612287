import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ emails: 'dropped' })
const { alice, mallory } = await meetPeople(app)

test('does not disclose one meeting’s secrets in the row of another', async () => {
  const hers = await schedule(alice, standUp())
  const his = await schedule(mallory, standUp({ participants: [] }))
  await app.pool.query(
    `update meeting m set sealed_secrets = o.sealed_secrets from meeting o where m.id = $1 and o.id = $2`,
    [his._id, hers._id],
  )
  const read = await expectProblem(mallory.send('GET', detailsPath(his)), 'internal_error')
  assert.ok(!JSON.stringify(read).includes(hers.pin))
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
  const stolen = await expectProblem(make(mallory, 'his'), 'internal_error')
  assert.ok(!JSON.stringify(stolen).includes(hers.body.meetingDetails.pin))
  assert.equal((await make(alice, 'hers')).body.meetingDetails.pin, hers.body.meetingDetails.pin)
})
