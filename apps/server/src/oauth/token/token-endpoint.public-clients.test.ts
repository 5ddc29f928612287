import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import {
  backendOf,
  basic,
  causesOf,
  codeFor,
  introspectPath,
  postForm,
  revokePath,
  tokenPath,
} from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const verifier = 'a'.repeat(43)
const codeChallenge = hash('sha256', verifier, 'base64url')

/** Meet Alice, who uses a page, a native app and an app with a server. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  const planner = await approvedApp(service, dana, { clientType: 'single_page' })
  const pocket = await approvedApp(service, dana, { name: 'Pocket', clientType: 'native' })
  const office = await approvedApp(service, dana, { name: 'Office' })
  const codeOf = (app = planner, more = {}) => codeFor(service, app, alice, { clock, codeChallenge, ...more })
  async function connect(app = planner, more = {}) {
    const body = await expectOk(
      backendOf(service, app, 'sandbox' in more ? 'sandbox' : 'real').exchange(await codeOf(app, more), {
        code_verifier: verifier,
      }),
    )
    return body as { access_token: string; refresh_token: string; expires_in: number }
  }
  return { alice, dana, planner, pocket, office, page: backendOf(service, planner), codeOf, connect }
}

const profileStatus = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status

test('a public client exchanges a code by its id and the verifier, for an access token of one hour', async () => {
  const { planner, pocket, connect } = await scene()
  for (const app of [planner, pocket]) {
    const { access_token: token, expires_in } = await connect(app)
    assert.equal(expires_in, 3_600)
    assert.equal(await profileStatus(token), 200)
    clock.advance(3_599_000)
    assert.equal(await profileStatus(token), 200)
    clock.advance(1_000)
    assert.equal(await profileStatus(token), 401)
  }
})

test('the sandbox of a public client works alike', async () => {
  const { pocket, connect } = await scene()
  const { access_token: token, expires_in } = await connect(pocket, { sandbox: true })
  assert.equal(expires_in, 3_600)
  assert.equal(await profileStatus(token), 200)
})

test('a public client without the verifier, or with a wrong one, gets nothing', async () => {
  const { page, codeOf } = await scene()
  const code = await codeOf()
  for (const wrong of [{}, { code_verifier: 'b'.repeat(43) }]) {
    const { status, body } = await page.exchange(code, wrong)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  }
  assert.equal((await page.exchange(code, { code_verifier: verifier })).status, 200)
})

test('a confidential client never passes without its secret', async () => {
  const { office, codeOf } = await scene()
  const code = await codeOf(office)
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: office.clientId }
  for (const more of [{}, { client_secret: '' }]) {
    const { status, body } = await postForm(service, tokenPath, { ...form, ...more })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  }
  await expectOk(backendOf(service, office).exchange(code, { code_verifier: verifier }))
})

test('a public client that sends a secret is refused, and its code stays', async () => {
  const { planner, page, codeOf } = await scene()
  const code = await codeOf()
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier }
  const { clientId } = planner
  const inForm = await postForm(service, tokenPath, { ...form, client_id: clientId, client_secret: 'secret' })
  const inHeader = await postForm(service, tokenPath, form, { authorization: basic(clientId, '') })
  for (const { status, body } of [inForm, inHeader]) assert.deepEqual([status, body.error], [401, 'invalid_client'])
  assert.equal((await page.exchange(code, { code_verifier: verifier })).status, 200)
})

test('a secret from before an app became public is worth nothing', async () => {
  const { dana, codeOf } = await scene()
  const changed = await approvedApp(service, dana, { name: 'Changed' })
  await service.database.updateTable('app').set({ clientType: 'native' }).where('id', '=', changed.appId).execute()
  const { status, body } = await backendOf(service, changed).exchange(await codeOf(changed), {
    code_verifier: verifier,
  })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})

test('a public client cannot redeem the code of another client', async () => {
  const { office, page, codeOf } = await scene()
  const code = await codeOf(office)
  const { status, body } = await page.exchange(code, { code_verifier: verifier })
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
})

test('calls at the same time that each refresh get the same tokens', async () => {
  const { page, connect } = await scene()
  const first = await connect()
  const refreshed = await Promise.all(Array.from({ length: 4 }, () => page.refresh(first.refresh_token)))
  assert.deepEqual(new Set(refreshed.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(refreshed.map(({ body }) => body.access_token + body.refresh_token)).size, 1)
  assert.equal(await profileStatus(refreshed[0]?.body.access_token), 200)
})

test('a call that is a step behind others of the same program gets the newest tokens', async () => {
  const { page, connect } = await scene()
  const first = await connect()
  const second = await page.refresh(first.refresh_token)
  const third = await page.refresh(second.body.refresh_token)
  const late = await page.refresh(first.refresh_token)
  assert.deepEqual([late.status, late.body.refresh_token], [200, third.body.refresh_token])
  assert.equal(late.body.access_token, third.body.access_token)
  clock.advance(9_999)
  assert.equal((await page.refresh(second.body.refresh_token)).body.refresh_token, third.body.refresh_token)
  clock.advance(1)
  assert.equal((await page.refresh(first.refresh_token)).status, 400)
  assert.equal((await page.refresh(third.body.refresh_token)).status, 400)
})

test('a refresh token that was followed by more than sixteen in ten seconds is a replay', async () => {
  const { page, connect } = await scene()
  const first = await connect()
  let newest = first.refresh_token
  const use = async () => {
    newest = (await page.refresh(newest)).body.refresh_token
  }
  for (let times = 0; times < 17; times++) await use()
  assert.deepEqual((await page.refresh(first.refresh_token)).body.refresh_token, newest)
  await use()
  assert.equal((await page.refresh(first.refresh_token)).status, 400)
  assert.equal((await page.refresh(newest)).status, 400)
})

test('a thief who is fast has the tokens of the owner, and the next refresh of either ends both', async () => {
  const { planner, page, connect } = await scene()
  const first = await connect()
  const owner = await page.refresh(first.refresh_token)
  const thief = await page.refresh(first.refresh_token)
  assert.equal(thief.body.refresh_token, owner.body.refresh_token)
  clock.advance(3_600_000)
  assert.equal((await page.refresh(thief.body.refresh_token)).status, 200)
  clock.advance(10_000)
  assert.equal((await page.refresh(owner.body.refresh_token)).status, 400)
  assert.ok((await causesOf(service, planner)).some((cause) => cause.startsWith('refresh_replayed: ')))
})

test('a refresh token of a public client rotates, and its second use after ten seconds ends the family', async () => {
  const { planner, page, connect } = await scene()
  const first = await connect()
  const second = await page.refresh(first.refresh_token)
  assert.deepEqual([second.status, second.body.expires_in], [200, 3_600])
  assert.notEqual(second.body.refresh_token, first.refresh_token)
  assert.equal(await profileStatus(second.body.access_token), 200)

  clock.advance(10_000)
  const replayed = await page.refresh(first.refresh_token)
  assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
  assert.equal(await profileStatus(second.body.access_token), 401)
  assert.equal((await page.refresh(second.body.refresh_token)).status, 400)
  assert.ok((await causesOf(service, planner)).some((cause) => cause.startsWith('refresh_replayed: ')))
})

test('a public client revokes its own tokens by its id, and no others', async () => {
  const { planner, pocket, page, connect } = await scene()
  const own = await connect()
  const others = await connect(pocket)
  for (const token of [own.access_token, others.access_token]) {
    const body = await expectOk(postForm(service, revokePath, { token, client_id: planner.clientId }))
    assert.deepEqual(body, {})
  }
  assert.equal(await profileStatus(own.access_token), 401)
  assert.equal(await profileStatus(others.access_token), 200)
  assert.equal((await page.revoke(own.refresh_token)).status, 200)
  assert.equal((await page.refresh(own.refresh_token)).status, 400)
})

test('a public client cannot introspect', async () => {
  const { planner, connect } = await scene()
  const { access_token: token } = await connect()
  const { status, body } = await postForm(service, introspectPath, { token, client_id: planner.clientId })
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})

test('a page may read what is answered to a public client, and nothing that came with a secret', async () => {
  const { planner, office, codeOf } = await scene()
  const ask = (path: string, form: Record<string, string>, headers = {}) =>
    postForm(service, path, form, { origin: 'https://planner.example', ...headers })
  const readable = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')
  const { clientId } = planner
  const wrongCode = { grant_type: 'authorization_code', code: 'x' }
  const good = await ask(tokenPath, {
    ...wrongCode,
    code: await codeOf(),
    code_verifier: verifier,
    client_id: clientId,
  })
  await expectOk(good)
  assert.equal(readable(good), '*')
  assert.equal(good.headers.get('access-control-allow-credentials'), null)
  assert.equal(readable(await ask(tokenPath, { ...wrongCode, client_id: clientId })), '*')
  assert.equal(readable(await ask(revokePath, { token: 'x', client_id: clientId })), '*')

  const own = { client_id: office.clientId, client_secret: office.clientSecret }
  assert.equal(readable(await ask(tokenPath, { ...wrongCode, ...own })), null)
  const authorization = basic(office.clientId, office.clientSecret)
  assert.equal(readable(await ask(tokenPath, wrongCode, { authorization })), null)
})
