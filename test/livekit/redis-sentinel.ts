import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DebianProcess, startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

export type RedisSentinel = {
  /** The Redis part of LiveKit's configuration, as in docs/scaling.md. */
  settings: { sentinel_master_name: string; sentinel_addresses: readonly string[] }
  /** Kill the current master without warning. */
  killMaster(): Promise<void>
  /** The port of the master that the sentinels agree on. */
  masterPort(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

const masterName = 'livekit'

/** Debian's Redis as a master, its replica and three sentinels, with the settings of docs/scaling.md. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'parley-sentinel-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const [masterPort = 0, replicaPort = 0, ...sentinelPorts] = await freePorts(5)
  const servers = new Map<number, DebianProcess>()
  for (const port of [masterPort, replicaPort]) {
    const dir = join(folder, `${port}`)
    await mkdir(dir)
    const role = port === replicaPort ? ['--replicaof', '127.0.0.1', `${masterPort}`] : []
    const server = await startDebianProcess({
      command: 'redis-server',
      arguments: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...role],
      isReady: async () => (await askRedis(port, 'PING')).includes('PONG'),
    })
    servers.set(port, started.use(server))
  }
  for (const port of sentinelPorts) {
    const file = join(folder, `sentinel-${port}.conf`)
    // Sentinels store their state in their configuration files.
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${masterName} 3000`,
      `sentinel failover-timeout ${masterName} 10000`,
    ]
    await writeFile(file, `${settings.join('\n')}\n`)
    const sentinel = await startDebianProcess({
      command: 'redis-sentinel',
      arguments: [file],
      isReady: async () => (await askRedis(port, 'PING')).includes('PONG'),
    })
    started.use(sentinel)
  }
  const [first = 0] = sentinelPorts
  const findMaster = async () => {
    const answer = await askRedis(first, `SENTINEL GET-MASTER-ADDR-BY-NAME ${masterName}`)
    return Number(/\r\n(\d+)\r\n$/.exec(answer)?.[1] ?? 0)
  }
  await untilReported(async () => {
    const reply = await askRedis(first, `SENTINEL MASTER ${masterName}`)
    return /num-slaves\r\n\$\d+\r\n1\r\n/.test(reply) && /num-other-sentinels\r\n\$\d+\r\n2\r\n/.test(reply)
  })
  const kept = started.move()
  return {
    settings: {
      sentinel_master_name: masterName,
      sentinel_addresses: sentinelPorts.map((port) => `127.0.0.1:${port}`),
    },
    masterPort: findMaster,
    async killMaster() {
      await servers.get(await findMaster())?.kill()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function untilReported(isSo: () => Promise<boolean>) {
  const limit = AbortSignal.timeout(30_000)
  while (!(await isSo())) {
    limit.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const answerLimitMs = 2_000
/** Replies are short: after the first part, the rest arrives within this time. */
const restOfAnswerMs = 50

/** Send one inline command. @returns the reply */
async function askRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.setTimeout(answerLimitMs, () => reject(new Error(`no answer to ${command}`)))
      let answer = ''
      socket.on('data', (part) => {
        if (answer === '') setTimeout(() => resolve(answer), restOfAnswerMs)
        answer += String(part)
      })
      socket.write(`${command}\r\n`)
    })
  } finally {
    socket.destroy()
  }
}
