import { type ChildProcess, spawn } from 'node:child_process'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Received } from '../../apps/server/test/webhooks/receiver.ts'
import { freePorts } from '../helpers/free-port.ts'

/** Prints each event when it arrives. It answers 204 or, where it hangs, never. */
const source = `
  import { createServer } from 'node:http'
  import { text } from 'node:stream/consumers'
  createServer(async (request, response) => {
    console.log((await text(request)).trim())
    if (process.env.HANGS !== 'yes') response.writeHead(204).end()
  }).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'))
`

/** A receiver in a process of its own, which is killed while it works on an event, and started again. */
export async function startKilledReceiver() {
  const [port = 0] = await freePorts(1)
  const taken: Received[] = []
  let child: ChildProcess | undefined
  after(() => child?.kill())

  async function start(hangs: boolean, take: (event: Received) => void): Promise<void> {
    const environment = { PORT: String(port), HANGS: hangs ? 'yes' : 'no' }
    const options = { stdio: ['ignore', 'pipe', 'inherit'] as ('ignore' | 'pipe' | 'inherit')[], env: environment }
    child = spawn(process.execPath, ['--input-type=module', '--eval', source], options)
    let isListening = false
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const lines = output.split('\n')
      output = lines.pop() ?? ''
      for (const line of lines) {
        if (line === 'listening') isListening = true
        else take(JSON.parse(line))
      }
    })
    while (!isListening) await sleep(10)
  }

  const killed = Promise.withResolvers<void>()
  await start(true, () => {
    child?.once('exit', () => killed.resolve())
    child?.kill('SIGKILL')
  })
  return {
    url: `http://127.0.0.1:${port}/parley`,
    /** Resolves when it has died with its first event. */
    killed: killed.promise,
    /** What it took after it was started again. */
    taken,
    startAgain: () => start(false, (event) => taken.push(event)),
  }
}
