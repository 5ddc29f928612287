import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scopeNames, tokenErrors } from '@parley/contract'
import { lifetimes } from '@parley/rules/oauth/lifetimes'
import { fillIn } from '@parley/rules/oauth-apps/example-programs'
import sentences from '@parley/texts/en/scopes.json' with { type: 'json' }
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { sendRequest } from '../../apps/server/test/people.ts'
import { expectProblem } from '../../apps/server/test/replies.ts'
import {
  blocksUnder,
  connectCarol,
  followThePage,
  registerNativeApp,
  runShell,
  startNativeProgram,
  startProgram,
  visitor,
  writeProgram,
} from './quick-start.ts'

const page = readFileSync(new URL('../../docs/oauth-reference.md', import.meta.url), 'utf8')

test('the curl commands of the page obtain a tester’s consent, schedule a meeting and revoke the tokens', async () => {
  const newcomer = await followThePage()
  const { app, carol, variables } = newcomer
  assert.match(String(variables.CLIENT_ID), /^test_/)
  const [showLink = '', ...rest] = blocksUnder('Quick start: curl', 'sh')
  const { printed } = await runShell(newcomer, showLink)
  const back = await consent(app, carol, String(printed[0]))
  assert.equal(back.searchParams.get('iss'), newcomer.issuer)
  assert.equal(back.searchParams.get('state'), 'a-random-text')

  const commands = rest.join('\n').replace('CODE=paste-it-here', `CODE=${back.searchParams.get('code')}`)
  assert.ok(!commands.includes('paste-it-here'))
  const done = await runShell(newcomer, commands, ['ACCESS_TOKEN'])
  const [profile, meeting, revoked] = done.printed.map((line) => JSON.parse(line))
  assert.equal(profile.email, carol.email)
  assert.equal(meeting.meetingDetails.topic, 'Kick-off')
  assert.deepEqual(revoked, {})
  await expectProblem(
    sendRequest(app, 'GET', '/api/user/profile', undefined, {
      authorization: `Bearer ${done.variables.ACCESS_TOKEN}`,
    }),
    'unauthorized',
  )
})

for (const heading of ['Quick start: Node with openid-client', 'Quick start: Express with passport']) {
  test(`${heading}: the program of the page works unchanged`, async () => {
    const newcomer = await followThePage()
    const [program = ''] = blocksUnder(heading, 'js')
    await startProgram(newcomer, [process.execPath, await writeProgram(newcomer, 'site.mjs', program)])
    await connectCarol(newcomer)
  })
}

test('with the values of an app, the programs listen at its own callback, as the Code tab shows them', async () => {
  for (const heading of ['Quick start: Node with openid-client', 'Quick start: Express with passport']) {
    const newcomer = await followThePage()
    const { issuer, site } = newcomer
    const [program = ''] = blocksUnder(heading, 'js')
    // The page registers this callback too, for Auth.js.
    const callback = `${site}/auth/callback/parley`
    const filled = fillIn(program, { issuer, callback, scopes: ['user:read', 'meeting:create'] })
    await startProgram(newcomer, [process.execPath, await writeProgram(newcomer, 'site.mjs', filled)])
    await connectCarol(newcomer)
  }
})

test('the page’s program with openid-client shows what the API refused, and why', async () => {
  const [program = ''] = blocksUnder('Quick start: Node with openid-client', 'js')
  const refusals = [
    { from: 'user:read meeting:create', to: 'user:read', shown: /scope/ },
    { from: "topic: 'Kick-off'", to: "topic: ''", shown: /topic|field/ },
  ]
  for (const { from, to, shown } of refusals) {
    const newcomer = await followThePage()
    const { app, carol, site } = newcomer
    assert.ok(program.includes(from))
    const changed = program.replace(from, to)
    await startProgram(newcomer, [process.execPath, await writeProgram(newcomer, 'site.mjs', changed)])
    const visit = visitor()
    const link = (await visit(`${site}/login`)).headers.get('location') ?? ''
    const returned = await visit(String(await consent(app, carol, link)))
    assert.equal(returned.status, 400)
    assert.match(await returned.text(), shown)
  }
})

test('Quick start: Auth.js: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const { app, carol, site } = newcomer
  const [program = ''] = blocksUnder('Quick start: Auth.js', 'js')
  await startProgram(newcomer, [process.execPath, await writeProgram(newcomer, 'site.mjs', program)])

  const visit = visitor()
  const signIn = await (await visit(`${site}/auth/signin`)).text()
  const [, csrfToken = ''] = /name="csrfToken" value="([^"]+)"/.exec(signIn) ?? []
  const leaving = await visit(`${site}/auth/signin/parley`, {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, callbackUrl: site }),
  })
  const back = await consent(app, carol, leaving.headers.get('location') ?? '')
  assert.equal((await visit(String(back))).headers.get('location'), site)
  const session = await (await visit(`${site}/auth/session`)).json()
  assert.equal(session.user.email, carol.email)
})

test('Quick start: Native app with openid-client: the program of the page works unchanged', async () => {
  const newcomer = await followThePage()
  const { app, carol } = newcomer
  const clientId = await registerNativeApp(newcomer)
  const [program = ''] = blocksUnder('Quick start: Native app with openid-client', 'js')
  const { link, output } = await startNativeProgram(await writeProgram(newcomer, 'app.mjs', program), clientId)
  const returned = await fetch(await consent(app, carol, link))
  assert.deepEqual([returned.status, await returned.text()], [200, 'You can close this page.'])
  assert.deepEqual(await output, [
    `You are ${carol.email}, and allowed: user:read meeting:create`,
    'Scheduled: Kick-off',
  ])
  const { body } = await carol.send('GET', '/api/meeting/me')
  assert.equal(body.meetingDetails[0].topic, 'Kick-off')
})

test('the page describes every scope as the consent page does, and every error with its status', () => {
  for (const scope of scopeNames) assert.ok(page.includes(`| \`${scope}\` | ${sentences[scope]} |`), scope)
  for (const [code, status] of Object.entries(tokenErrors))
    assert.ok(page.includes(`| \`${code}\` | ${status} |`), code)
})

test('the page states every lifetime', () => {
  const dayMs = 24 * 60 * 60 * 1000
  assert.match(page, new RegExp(`^\\| code \\| ${lifetimes.codeMs / 60_000} minutes, once \\|$`, 'm'))
  assert.match(page, new RegExp(`^\\| access token \\| ${lifetimes.accessTokenMs / dayMs} day \\|$`, 'm'))
  assert.match(page, new RegExp(`^\\| refresh token \\| ${lifetimes.refreshTokenMs / dayMs} days, anew`, 'm'))
  assert.match(
    page,
    new RegExp(`gave \\| ${lifetimes.grantMs / dayMs} days, in the sandbox ${lifetimes.sandboxGrantMs / dayMs};`),
  )
  assert.match(page, /^\| access token of an app without a secret \| 1 hour \|$/m)
  assert.equal(lifetimes.publicAccessTokenMs, 60 * 60 * 1000)
  assert.equal(lifetimes.repeatMs, 60_000)
})
