import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Person, signUp, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const pathOf = ({ profile }: Person) => `/api/admin/accounts/${profile._id}`
const app = await startApp({ environment: { TENANTS: 'acme.test=Acme' } })
const olga = await signUp(app, 'Olga')

test('grants and removes roles, with effect on the next request', async () => {
  const alice = await signUp(app, 'Alice')
  const given = await olga.send('PUT', pathOf(alice), { admin: true, reviewer: true, oauthEnabled: true })
  assert.equal(given.status, 200)
  const { admin, reviewer, oauthEnabled, disabled } = given.body
  assert.deepEqual(
    { admin, reviewer, oauthEnabled, disabled },
    {
      admin: true,
      reviewer: true,
      oauthEnabled: true,
      disabled: false,
    },
  )
  assert.equal((await alice.send('GET', '/api/admin/accounts')).status, 200)
  assert.deepEqual((await alice.send('GET', '/api/my_profile')).body.roleIds, ['administrator', 'reviewer'])
  const taken = await olga.send('PUT', pathOf(alice), { admin: false })
  assert.deepEqual([taken.body.admin, taken.body.reviewer], [false, true])
  assert.equal((await alice.send('GET', '/api/admin/accounts')).status, 403)
})

test('audits each change with both values and its administrator, and no unchanged value', async () => {
  const bob = await signUp(app, 'Bob')
  await olga.send('PUT', pathOf(bob), { reviewer: true, admin: false })
  await olga.send('PUT', pathOf(bob), { reviewer: true })
  await olga.send('PUT', pathOf(bob), {})
  const { rows } = await sql
    .raw(`select actor_id, action, detail, address from audit_entry
      where subject_id = '${bob.profile._id}' and action = 'account.updated'`)
    .execute(app.database)
  assert.deepEqual(rows, [
    {
      actorId: olga.profile._id,
      action: 'account.updated',
      detail: { reviewer: { before: false, after: true } },
      address: '127.0.0.1',
    },
  ])
})

test('disabling ends every session and token at once, and enabling restores none', async () => {
  const carol = await signUp(app, 'Carol')
  await carol.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['user:read'] })
  assert.equal((await olga.send('PUT', pathOf(carol), { disabled: true })).body.disabled, true)
  assert.equal((await carol.send('GET', '/api/my_profile')).status, 401)
  assert.equal((await olga.send('PUT', pathOf(carol), { disabled: false })).body.disabled, false)
  assert.equal((await carol.send('GET', '/api/my_profile')).status, 401)
})

test('refuses to remove the last administrator', async () => {
  const alone = await startApp()
  const root = await signUp(alone, 'Root')
  const dave = await signUp(alone, 'Dave')
  for (const change of [{ admin: false }, { disabled: true }, { admin: false, disabled: true }]) {
    const { status, body } = await root.send('PUT', pathOf(root), change)
    assert.equal(status, 409)
    assert.equal(body.code, 'last_administrator')
  }
  await root.send('PUT', pathOf(dave), { admin: true, disabled: true })
  assert.equal(
    (await root.send('PUT', pathOf(root), { admin: false })).status,
    409,
    'one who is disabled does not count',
  )
  await root.send('PUT', pathOf(dave), { disabled: false })
  assert.equal((await root.send('PUT', pathOf(root), { admin: false })).status, 200)
})

test('keeps one administrator when two remove the role from each other at once', async () => {
  const pair = await startApp()
  const one = await signUp(pair, 'One')
  const other = await signUp(pair, 'Other')
  for (let round = 0; round < 5; round++) {
    await one.send('PUT', pathOf(other), { admin: true })
    const answers = await Promise.all([
      one.send('PUT', pathOf(other), { admin: false }),
      other.send('PUT', pathOf(one), { admin: false }),
    ])
    const { rows } = await sql.raw('select id from account where administrator').execute(pair.database)
    assert.equal(rows.length, 1, answers.map(({ status }) => status).join())
    await sql.raw(`update account set administrator = (id = '${one.profile._id}')`).execute(pair.database)
  }
})

test('answers not found for another organisation’s account, and for an invalid id', async () => {
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  const noOne = wile.profile._id.replace(/.{4}$/, '0000')
  for (const id of [wile.profile._id, noOne, 'me', '1', 'x'.repeat(200), '%00', '..%2f']) {
    const { status, body } = await olga.send('PUT', `/api/admin/accounts/${id}`, { disabled: true })
    assert.equal(status, 404, id)
    assert.equal(body.code, 'account_not_found')
  }
  assert.equal((await wile.send('GET', '/api/my_profile')).status, 200)
})

test('accepts only booleans, and reports all violations at once', async () => {
  const answer = await olga.send('PUT', pathOf(olga), { admin: 'yes', reviewer: 1, oauthEnabled: null, disabled: [] })
  assert.deepEqual(
    violationsOf(answer),
    ['/admin', '/disabled', '/oauthEnabled', '/reviewer'].map((field) => `${field} wrong_type`),
  )
})

test('allows only administrators', async () => {
  const erin = await signUp(app, 'Erin')
  const { status, body } = await erin.send('PUT', pathOf(erin), { admin: true })
  assert.equal(status, 403)
  assert.equal(body.code, 'administrator_required')
})
