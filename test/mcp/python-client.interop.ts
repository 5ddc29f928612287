import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { signUp } from '../../apps/server/test/people.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { openWire } from '../oauth-clients/wire.ts'
import { requireTools } from '../openapi-clients/tools.ts'
import { pythonProgram, startProgram, tools } from './tools.ts'

/**
 * npm run test:interop: the Python client of MCP finds the authorization server, gets Alice's consent step by step, and
 * schedules and cancels for her, in the revision of 2026 and in those of 2025.
 */

async function startService() {
  const wire = await openWire()
  const app = await startApp({ environment: { BASE_URL: wire.base, RATE_LIMITS: 'off' } })
  wire.forwardTo(app.base)
  const [olga, alice] = [await signUp(app, 'Olga'), await signUp(app, 'Alice')]
  const { clientId } = await approvedApp(app, olga, {
    name: 'Python',
    clientType: 'native',
    callbackUrls: ['http://127.0.0.1/callback'],
    scopes: [...scopeNames],
  })
  return { app, alice, environment: { ADDRESS: `${wire.base}/mcp`, CLIENT_ID: clientId } }
}

for (const mode of ['2026-07-28', 'auto', 'legacy']) {
  test(`Alice’s assistant is written in Python: ${mode}`, async () => {
    requireTools(tools.python)
    const { app, alice, environment } = await startService()
    const program = startProgram(tools.python, [pythonProgram, mode], environment)
    let opened = 0
    let seen = ''
    for await (const line of program.lines) {
      const address = /^OPEN (.+)$/.exec(line)?.[1]
      if (address === undefined) seen = line
      else {
        opened++
        program.type(String(await consent(app, alice, address)))
      }
    }
    assert.equal(await program.exitCode, 0, program.errors())
    const { tools: listed, questions, scope, ...rest } = JSON.parse(seen)
    assert.equal(listed.length, 10)
    assert.deepEqual(rest, {
      name: 'Alice Test',
      offsets: ['+01:00', '+02:00', '+02:00'],
      same: true,
      refused: [true, rest.refused[1]],
      left: ['2030-03-25T09:00', '2030-04-08T09:00'],
    })
    assert.match(
      rest.refused[1],
      /^startTime is 02:30, which does not exist on 31 March 2030 in Europe\/Berlin: ask for 01:30 or 03:30\./,
    )
    // Clients of 2025 cannot be asked without a session, and decide by the hints of the tool.
    assert.equal(questions.length, mode === 'legacy' ? 0 : 1)
    assert.deepEqual(scope.split(' ').toSorted(), ['meeting:create', 'meeting:delete', 'meeting:read', 'user:read'])
    assert.ok(opened > 1, `${opened} consents, one for each further scope`)
    assert.deepEqual(
      (await app.mails()).map(({ to }) => to),
      ['bob@example.org'],
    )
  })
}
