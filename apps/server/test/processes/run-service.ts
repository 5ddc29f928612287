import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataFolder } from '../postgres/embedded-postgres.ts'
import { descendantsOf, haveEnded, killAll } from './process-tree.ts'

export type Ending = { code: number | null; signal: NodeJS.Signals | null; said: string }

export type ServiceProcess = {
  /** Where it really listens. */
  base: string
  pid: number
  /** Everything it has said, log lines included. */
  said(): string
  /** What the first account needs from elsewhere, as it was printed; none when there is an account. */
  setUpCodes(): string[]
  /** Resolves when it has said something that matches; it may have said it before. */
  hasSaid(words: RegExp): Promise<void>
  /** The process and all below it, PostgreSQL's too. */
  processes(): Promise<number[]>
  /** Sends it a signal, and waits for nothing. */
  signal(signal: NodeJS.Signals): void
  ended: Promise<Ending>
}

type Way = SpawnOptions & {
  /** Settings of the service; the usual ones are free ports and little to log. */
  environment: Record<string, string>
  /** Other words than `node apps/server/src/main.ts`. */
  command?: readonly string[]
}

/** A data folder with a database in it; it goes after the services of the test have ended. */
export function dataFolderOf(t: TestContext, name?: string): Promise<string> {
  atEnd(t, async () => {})
  return dataFolder(t, name)
}

/** What ends together, in the first of a test's own hooks: they run in the order in which they were made. */
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

/** A service outlives no run, also one that is cut short. */
const running = new Set<number>()
process.on('exit', () => killAll([...running].map((pid) => -pid)))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

/** A name of this machine: whoever makes the first account here needs no set-up code. */
const localAddress = 'http://parley.localhost'

/** Nothing else of the test's own environment reaches a service. */
const variables = {
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** As text, or within a log entry. */
const listens = /(?:^|\\n)- listens: +(http:[^\s\\]+)(?:$|\\n)/

/** Starts the service as a process of its own, in a group of its own, and waits until it serves. */
export async function runService(t: TestContext, way: Way): Promise<ServiceProcess> {
  const { service, address } = launch(t, way)
  const base = await address
  if (base === undefined) throw new Error(`The service did not start:\n${service.said()}`)
  return { ...service, base }
}

/** The same for a service that is expected to end by itself. */
export const runToItsEnd = (t: TestContext, way: Way): Promise<Ending> => launch(t, way).service.ended

function launch(t: TestContext, { environment, command = [process.execPath, main], ...options }: Way) {
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    ...options,
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
  const said = () => lines.join('\n')
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal, said: said() }))
  void ended.then(() => running.delete(pid))
  atEnd(t, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const postgres = await descendantsOf(pid)
    killAll([-pid])
    await ended
    // Without a Parley it stops by itself.
    await haveEnded(postgres)
  })

  const lineLike = (words: RegExp) =>
    new Promise<RegExpExecArray | undefined>((report) => {
      const look = () => {
        const found = lines.map((line) => words.exec(line)).find((match) => match !== null)
        if (found !== undefined) report(found)
      }
      waiting.add(look)
      look()
      void ended.then(() => report(undefined))
    })
  const address = lineLike(listens).then((found) => found?.[1]?.replace('localhost', '127.0.0.1'))
  const service = {
    pid,
    said,
    ended,
    setUpCodes: () => [...said().matchAll(/^- set-up: {4}([0-9A-Z-]{19}) is the code/gm)].map(([, code = '']) => code),
    processes: async () => [pid, ...(await descendantsOf(pid))],
    signal: (signal: NodeJS.Signals) => void process.kill(pid, signal),
    async hasSaid(words: RegExp) {
      if ((await lineLike(words)) === undefined) throw new Error(`The service ended without ${words}:\n${said()}`)
    },
  }
  return { service, address }
}
