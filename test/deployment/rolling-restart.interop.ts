import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { standUp } from '../../apps/server/test/people.ts'
import { createEmptyDatabase } from '../../apps/server/test/postgres/empty-database.ts'
import { runService } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import { startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

/**
 * Two Parleys behind Debian's HAProxy and nginx restart one after the other under 150 requests a second. With the
 * DRAIN_SECONDS that docs/maintenance.md recommends for HAProxy no request is lost; with less, some are.
 */

const requestsPerSecond = 150
/** One in this many requests is a write, and every second one uses a new connection. */
const writeEvery = 5
/** The length of an upgrade. HAProxy repeats refused requests for three seconds, which would hide a shorter absence. */
const awayMs = 6_000

const folder = await mkdtemp(join(tmpdir(), 'parley-rolling-'))
after(() => rm(folder, { recursive: true, force: true }))

type Proxy = (port: number, parleyPorts: readonly number[]) => ReturnType<typeof startDebianProcess>

const isThrough = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200

/** HAProxy's default health checks: every 2 s, three failures. */
const startHaproxy: Proxy = async (port, parleyPorts) => {
  const file = join(folder, `haproxy-${port}.cfg`)
  const servers = parleyPorts.map((each, at) => `  server parley${at} 127.0.0.1:${each} check\n`)
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
frontend clients
  bind 127.0.0.1:${port}
  default_backend parley
backend parley
  option httpchk GET /readyz
  http-check expect status 200
${servers.join('')}`,
  )
  return startDebianProcess({
    command: '/usr/sbin/haproxy',
    arguments: ['-db', '-f', file],
    isReady: () => isThrough(port),
  })
}

/**
 * nginx has no active health checks: it tries the next instance when one refuses the connection. With its default
 * `max_fails=1`, it then excludes the instance for ten seconds, and answers 502 if the other one restarts during that
 * time.
 */
const startNginx: Proxy = async (port, parleyPorts) => {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, `nginx-${port}.conf`)
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { ${paths.join(' ')} access_log off;
  upstream parley { ${parleyPorts.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection '';
    location / { proxy_pass http://parley; }
  }
}`,
  )
  return startDebianProcess({
    command: '/usr/sbin/nginx',
    arguments: ['-p', folder, '-c', file],
    isReady: () => isThrough(port),
  })
}

/**
 * Restart both instances under load.
 * @returns the number of requests, and the outcome of each that was not answered with 2xx
 */
async function restartBoth(t: TestContext, startProxy: Proxy, drainSeconds: number) {
  const database = await createEmptyDatabase(t)
  const [port = 0, ...parleyPorts] = await freePorts(3)
  const startParley = (at: number) =>
    runService(t, {
      environment: {
        DATABASE_URL: database,
        SECRET_KEY: '5e'.repeat(32),
        PORT: String(parleyPorts[at]),
        DRAIN_SECONDS: String(drainSeconds),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      },
    })
  const parleys = [await startParley(0), await startParley(1)]
  await using _ = await startProxy(port, parleyPorts)
  const { token } = await signUp(String(parleys[0]?.base), 'Alice')
  const load = startLoad(port, token)
  await sleep(2_000)
  for (const at of [0, 1]) {
    parleys[at]?.signal('SIGTERM')
    assert.equal((await parleys[at]?.ended)?.code, 0)
    await sleep(awayMs)
    parleys[at] = await startParley(at)
    // As in the guide: restart the next one when the proxy considers this one ready as well.
    await sleep((drainSeconds + 1) * 1_000)
  }
  const { sent, lost } = await load.stop()
  const kinds = [...new Set(lost)].map((kind) => `${kind}: ${lost.filter((each) => each === kind).length}`)
  t.diagnostic(`${lost.length} of ${sent} requests lost ${kinds.join(', ')}`)
  return { sent, lost }
}

function startLoad(port: number, token: string) {
  const kept = new Agent({ keepAlive: true, maxSockets: 32 })
  const lost: string[] = []
  const open = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0
  const meeting = JSON.stringify(standUp({ participants: [] }))

  function ask(): Promise<void> {
    const isWrite = sent % writeEvery === 0
    const agent = sent % 2 === 0 ? kept : false
    sent++
    return new Promise((resolve) => {
      const lose = (kind: string) => {
        lost.push(kind)
        resolve()
      }
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: isWrite ? 'POST' : 'GET',
          path: isWrite ? '/api/meeting' : '/api/my_profile',
          headers: { authorization: `Bearer ${token}`, ...(isWrite && { 'content-type': 'application/json' }) },
        },
        (response) => {
          response.resume()
          response.on('error', () => lose('cut off'))
          response.on('end', () => (response.statusCode === 200 ? resolve() : lose(`${response.statusCode}`)))
        },
      )
      asked.on('error', (error: Error & { code?: string }) => lose(error.code ?? error.message))
      asked.end(isWrite ? meeting : undefined)
    })
  }

  const timer = setInterval(() => {
    while (sent < ((performance.now() - startedAt) / 1_000) * requestsPerSecond) {
      const asking = ask().finally(() => open.delete(asking))
      open.add(asking)
    }
  }, 10)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      kept.destroy()
      return { sent, lost }
    },
  }
}

test('HAProxy with its default checks and DRAIN_SECONDS=8 loses no request', async (t) => {
  assert.deepEqual((await restartBoth(t, startHaproxy, 8)).lost, [])
})

test('control: HAProxy with its default checks and DRAIN_SECONDS=1 loses requests', async (t) => {
  const { lost } = await restartBoth(t, startHaproxy, 1)
  assert.ok(lost.length > 0, 'a check that cannot fail proves nothing')
})

test('nginx, which has no checks and tries the next instance, loses at most one request in a thousand', async (t) => {
  const { sent, lost } = await restartBoth(t, startNginx, 1)
  assert.ok(lost.length <= sent / 1_000, `${lost.length} of ${sent}`)
})
