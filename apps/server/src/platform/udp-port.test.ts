import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { StartProblem } from './start-problem.ts'
import { bindFirstUdpPort, bindUdpPort, findFirstUdpPort, requireFreeUdpPort } from './udp-port.ts'

test('binds a port for both families, and with 0 the system chooses one', async () => {
  await using socket = await bindUdpPort(0)
  const { port, family } = socket.address()
  assert.ok(port > 0)
  assert.equal(family, 'IPv6')
  const sender = createSocket('udp4')
  const received = once(socket, 'message')
  sender.send('hello', port, '127.0.0.1')
  const [message, { address }] = await received
  assert.deepEqual([String(message), address], ['hello', '::ffff:127.0.0.1'])
  sender.close()
})

test('reports a port that another program uses as a start problem that says what to do', async () => {
  await using other = await bindUdpPort(0)
  const { port } = other.address()
  for (const taken of [() => bindUdpPort(port), () => requireFreeUdpPort(port, 1)]) {
    await assert.rejects(taken, (error: Error) => {
      assert.ok(error instanceof StartProblem)
      assert.equal(
        error.message,
        `Another program uses UDP port ${port} already. Stop it, or give this one its own MEDIA_UDP_PORT.`,
      )
      return true
    })
  }
})

test('a probe waits for a port that is just being freed, and keeps it free', async () => {
  const other = await bindUdpPort(0)
  const { port } = other.address()
  const probed = requireFreeUdpPort(port, 50)
  await new Promise<void>((resolve) => other.close(resolve))
  await probed
  await using mine = await bindUdpPort(port)
  assert.equal(mine.address().port, port)
})

test('takes the next free port where one is taken, up to the last one', async () => {
  await using other = await bindUdpPort(0)
  const { port } = other.address()
  const next = await findFirstUdpPort({ port, lastPort: port + 20 })
  assert.ok(next > port && next <= port + 20)
  await using mine = await bindFirstUdpPort({ port, lastPort: port + 20 })
  assert.equal(mine.address().port, next, 'it was found, and not kept')
  for (const ports of [{ port }, { port, lastPort: port }]) {
    await assert.rejects(bindFirstUdpPort(ports), StartProblem)
  }
})
