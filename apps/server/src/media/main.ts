import { flushCompileCache } from 'node:module'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { type MediaServer, startMediaServer } from './media-server.ts'

/**
 * The embedded media engine, a child process: its parent sends `start`, is answered `listening`, and is told `event`s; to
 * `look` it answers `alive`. SIGTERM ends it; so does the end of its parent, which closes the channel between them.
 */
type Start = {
  kind: 'start'
  apiKey: string
  apiSecret: string
  udpPorts: { from: number; to: number }
  publicAddress?: string
}

const log = createLog({ level: process.env.LOG_LEVEL ?? 'info' })
const nowMs = () => systemClock.now().getTime()
let server: MediaServer | undefined

type Order = Start | { kind: 'look' }

async function start({ apiKey, apiSecret, udpPorts, publicAddress }: Start): Promise<void> {
  server = await startMediaServer({
    apiKey: { key: apiKey, secret: apiSecret },
    udpPorts,
    publicAddress,
    log,
    random: secureRandom,
    nowMs,
    onEvent: (event) => process.send?.({ kind: 'event', event }),
  })
  process.send?.({ kind: 'listening', port: server.port })
  // For the next one: whoever is killed writes nothing any more.
  flushCompileCache()
}

/** Says goodbye to everybody, and ends at once. */
function stop(): void {
  const closing = server?.close() ?? Promise.resolve()
  closing.finally(() => process.exit(0))
}

process.on('message', (order: Order) => {
  if (order.kind === 'look') return void process.send?.({ kind: 'alive' })
  start(order).catch((error: unknown) => {
    log.fatal({ err: error }, 'The media engine could not start')
    process.exit(1)
  })
})
// The parent is dead: nobody is left to say goodbye to, nor to read a log.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// A fault that belongs to no participant: a library's timer, for one. What is known of whom it concerns is closed already.
process.on('uncaughtException', (error) => {
  // A log that nobody reads any more would be such a fault itself, again and again.
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  log.error({ err: error }, 'A fault of the media engine')
})
process.on('unhandledRejection', (error) => log.error({ err: error }, 'A fault of the media engine'))
