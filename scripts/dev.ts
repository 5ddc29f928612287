import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/**
 * npm run dev: pages and server, each updated when its sources change. Vite listens on the service's port and forwards
 * all requests except those for pages to the server, so that there is one origin, as in production.
 */
const port = Number(process.env.PORT ?? '3000')
const serverPort = port + 1
const root = fileURLToPath(new URL('../', import.meta.url))

process.env.PARLEY_SERVER = `http://127.0.0.1:${serverPort}`
const server = spawn(
  process.execPath,
  ['--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/main.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { BASE_URL: `http://localhost:${port}`, ...process.env, PORT: String(serverPort) },
  },
)
const vite = await createServer({ configFile: `${root}apps/web/vite.config.ts`, server: { port } })
await vite.listen()
console.log(`The pages, as you change them: http://localhost:${port}`)

let stopping = false
async function stop(signal: NodeJS.Signals) {
  if (stopping) return
  stopping = true
  server.kill(signal)
  await vite.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))
server.on('exit', (code) => {
  process.exitCode = code ?? 0
  void stop('SIGTERM')
})
