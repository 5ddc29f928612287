import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import { problem } from '../../platform/http/problem.ts'
import { describeEnd, endProcess, type SupervisedProcess, supervise } from '../../platform/supervise.ts'
import { timedOut, withTimeout } from '../../platform/with-timeout.ts'
import { type MediaEngine, mediaUrlOf } from './media-engine.ts'

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
  /** Process LiveKit's WebhookEvents, as JSON. */
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
 * The embedded engine, a child process. The engine starts when the first person needs it, so that an idle service does
 * not pay for it, and restarts whenever it dies. Its secret is derived, so that tokens stay valid after a restart.
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

/** The first message to the engine, which reads no settings from the environment. */
type MediaSettings = {
  apiKey: string
  apiSecret: string
  udpPort: number
  lastUdpPort?: number
  publicAddress?: string
}

type MediaProcess = {
  /** The engine's port on 127.0.0.1; rejects if the engine ends before it listens. */
  listening: Promise<number>
  /**
   * Resolves to the cause of the engine's end, e.g. 'exit code 1' or 'signal SIGKILL', with the reason that the engine
   * gave.
   */
  ended: Promise<string>
  /** Stop the engine with SIGTERM, and with SIGKILL if it does not end in time. */
  stop(): Promise<void>
}

type MediaProcessOptions = {
  /** The engine's own program. */
  program: string
  settings: MediaSettings
  log: Logger
  /** Process LiveKit's WebhookEvents, as JSON. */
  onEvent(event: unknown): void
  /** The interval of liveness pings. */
  pingEveryMs?: number
}

/** With the compile cache of `npm start` the engine loads in two thirds of the time, while people wait for it. */
const { NODE_COMPILE_CACHE: compileCache } = process.env
const env = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

/**
 * Loading takes a third of a second, and ten seconds on an overloaded machine. After this limit it will never listen.
 */
const startLimitMs = 30_000
const stopLimitMs = 2_000
const defaultPingEveryMs = 2_000
/** An engine that answers none of this many pings hangs, and its rooms are silent. */
const maxUnanswered = 5
/** The longest line of the engine's output that is logged: enough to recognise a stack trace. */
const maxLoggedLineLength = 500

/**
 * Run the engine as a child process that knows nothing but its settings. The child ends by itself when the channel to
 * this process closes, and has a session of its own, so that only this process receives a Ctrl-C.
 */
function startMediaProcess(options: MediaProcessOptions): MediaProcess {
  const { program, settings, log, onEvent } = options
  const child = fork(program, [], { detached: true, env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  // The channel fails if the engine ends while a message is on its way, or if the fork itself failed; `ended` reports
  // both.
  child.on('error', () => {})
  let failure = ''
  const ended = describeEnd(child).then((how) => (failure === '' ? how : `${how}: ${failure}`))
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface(stream).on('line', (line) => {
      log[levelOf(line)]({ line: line.slice(0, maxLoggedLineLength) }, 'the media engine says')
    })
  }
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>()
  // Mark the rejection as handled, because callers need not await `listening`.
  listening.catch(() => {})
  child.on('message', (message: Serializable) => {
    const { kind, port, event, reason } = Object(message) as Record<'kind' | 'port' | 'event' | 'reason', unknown>
    if (kind === 'listening' && typeof port === 'number') resolve(port)
    if (kind === 'failed' && typeof reason === 'string') failure = reason
    if (kind === 'event') onEvent(event)
  })
  if (child.connected) child.send({ kind: 'start', ...settings }, () => {})
  const late = setTimeout(() => child.kill('SIGKILL'), startLimitMs)
  const pinging = new AbortController()
  void listening
    .then(() => {
      clearTimeout(late)
      return watchLiveness(child, options, pinging.signal)
    })
    .catch(() => {})
  void ended.then((how) => {
    clearTimeout(late)
    pinging.abort()
    reject(new Error(`The media engine ended before it listened: ${how}`))
  })
  return {
    listening,
    ended,
    stop: () =>
      endProcess(
        ended,
        // SIGTERM lets it report the participants who leave.
        [{ send: () => child.kill('SIGTERM'), limitMs: stopLimitMs }],
        () => child.kill('SIGKILL'),
      ),
  }
}

/** Kill an engine that hangs. Count pings rather than time, because this process may have been stalled, too. */
async function watchLiveness(
  child: ChildProcess,
  { log, pingEveryMs = defaultPingEveryMs }: MediaProcessOptions,
  signal: AbortSignal,
) {
  let unanswered = 0
  child.on('message', (message: Serializable) => {
    if (Object(message).kind === 'alive') unanswered = 0
  })
  for (; unanswered < maxUnanswered; unanswered++) {
    if (child.connected) child.send({ kind: 'ping' }, () => {})
    await sleep(pingEveryMs, undefined, { ref: false, signal })
  }
  log.error({ pingEveryMs, unanswered }, 'the media engine hangs and is killed')
  child.kill('SIGKILL')
}

/** The engine logs JSON lines like this service: keep their level, as far as this log is concerned. */
function levelOf(line: string): 'error' | 'warn' | 'debug' {
  const [, level] = /^\{"level":"(fatal|error|warn)"/.exec(line) ?? []
  if (level === 'warn') return 'warn'
  return level === undefined ? 'debug' : 'error'
}
