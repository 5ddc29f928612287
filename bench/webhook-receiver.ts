import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * A receiver of webhooks, in a process of its own, which may be killed: each event is in the file before it is answered.
 * PORT: the port after a restart. RECEIVED: the file.
 */
const received = openSync(String(process.env.RECEIVED), 'a')

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { id, subject, sequence, timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    const lateMs = Date.now() - Date.parse(timestamp)
    writeSync(received, `${request.url} ${id} ${subject} ${sequence} ${lateMs}\n`)
    response.writeHead(204).end()
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`listens: http://127.0.0.1:${port} `)
})
