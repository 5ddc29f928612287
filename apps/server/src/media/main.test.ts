import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DisconnectReason, LeaveRequest_Action } from '@livekit/protocol'
import { RawClient } from '../../test/media/raw-client.ts'
import { issueToken } from './room/livekit-token.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const apiKey = { key: 'main', secret: 'a secret of the test' }

async function startEngine(
  udpPort = 0,
): Promise<{ engine: ChildProcess; port: number; udpPort: number; events: { event: string }[] }> {
  const engine = fork(main, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const events: { event: string }[] = []
  engine.on('message', (message: { kind: string; event?: { event: string } }) => {
    if (message.event !== undefined) events.push(message.event)
  })
  engine.send({ kind: 'start', apiKey: apiKey.key, apiSecret: apiKey.secret, udpPort, publicAddress: '203.0.113.7' })
  const [message] = await once(engine, 'message')
  assert.equal(message.kind, 'listening')
  return { engine, port: message.port, udpPort: message.udpPort, events }
}

function join(port: number): RawClient {
  const claims = { identity: 'alice', name: '', metadata: '', attributes: {}, video: { room: 'r', roomJoin: true } }
  return RawClient.join(`ws://127.0.0.1:${port}`, issueToken(claims, apiKey, Date.now(), 60_000))
}

test('the engine reports its port and its events, and lets clients reconnect on SIGTERM', async () => {
  const { engine, port, udpPort, events } = await startEngine()
  const alice = join(port)
  await alice.connect()
  // The operator's address is the first that a client may try.
  const { sdp = '' } = alice.peer.remoteDescription ?? {}
  assert.match(sdp, new RegExp(`a=candidate:1 1 udp \\d+ 203\\.0\\.113\\.7 ${udpPort} typ host`))
  engine.kill('SIGTERM')
  const [code] = await once(engine, 'exit')
  assert.equal(code, 0)
  const { reason, action } = await alice.take('leave')
  assert.deepEqual([reason, action], [DisconnectReason.SERVER_SHUTDOWN, LeaveRequest_Action.RECONNECT])
  await alice.close()
  assert.deepEqual(
    events.map(({ event }) => event),
    ['room_started', 'participant_joined', 'participant_left', 'room_finished'],
  )
})

test('the engine ends with its parent', async () => {
  const { engine, port } = await startEngine()
  engine.disconnect()
  await once(engine, 'exit')
  const late = connect(port, '127.0.0.1')
  const [error] = await once(late, 'error')
  assert.equal(error.code, 'ECONNREFUSED')
})
