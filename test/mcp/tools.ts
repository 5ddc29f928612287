import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const installed = here('../../.interop-tools/mcp')

/** The programs that scripts/install-mcp-tools.sh installs for these runs. */
export const tools = {
  conformance: join(installed, 'npm/node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  python: join(installed, 'python/bin/python'),
}

/** The program that uses the Python client. */
export const pythonProgram = here('python/assistant.py')

/** Start a proxy that adds a token to each request: the conformance suite sends none. @returns its origin */
export async function openWithToken(base: () => { target: string; token: string }): Promise<string> {
  const server = createServer((incoming, answer) => {
    const { target, token } = base()
    const { hostname, port } = new URL(target)
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const options = { hostname, port, method: incoming.method, path: incoming.url, headers, setHost: false }
    const onward = request(options, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.rawHeaders)
      answered.pipe(answer)
    })
    onward.on('error', (error) => answer.destroy(error))
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Start a program whose lines are answered while it runs. */
export function startProgram(program: string, options: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(program, options, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
  })
  after(() => child.kill())
  let printedErrors = ''
  child.stderr.on('data', (chunk) => {
    printedErrors += chunk
  })
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    lines: createInterface({ input: child.stdout }),
    type: (text: string) => void child.stdin.write(`${text}\n`),
    exitCode,
    errors: () => printedErrors,
  }
}
