import { flushCompileCache } from 'node:module'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { TokenBucket } from '../platform/token-bucket.ts'
import { type MediaServer, startMediaServer } from './media-server.ts'

/**
 * The embedded media engine, a child process. Its parent sends `start`; the child answers `listening`, or `failed` with
 * a sentence for the operator, and sends `event`s. The child answers `ping` with `alive`, and ends on SIGTERM and when
 * its parent ends, which closes the channel between them.
 */
type Start = {
  kind: 'start'
  apiKey: string
  apiSecret: string
  udpPort: number
  lastUdpPort?: number
  publicAddress?: string
}

const log = createLog({ level: process.env.LOG_LEVEL ?? 'info' })
const nowMs = () => systemClock.now().getTime()
let server: MediaServer | undefined

type ParentMessage = Start | { kind: 'ping' }

async function start({ apiKey, apiSecret, udpPort, lastUdpPort, publicAddress }: Start): Promise<void> {
  server = await startMediaServer({
    apiKey: { key: apiKey, secret: apiSecret },
    udpPort,
    lastUdpPort,
    publicAddress,
    log,
    random: secureRandom,
    nowMs,
    onEvent: (event) => process.send?.({ kind: 'event', event }),
  })
  process.send?.({ kind: 'listening', port: server.port, udpPort: server.udpPort })
  // Write the cache now for the next start: a process that is killed writes nothing.
  flushCompileCache()
}

/** Disconnect all participants and exit. */
function stop(): void {
  const closing = server?.close() ?? Promise.resolve()
  closing.finally(() => process.exit(0))
}

process.on('message', (message: ParentMessage) => {
  if (message.kind === 'ping') return void process.send?.({ kind: 'alive' })
  start(message).catch((error: unknown) => {
    if (error instanceof StartProblem && process.send !== undefined) {
      process.send({ kind: 'failed', reason: error.message }, () => process.exit(1))
      return
    }
    log.fatal({ err: error }, 'The media engine could not start')
    process.exit(1)
  })
})
// The parent has ended, and with it the proxy: clients are disconnected already, and the log has no reader.
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
/** Limits the log, because a client may be able to cause the same error repeatedly. */
const errorLog = new TokenBucket({ perSecond: 1, burst: 10 }, nowMs())
const logError = (error: unknown) => {
  if (errorLog.take(1, nowMs())) log.error({ err: error }, 'An unexpected error of the media engine')
}
// An error outside of any participant's guard, such as in a library's timer. Continue for the other participants.
process.on('uncaughtException', (error) => {
  // Writing to a log without a reader fails, and would loop here.
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  logError(error)
})
process.on('unhandledRejection', logError)
