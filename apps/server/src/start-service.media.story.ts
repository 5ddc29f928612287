import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entering } from '@parley/contract'
import { RawClient } from '../test/media/raw-client.ts'
import { expectAnswer } from '../test/one-connection.ts'
import { standUp } from '../test/people.ts'
import { haveEnded, killAll, mediaEnginesBelow } from '../test/processes/process-tree.ts'
import { dataFolderOf, runService, type ServiceProcess } from '../test/processes/run-service.ts'
import { signUp } from '../test/processes/service-people.ts'

/** A meeting in progress, whose host is inside. */
async function inACall(service: ServiceProcess) {
  const { base } = service
  const alice = await signUp(base, 'Alice')
  const now = Date.now()
  const times = { startTime: new Date(now - 60_000).toISOString(), endTime: new Date(now + 3_600_000).toISOString() }
  const made = await alice.schedule(standUp({ ...times, participants: [] }))
  const { svcMeetId, pin } = made as { _id: string; svcMeetId: string; pin: string }
  const enter = async (): Promise<Entering> =>
    (await expectAnswer(base, 200, 'POST', `/api/rooms/${svcMeetId}/enter`, { token: alice.token, body: { pin } })).body
  const joinRoom = async () => {
    const { media } = await enter()
    const client = RawClient.join(`${base.replace('http', 'ws')}/media`, media?.token ?? '')
    await client.connect()
    return client
  }
  const client = await joinRoom()
  const engines = await mediaEnginesBelow(service.pid)
  assert.equal(engines.length, 1)
  const stays = async () => {
    const path = `/api/meeting/meetingDetails/${made._id}/attendance`
    const { sessions } = (await expectAnswer(base, 200, 'GET', path, { token: alice.token })).body
    return sessions[0]?.stays ?? []
  }
  return { client, joinRoom, engines, stays }
}

const environment = async (t: Parameters<typeof dataFolderOf>[0]) => ({ DATA_DIR: await dataFolderOf(t) })

test('replaces a killed engine, calls continue with the next one, and the history records it', async (t) => {
  const service = await runService(t, { environment: await environment(t) })
  const { client, joinRoom, engines, stays } = await inACall(service)
  while ((await stays()).length === 0) await sleep(20)
  const closed = once(client.socket, 'close')
  killAll(engines)
  await closed
  await client.peer.close()
  const again = await joinRoom()
  while ((await stays()).length < 2) await sleep(20)
  const [first, second] = await stays()
  assert.ok(first.leftOn !== null && second.leftOn === null, JSON.stringify([first, second]))
  await again.close()
  assert.match(service.output(), /signal SIGKILL.*the media engine has ended; it is started again/)
  await expectAnswer(service.base, 200, 'GET', '/healthz')
})

test('a stopping service ends its calls and its engine, and is not delayed by them', async (t) => {
  const service = await runService(t, { environment: await environment(t) })
  const { client, engines } = await inACall(service)
  const closed = once(client.socket, 'close')
  service.signal('SIGTERM')
  const { code } = await service.ended
  await closed
  await client.peer.close()
  assert.equal(code, 0)
  await haveEnded(engines)
})

test('an engine ends with a killed service, and the next start records who had left', async (t) => {
  const settings = await environment(t)
  const service = await runService(t, { environment: settings })
  const { client, engines, stays } = await inACall(service)
  while ((await stays()).length === 0) await sleep(20)
  killAll([service.pid])
  await service.ended
  await haveEnded(engines)
  await client.close()
  const next = await runService(t, { environment: settings })
  const { token } = (
    await expectAnswer(next.base, 200, 'POST', '/api/auth/sign-in', {
      body: { email: 'alice@example.org', password: 'correct horse battery staple' },
    })
  ).body
  const { meetingDetails } = (await expectAnswer(next.base, 200, 'GET', '/api/meeting/me', { token })).body
  const path = `/api/meeting/meetingDetails/${meetingDetails[0]._id}/attendance`
  const left = async () => (await expectAnswer(next.base, 200, 'GET', path, { token })).body.sessions[0].stays[0].leftOn
  while ((await left()) === null) await sleep(50)
})
