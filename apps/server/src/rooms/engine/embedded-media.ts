import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { problem } from '../../platform/http/problem.ts'
import { type SupervisedProcess, supervise } from '../../platform/supervise.ts'
import { timedOut, withTimeout } from '../../platform/with-timeout.ts'
import { type MediaEngine, mediaUrlOf } from './media-engine.ts'
import { startMediaProcess } from './media-process.ts'

/**
 * Pauses before successive restarts; the last one repeats. After a single crash the engine is back within half a
 * second.
 */
const pausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000] as const
/** A person who enters waits this long for an engine that starts, which takes a third of a second; then gets 503. */
const defaultWaitMs = 10_000

/** The API key of the embedded engine. */
const apiKey = 'parley'

export type EmbeddedMedia = MediaEngine & {
  /** Stop the engine and do not restart it. */
  stop(): Promise<void>
}

type EmbeddedMediaOptions = {
  config: Pick<Config, 'baseUrl' | 'mediaUdpPort' | 'lastMediaUdpPort' | 'mediaPublicAddress'>
  encryption: Encryption
  log: Logger
  /** Receives LiveKit's WebhookEvents, as JSON. */
  onEvent(event: unknown): void
  /** Called with the address of the API each time the engine starts. */
  onAddress?(address: string): void
  /** Called when a running engine has ended, which disconnects all participants. */
  onDeath(): void
  /** For tests: another program, how long to wait for it, and the interval of its liveness pings. */
  program?: string
  waitMs?: number
  pingEveryMs?: number
}

const ownProgram = fileURLToPath(new URL('../../media/main.ts', import.meta.url))

/**
 * The embedded engine, a child process. It starts when the first person needs it, so that an idle service does not pay
 * for it, and restarts whenever it dies. Its secret is derived, so that tokens stay valid after a restart.
 */
export function createEmbeddedMedia(options: EmbeddedMediaOptions): EmbeddedMedia {
  const { config, encryption, log, onEvent, onDeath, program = ownProgram, waitMs = defaultWaitMs } = options
  const { pingEveryMs } = options
  const { mediaUdpPort: udpPort, lastMediaUdpPort: lastUdpPort, mediaPublicAddress: publicAddress } = config
  const apiSecret = encryption.derive('embedded media', 32).toString('base64url')
  const settings = {
    apiKey,
    apiSecret,
    udpPort,
    ...(lastUdpPort !== undefined && { lastUdpPort }),
    ...(publicAddress !== undefined && { publicAddress }),
  }
  const stopping = new AbortController()
  let address = Promise.withResolvers<string>()
  let supervision: Promise<unknown> | undefined
  let isUp = false

  /** Start the engine, and provide its address while it runs. */
  function start(): SupervisedProcess {
    const engine = startMediaProcess({ program, settings, log, onEvent, ...(pingEveryMs && { pingEveryMs }) })
    const onListening = (port: number) => {
      isUp = true
      address.resolve(`http://127.0.0.1:${port}`)
      options.onAddress?.(`http://127.0.0.1:${port}`)
    }
    engine.listening.then(onListening).catch(() => {})
    const ended = engine.ended.then((reason) => {
      if (isUp) {
        isUp = false
        address = Promise.withResolvers()
        onDeath()
      }
      return reason
    })
    return {
      ended,
      async stop() {
        await engine.stop()
        await ended
      },
    }
  }

  const keepRunning = () =>
    supervise({
      start,
      pauseMsBefore: (restart) => pausesMs[Math.min(restart, pausesMs.length - 1)],
      // Log only the first of successive failures as an error: an engine that cannot start fails every ten seconds.
      onRestart: ({ reason, restarts, pauseMs }) =>
        log[restarts === 0 ? 'error' : 'debug'](
          { pauseMs, ended: reason },
          'the media engine has ended; it is started again',
        ),
      signal: stopping.signal,
    })

  return {
    url: mediaUrlOf({ baseUrl: config.baseUrl }),
    apiKey,
    apiSecret,
    async apiAddress() {
      if (stopping.signal.aborted) throw problem('media_unavailable')
      supervision ??= keepRunning()
      const found = await withTimeout(waitMs, () => address.promise)
      if (found === timedOut) throw problem('media_unavailable', { retryAfterSeconds: 5 })
      return found
    },
    status: async () => (isUp ? 'reachable' : 'none'),
    async stop() {
      stopping.abort()
      await supervision
    },
  }
}
