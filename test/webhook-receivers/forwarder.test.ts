import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { newWebhookSecret } from '../../apps/server/src/webhooks/webhook-secret.ts'
import { sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { startApp } from '../../apps/server/test/start-app.ts'
import { freePorts } from '../helpers/free-port.ts'
import { spawnProgram, startProgram } from './receiver-program.ts'

const commandLine = fileURLToPath(new URL('../../packages/command-line/src/main.ts', import.meta.url))

async function until(printed: readonly string[], line: RegExp) {
  const limit = AbortSignal.timeout(30_000)
  while (!printed.some((one) => line.test(one))) {
    assert.ok(!limit.aborted, `${line} was not printed:\n${printed.join('\n')}`)
    await sleep(20)
  }
}

test('the command line posts each event to a receiver of docs/webhooks.md, signed, also after both were away', async () => {
  const [servicePort = 0, port = 0] = await freePorts(2)
  const app = await startApp({ emails: 'dropped', port: servicePort })
  const alice = await signUp(app, 'Alice')
  const { token } = await expectOk(
    alice.send('POST', '/api/auth/tokens', { name: 'Laptop', scopes: ['meeting:read'] }),
    201,
  )
  const create = async (on = app) => {
    const { meetingDetails } = await expectOk(
      sendRequest(on, 'POST', '/api/meeting?sendUpdates=none', standUp(), { authorization: alice.token }),
    )
    await on.publishEvents()
    return meetingDetails._id as string
  }

  const secret = newWebhookSecret(secureRandom)
  const forwarder = spawnProgram(
    [process.execPath, commandLine, 'events', 'listen', '--forward-to', `http://localhost:${port}/parley`],
    { environment: { PARLEY_URL: app.base, PARLEY_TOKEN: token, WEBHOOK_SECRET: secret }, errors: 'ignore' },
  )
  // It begins with what happens once it is connected; the receiver is not started yet.
  while (forwarder.printed.length === 0) {
    await create()
    await sleep(100)
  }
  assert.match(forwarder.printed[0] ?? '', / {2}meeting\.created {2}\S+ {2}ECONNREFUSED$/)

  const receiver = await startProgram(
    {
      heading: 'Node alone',
      language: 'js',
      fileName: 'receiver.mjs',
      commandOf: async (of) => [process.execPath, of],
    },
    { port, secret },
  )
  const taken = await create()
  await until(forwarder.printed, new RegExp(`  meeting\\.created  ${taken}  204$`))
  await until(receiver.printed, new RegExp(`^meeting\\.created ${taken} 1$`))

  await app.close()
  const again = await startApp({ beside: app, port: servicePort })
  const later = await create(again)
  await until(receiver.printed, new RegExp(`^meeting\\.created ${later} 1$`))
  await until(forwarder.printed, new RegExp(`  meeting\\.created  ${later}  204$`))
  assert.equal(forwarder.exitCode(), null)

  const [{ _id }] = (
    await expectOk(sendRequest(again, 'GET', '/api/auth/tokens', undefined, { authorization: alice.token }))
  ).tokens
  await expectOk(sendRequest(again, 'DELETE', `/api/auth/tokens/${_id}`, undefined, { authorization: alice.token }))
  while (forwarder.exitCode() === null) await sleep(20)
  assert.equal(forwarder.exitCode(), 1)
})
