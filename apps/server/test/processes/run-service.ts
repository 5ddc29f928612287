import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataFolder } from '../postgres/embedded-postgres.ts'
import { descendantsOf, haveEnded, killAll } from './process-tree.ts'

export type ExitResult = { code: number | null; signal: NodeJS.Signals | null; output: string }

export type ServiceProcess = {
  /** The address on which it listens. */
  base: string
  pid: number
  /** All output so far, log lines included. */
  output(): string
  /** The set-up codes in the output; none when there is an account. */
  setUpCodes(): string[]
  /** Resolve when a line of the output, past or future, matches. */
  waitForOutput(pattern: RegExp): Promise<void>
  /** The ids of the process and its descendants, PostgreSQL included. */
  processes(): Promise<number[]>
  /** Send a signal without waiting for its effect. */
  signal(signal: NodeJS.Signals): void
  ended: Promise<ExitResult>
}

type RunOptions = SpawnOptions & {
  /** Settings of the service; by default it uses free ports and logs warnings. */
  environment: Record<string, string>
  /** Replaces `node apps/server/src/main.ts`. */
  command?: readonly string[]
}

/** A data folder with a database; it is removed after the services of the test have ended. */
export function dataFolderOf(t: TestContext, name?: string): Promise<string> {
  atEnd(t, async () => {})
  return dataFolder(t, name)
}

/** Clean-up steps that run together in the test's first hook, because hooks run in the order of their registration. */
const endings = new WeakMap<TestContext, (() => Promise<void>)[]>()

function atEnd(t: TestContext, end: () => Promise<void>) {
  const known = endings.get(t)
  if (known !== undefined) known.push(end)
  else {
    const all = [end]
    endings.set(t, all)
    t.after(() => Promise.all(all.map((each) => each())))
  }
}

/** Services end with the test run, also with an interrupted one. */
const running = new Set<number>()
process.on('exit', () => killAll([...running].map((pid) => -pid)))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

const localAddress = 'http://parley.localhost'

/** A service receives no other variables of the test's environment. */
const variables = {
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** As plain text, or within a log entry. */
const listens = /(?:^|\\n)- listens: +(http:[^\s\\]+)(?:$|\\n)/

/** The services that have been started, by the address at which they listen. */
const started = new Map<string, Pick<ServiceProcess, 'setUpCodes'>>()

/** Return the set-up code that the service at an address has printed; undefined when it had an account. */
export const setUpCodeAt = (base: string): string | undefined => started.get(base)?.setUpCodes()[0]

/** Start the service as its own process group, and wait until it serves requests. */
export async function runService(t: TestContext, options: RunOptions): Promise<ServiceProcess> {
  const { service, address } = launch(t, options)
  const base = await address
  if (base === undefined) throw new Error(`The service did not start:\n${service.output()}`)
  started.set(base, service)
  return { ...service, base }
}

/** Run the service until it exits by itself. */
export const runUntilExit = (t: TestContext, options: RunOptions): Promise<ExitResult> =>
  launch(t, options).service.ended

function launch(t: TestContext, { environment, command = [process.execPath, main], ...spawnOptions }: RunOptions) {
  const [program = '', ...programArguments] = command
  const child = spawn(program, programArguments, {
    ...spawnOptions,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...variables,
      PORT: '0',
      BASE_URL: localAddress,
      LOG_LEVEL: 'warn',
      MEDIA_UDP_PORT: '0',
      ...environment,
    },
  })
  const pid = child.pid
  if (pid === undefined) throw new Error(`${program} cannot be run`)
  running.add(pid)
  const lines: string[] = []
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      for (const look of waiting) look()
    })
  }
  const output = () => lines.join('\n')
  const ended = once(child, 'close').then(([code, signal]): ExitResult => ({ code, signal, output: output() }))
  void ended.then(() => running.delete(pid))
  atEnd(t, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const postgres = await descendantsOf(pid)
    killAll([-pid])
    await ended
    // PostgreSQL stops by itself when its Parley is gone.
    await haveEnded(postgres)
  })

  const findLine = (pattern: RegExp) =>
    new Promise<RegExpExecArray | undefined>((report) => {
      const look = () => {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
        if (found !== undefined) report(found)
      }
      waiting.add(look)
      look()
      void ended.then(() => report(undefined))
    })
  const address = findLine(listens).then((found) => found?.[1]?.replace('localhost', '127.0.0.1'))
  const service = {
    pid,
    output,
    ended,
    setUpCodes: () =>
      [...output().matchAll(/^- set-up: {4}([0-9A-Z-]{19}) is the code/gm)].map(([, code = '']) => code),
    processes: async () => [pid, ...(await descendantsOf(pid))],
    signal: (signal: NodeJS.Signals) => void process.kill(pid, signal),
    async waitForOutput(pattern: RegExp) {
      if ((await findLine(pattern)) === undefined) throw new Error(`The service ended without ${pattern}:\n${output()}`)
    },
  }
  return { service, address }
}
