import { flushCompileCache } from 'node:module'
import { systemClock } from '../platform/clock.ts'
import { TokenBucket } from '../platform/http/token-bucket.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type MediaServer, startMediaServer } from './media-server.ts'

/**
 * The embedded media engine, a child process: its parent sends `start`, is answered `listening`, or `failed` with a sentence
 * for the operator, and is told `event`s; to `look` it answers `alive`. SIGTERM ends it; so does the end of its parent, which closes the channel between them.
 */
type Start = {
  kind: 'start'
  apiKey: string
  apiSecret: string
  udpPort: number
  publicAddress?: string
}

const log = createLog({ level: process.env.LOG_LEVEL ?? 'info' })
const nowMs = () => systemClock.now().getTime()
let server: MediaServer | undefined

type Order = Start | { kind: 'ping' }

async function start({ apiKey, apiSecret, udpPort, publicAddress }: Start): Promise<void> {
  server = await startMediaServer({
    apiKey: { key: apiKey, secret: apiSecret },
    udpPort,
    publicAddress,
    log,
    random: secureRandom,
    nowMs,
    onEvent: (event) => process.send?.({ kind: 'event', event }),
  })
  process.send?.({ kind: 'listening', port: server.port, udpPort: server.udpPort })
  // For the next one: whoever is killed writes nothing any more.
  flushCompileCache()
}

/** Says goodbye to everybody, and ends at once. */
function stop(): void {
  const closing = server?.close() ?? Promise.resolve()
  closing.finally(() => process.exit(0))
}

process.on('message', (order: Order) => {
  if (order.kind === 'ping') return void process.send?.({ kind: 'alive' })
  start(order).catch((error: unknown) => {
    if (error instanceof StartProblem && process.send !== undefined) {
      process.send({ kind: 'failed', reason: error.message }, () => process.exit(1))
      return
    }
    log.fatal({ err: error }, 'The media engine could not start')
    process.exit(1)
  })
})
// The parent is dead: nobody is left to say goodbye to, nor to read a log.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
/** A client may be able to cause the same fault again and again. */
const errorLog = new TokenBucket({ perSecond: 1, burst: 10 }, nowMs())
const logError = (error: unknown) => {
  if (errorLog.take(1, nowMs())) log.error({ err: error }, 'A fault of the media engine')
}
// A fault that belongs to no participant: a library's timer, for one. What is known of whom it concerns is closed already.
process.on('uncaughtException', (error) => {
  // A log that nobody reads any more would be such a fault itself, again and again.
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  logError(error)
})
process.on('unhandledRejection', logError)
