import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectAnswer } from '../../test/one-connection.ts'
import { createTestDatabase } from '../../test/postgres/test-database.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
import { signUp } from '../../test/processes/service-people.ts'
import { noTables } from '../platform/database/migrate.ts'

const newPassword = 'a wholly new passphrase'

test('an operator lists, disables, enables and invites accounts without a signed-in administrator', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const key = { SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const environment = { ...key, DATABASE_URL: database.url, SIGN_UP: 'open' }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  const dan = await signUp(service.base, 'Dan')
  await dan.schedule()
  const parley = (...words: string[]) => runParley(t, environment, ...words)
  const me = (status: number) => expectAnswer(service.base, status, 'GET', '/api/my_profile', { token: dan.token })

  const listed = await parley('account', 'list')
  assert.ok(
    listed.output.includes(`${olga.userId}\tolga@example.org\tOlga Test\tadministrator,reviewer,oauth`),
    listed.output,
  )
  const shown = await parley('account', 'show', 'DAN@example.org')
  assert.match(shown.output, /^rights: +none$/m)
  assert.match(shown.output, /^meetings: +1$/m)

  assert.match(
    (await parley('account', 'disable', dan.userId)).output,
    /^The account of dan@example\.org is disabled\.$/m,
  )
  await me(401)
  const refused = await parley('account', 'disable', olga.email)
  assert.deepEqual([refused.code, /is the last administrator/.test(refused.output)], [1, true], refused.output)
  assert.equal((await parley('account', 'enable', dan.email)).code, 0)

  const reset = await parley('account', 'reset-password', dan.email)
  const token = /reset-password#token=(rst_\w{49})$/m.exec(reset.output)?.[1]
  await expectAnswer(service.base, 200, 'POST', '/api/auth/password-reset', { body: { token, newPassword } })
  const body = { email: dan.email, password: newPassword }
  await expectAnswer(service.base, 200, 'POST', '/api/auth/sign-in', { body })

  const invited = await parley('account', 'invite', 'erin@example.org')
  assert.match(invited.output, /^http:\/\/parley\.localhost\/sign-up#invitation=inv_\w{49}&email=\S+%40\S+$/m)
  const known = await parley('account', 'invite', dan.email)
  assert.match(known.output, /has an account already: account reset-password/)

  assert.equal((await parley('account', 'delete', '--hand-over', dan.email)).code, 0)
  await expectAnswer(service.base, 401, 'POST', '/api/auth/sign-in', { body })
  assert.match((await parley('account', 'show', dan.userId)).output, /was deleted on \d{4}-/)
  const { entries } = (await expectAnswer(service.base, 200, 'GET', '/api/admin/audit-log', { token: olga.token })).body
  const ofOperator = entries.filter(({ detail }: { detail: { by?: string } }) => detail.by === 'operator')
  assert.deepEqual(
    ofOperator.map(({ action }: { action: string }) => action),
    ['account.deleted', 'account.invited', 'account.updated', 'account.updated', 'account.updated'],
  )

  const written = await parley('mail', 'test', 'olga@example.org')
  assert.match(written.output, /^There is no SMTP_URL: the mail is a file in /)
  const away = { SMTP_URL: 'smtp://user:hush@127.0.0.1:1', MAIL_FROM: 'parley@example.org' }
  const failed = await runParley(t, { ...environment, ...away }, 'mail', 'test', 'olga@example.org')
  assert.deepEqual([failed.code, failed.output.includes('hush')], [1, false])
  assert.match(failed.output, /^The mail server did not take the mail from parley@example\.org to olga@example\.org: E/)
})

test('admin create makes the first administrator, who chooses a password by the printed link', async (t) => {
  const environment = { DATA_DIR: await dataFolderOf(t) }
  const early = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.deepEqual([early.code, early.output], [1, noTables])
  const { base } = await runService(t, { environment })
  const made = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.equal(made.code, 0, made.output)
  assert.match(made.output, /^Olga@example\.org has an account, and is an administrator and reviewer\.$/m)
  const token = /^http:\/\/parley\.localhost\/reset-password#token=(rst_\w{49})$/m.exec(made.output)?.[1]

  const common = { token, newPassword: 'changeme' }
  await expectAnswer(base, 400, 'POST', '/api/auth/password-reset', { body: common })
  await expectAnswer(base, 200, 'POST', '/api/auth/password-reset', { body: { token, newPassword } })
  const body = { email: 'olga@example.org', password: newPassword }
  const { user, token: session } = (await expectAnswer(base, 200, 'POST', '/api/auth/sign-in', { body })).body
  assert.deepEqual(user.roleIds, ['administrator', 'reviewer'])
  const { entries } = (await expectAnswer(base, 200, 'GET', '/api/admin/audit-log', { token: session })).body
  const byOperator = entries.filter(({ operator }: { operator: boolean }) => operator)
  assert.deepEqual(
    byOperator.map(({ action, actor }: { action: string; actor: unknown }) => [action, actor]),
    [['account.created', null]],
  )
  const { entries: own } = (await expectAnswer(base, 200, 'GET', '/api/auth/security-log', { token: session })).body
  const authors = own.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`)
  assert.ok(authors.includes('account.created organisation'), authors.join())
})
