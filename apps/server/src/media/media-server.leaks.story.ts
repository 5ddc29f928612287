import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LeaveRequest } from '@livekit/protocol'
import type { ResourceUsage } from '../../test/media/measured-server.ts'
import { RawClient } from '../../test/media/raw-client.ts'
import { systemClock } from '../platform/clock.ts'
import { issueToken } from './room/livekit-token.ts'

const apiKey = { key: 'leaks', secret: 'a secret of this test' }
const joinCount = 100
const atOnce = 4
/** The allowed growth of the runtime's caches and compiled code. A leaked participant takes half a megabyte. */
const heapToleranceOctets = 5 * 1024 * 1024

test('a hundred joins and leaves leave no ports, sockets, timers or memory behind', async () => {
  const main = fileURLToPath(new URL('../../test/media/measured-server.ts', import.meta.url))
  const child = fork(main, [apiKey.key, apiKey.secret], { execArgv: ['--expose-gc'] })
  const [{ port }] = await once(child, 'message')
  const events: string[] = []
  child.on('message', (message: { event?: { event: string } }) => {
    if (message.event !== undefined) events.push(message.event.event)
  })
  const ask = (): Promise<ResourceUsage> =>
    new Promise((resolve) => {
      const listen = (message: { holdings?: ResourceUsage }) => {
        if (message.holdings === undefined) return
        child.off('message', listen)
        resolve(message.holdings)
      }
      child.on('message', listen)
      child.send('measure')
    })
  try {
    await joinAndLeave(port, 'first')
    await untilAllHaveLeft(events, 1)
    const before = await ask()
    for (let joined = 0; joined < joinCount; joined += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, at) => joinAndLeave(port, `guest-${joined + at}`)))
    }
    await untilAllHaveLeft(events, joinCount + 1)
    const after = await ask()
    assert.deepEqual(after.resources, before.resources)
    const grownBy = after.heapOctets - before.heapOctets
    assert.ok(grownBy < heapToleranceOctets, `The heap grew by ${grownBy} octets`)
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
})

async function joinAndLeave(port: number, identity: string): Promise<void> {
  const claims = { identity, name: identity, metadata: '', attributes: {}, video: { room: 'leaks', roomJoin: true } }
  const token = issueToken(claims, apiKey, systemClock.now().getTime(), 60_000)
  const client = RawClient.join(`ws://127.0.0.1:${port}`, token)
  await client.connect()
  client.send({ case: 'leave', value: new LeaveRequest() })
  await client.take('leave')
  await client.close()
}

/** The emptied room stays for a while, and is the same before and after. */
async function untilAllHaveLeft(events: readonly string[], count: number): Promise<void> {
  while (events.filter((event) => event === 'participant_left').length < count) await pause(20)
}
