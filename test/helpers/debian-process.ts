import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const startLimitMs = 20_000
const stopLimitMs = 10_000
const askIntervalMs = 50
const maxOutputLength = 200_000

export type DebianProcess = {
  pid: number
  /** The output so far, of both streams; only the end when it is long. */
  output(): string
  isRunning(): boolean
  /** Kill it without a signal that it could handle, as a power cut would. */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Program = {
  command: string
  arguments: readonly string[]
  environment?: Record<string, string>
  /** Called until it returns true. */
  isReady(): Promise<boolean>
}

/**
 * Start a third-party server and wait until it is ready. It ends with its parent: `setpriv` makes the kernel kill it if
 * the test dies first.
 * @throws Error with its output when it exits during startup or does not become ready
 */
export async function startDebianProcess(program: Program): Promise<DebianProcess> {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program.command, ...program.arguments], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...program.environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutputLength)
    })
  }
  let isRunning = true
  const ended = new Promise<void>((resolve) => {
    child.once('exit', resolve)
    child.once('error', () => resolve())
  }).then(() => {
    isRunning = false
  })
  const running: DebianProcess = {
    pid: child.pid ?? 0,
    output: () => output,
    isRunning: () => isRunning,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    [Symbol.asyncDispose]: () => stop(child, ended, () => isRunning),
  }
  for (const deadline = Date.now() + startLimitMs; ; await sleep(askIntervalMs)) {
    if (isRunning && (await program.isReady().catch(() => false))) return running
    if (isRunning && Date.now() < deadline) continue
    await running[Symbol.asyncDispose]()
    throw new Error(`${program.command} did not get ready: ${output}`)
  }
}

/** Send a second signal, because livekit-server waits for its participants to leave after the first. */
async function stop(child: ChildProcess, ended: Promise<void>, isRunning: () => boolean) {
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(askIntervalMs)])
  if (isRunning()) child.kill('SIGTERM')
  const giveUp = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await ended
  clearTimeout(giveUp)
}
