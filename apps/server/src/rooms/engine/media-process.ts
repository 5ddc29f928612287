import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** What the engine is told first. It reads no setting from the environment. */
export type MediaSettings = {
  apiKey: string
  apiSecret: string
  udpPort: number
  publicAddress?: string
}

export type MediaProcess = {
  /** Its port on 127.0.0.1; rejects when it ends before it listens. */
  listening: Promise<number>
  /** Resolves with how it went, e.g. 'exit code 1' or 'signal SIGKILL', and the reason that it gave, if any. */
  ended: Promise<string>
  /** Asks it to end, and ends it when it does not. */
  stop(): Promise<void>
}

export type MediaProcessOptions = {
  /** The engine's own program. */
  program: string
  settings: MediaSettings
  log: Logger
  /** Receives LiveKit's WebhookEvents, as JSON. */
  onEvent(event: unknown): void
  /** How often it is asked whether it is alive. */
  lookEveryMs?: number
}

/** It loads in two thirds of the time from the cache that `npm start` names, and people wait for it. */
const { NODE_COMPILE_CACHE: compileCache } = process.env
const env = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

/** Loading it takes a third of a second, and ten on a machine that does fifty things at once; then it will never listen. */
const startLimitMs = 30_000
const stopLimitMs = 2_000
const defaultLookEveryMs = 2_000
/** So many looks in a row: one that answers none of them hangs, and nobody in its rooms hears anybody. */
const maxUnanswered = 5
/** Of what it prints: enough to recognise a stack trace by. */
const maxLineLength = 500

/**
 * Runs the engine as a child that knows nothing of ours but its settings. It ends by itself when the channel to this
 * process breaks, so that it outlives none, and has a session of its own, so that a Ctrl-C is ours to hear.
 */
export function startMediaProcess(options: MediaProcessOptions): MediaProcess {
  const { program, settings, log, onEvent } = options
  const child = fork(program, [], { detached: true, env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  // The channel breaks when the engine ends while something is on its way, or when there is no handle left to start it
  // with; `ended` tells that story.
  child.on('error', () => {})
  let failure = ''
  const ended = describeEnd(child).then((how) => (failure === '' ? how : `${how}: ${failure}`))
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface(stream).on('line', (line) => {
      log[levelOf(line)]({ line: line.slice(0, maxLineLength) }, 'the media engine says')
    })
  }
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>()
  // Whoever waits for it learns it; nobody has to.
  listening.catch(() => {})
  child.on('message', (message: Serializable) => {
    const { kind, port, event, reason } = Object(message) as Record<'kind' | 'port' | 'event' | 'reason', unknown>
    if (kind === 'listening' && typeof port === 'number') resolve(port)
    if (kind === 'failed' && typeof reason === 'string') failure = reason
    if (kind === 'event') onEvent(event)
  })
  if (child.connected) child.send({ kind: 'start', ...settings }, () => {})
  const late = setTimeout(() => child.kill('SIGKILL'), startLimitMs)
  const looking = new AbortController()
  void listening
    .then(() => {
      clearTimeout(late)
      return lookAfter(child, options, looking.signal)
    })
    .catch(() => {})
  void ended.then((how) => {
    clearTimeout(late)
    looking.abort()
    reject(new Error(`The media engine ended before it listened: ${how}`))
  })
  return {
    listening,
    ended,
    async stop() {
      // What it reports of those who have to leave still arrives.
      child.kill('SIGTERM')
      const limit = new AbortController()
      const kill = async () => {
        await sleep(stopLimitMs, undefined, { signal: limit.signal })
        child.kill('SIGKILL')
      }
      kill().catch(() => {})
      await ended
      limit.abort()
    },
  }
}

/** Ends an engine that hangs. Looks are counted, and not time: whoever looks may have been held up, too. */
async function lookAfter(
  child: ChildProcess,
  { log, lookEveryMs = defaultLookEveryMs }: MediaProcessOptions,
  signal: AbortSignal,
) {
  let unanswered = 0
  child.on('message', (message: Serializable) => {
    if (Object(message).kind === 'alive') unanswered = 0
  })
  for (; unanswered < maxUnanswered; unanswered++) {
    if (child.connected) child.send({ kind: 'look' }, () => {})
    await sleep(lookEveryMs, undefined, { ref: false, signal })
  }
  log.error({ lookEveryMs, unanswered }, 'the media engine hangs; it is ended')
  child.kill('SIGKILL')
}

/** Its log is like ours: what is wrong with it stands out in ours, too. */
function levelOf(line: string): 'error' | 'warn' | 'debug' {
  const [, level] = /^\{"level":"(fatal|error|warn)"/.exec(line) ?? []
  if (level === 'warn') return 'warn'
  return level === undefined ? 'debug' : 'error'
}

async function describeEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit')
    return signal === null ? `exit code ${code}` : `signal ${signal}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
