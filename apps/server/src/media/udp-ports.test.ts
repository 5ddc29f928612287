import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UdpPorts } from './udp-ports.ts'

test('ports are taken within the range, each once, and again when they are free', async () => {
  const ports = new UdpPorts({ from: 46_300, to: 46_302 })
  const sockets = [await ports.bind(), await ports.bind(), await ports.bind()]
  const numbers = sockets.map((socket) => socket.address().port)
  assert.deepEqual(numbers.toSorted(), [46_300, 46_301, 46_302])
  await assert.rejects(() => ports.bind(), /46300 to 46302 are in use/)
  await new Promise<void>((resolve) => sockets[1]?.close(resolve))
  const again = await ports.bind()
  assert.equal(again.address().port, numbers[1])
  for (const socket of [sockets[0], sockets[2], again]) socket?.close()
})

test('another program’s port is left out', async () => {
  const other = await new UdpPorts({ from: 46_310, to: 46_310 }).bind()
  const mine = await new UdpPorts({ from: 46_310, to: 46_311 }).bind()
  assert.equal(mine.address().port, 46_311)
  for (const socket of [other, mine]) socket.close()
})
