import { connect } from 'node:net'
import { startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

export type Redis = { address: string; [Symbol.asyncDispose](): Promise<void> }

/** Debian's Redis, in memory only, because the state of LiveKit's nodes need not outlive their rooms. */
export async function startRedis(): Promise<Redis> {
  const [port = 0] = await freePorts(1)
  const server = await startDebianProcess({
    command: 'redis-server',
    arguments: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'],
    isReady: () => answersPing(port),
  })
  return { address: `127.0.0.1:${port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('data', (answer) => resolve(String(answer).startsWith('+PONG')))
      socket.write('PING\r\n')
    })
  } finally {
    socket.destroy()
  }
}
