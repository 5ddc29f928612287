import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'

test('a client that does not speak HTTP gets a response, and cannot keep the connection half-open', async () => {
  const log = createLog({ level: 'silent' })
  const outside = { baseUrl: 'http://parley.test', trustProxy: [] }
  const http = createHttp({ ...outside, clock: systemClock, random: secureRandom, log })
  await http.listen({ port: 0, host: '127.0.0.1' })
  after(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const connections = () =>
    new Promise<number>((report) => http.server.getConnections((_error, amount) => report(amount)))
  for (const more of ['', 'xyz']) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('NONSENSE\r\n\r\n')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 400 /)
    if (more !== '') socket.write(more)
    while ((await connections()) > 0) await sleep(10)
    socket.destroy()
  }
})
