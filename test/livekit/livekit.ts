import { randomBytes } from 'node:crypto'
import { type DebianProcess, startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'
import { startBalancer } from './balancer.ts'
import { findLivekit } from './livekit-program.ts'
import { startRedis } from './redis.ts'
import type { RedisSentinel } from './redis-sentinel.ts'

export type LivekitNode = {
  port: number
  /** The address for browsers. */
  url: string
  /** The client of its API. */
  apiUrl: string
  /** The sum of a Prometheus counter over all series with the label, such as `packet_total`, `incoming`. */
  count(name: string, label: string): Promise<number>
  process: DebianProcess
}

export type Livekit = {
  apiKey: string
  apiSecret: string
  /** One node, or two that share a Redis and know each other's rooms. */
  nodes: readonly [LivekitNode, ...LivekitNode[]]
  /** The address for browsers and Parley: the node, or a balancer in front of two. */
  url: string
  /** Settings of Parley. */
  environment: { LIVEKIT_URL: string; LIVEKIT_API_KEY: string; LIVEKIT_API_SECRET: string }
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Start a real LiveKit on 127.0.0.1, built from its Go module. Parley and LiveKit need each other's address at startup:
 * choose Parley's port first (`freePorts`), start LiveKit, then start Parley on that port.
 * @param webhookUrl receives the webhooks: `{base}/media/events` of Parley
 * @param sentinel replaces the single Redis of two nodes
 * @throws Error where LiveKit is not built
 */
export async function startLivekit({ webhookUrl, nodes: count = 1, sentinel }: Wanted): Promise<Livekit> {
  const program = findLivekit()
  if (program === undefined) throw new Error('livekit-server is not here: run scripts/install-interop-tools.sh.')
  await using started = new AsyncDisposableStack()
  const apiKey = 'parley-test'
  const apiSecret = randomBytes(32).toString('hex')
  const single = count === 1 || sentinel !== undefined ? undefined : started.use(await startRedis())
  const redis = sentinel?.settings ?? (single && { address: single.address })
  const settings = { apiKey, apiSecret, webhookUrl, redis }
  const first = await startNode(program, settings, started)
  const nodes: [LivekitNode, ...LivekitNode[]] = [first]
  if (count === 2) nodes.push(await startNode(program, settings, started))
  const ports = nodes.map(({ port }) => port)
  const url = count === 1 ? first.url : `ws://127.0.0.1:${started.use(await startBalancer(ports)).port}`
  const kept = started.move()
  return {
    apiKey,
    apiSecret,
    nodes,
    url,
    environment: { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

type Wanted = { webhookUrl: string; nodes?: 1 | 2; sentinel?: RedisSentinel }
type Settings = { apiKey: string; apiSecret: string; webhookUrl: string; redis: object | undefined }

async function startNode(program: string, settings: Settings, started: AsyncDisposableStack): Promise<LivekitNode> {
  const [port = 0, metricsPort = 0, udpPort = 0, tcpPort = 0] = await freePorts(4)
  const configuration = {
    port,
    bind_addresses: ['127.0.0.1'],
    keys: { [settings.apiKey]: settings.apiSecret },
    webhook: { api_key: settings.apiKey, urls: [settings.webhookUrl] },
    prometheus: { port: metricsPort },
    logging: { level: 'warn', json: true },
    rtc: {
      udp_port: udpPort,
      tcp_port: tcpPort,
      node_ip: '127.0.0.1',
      use_external_ip: false,
      enable_loopback_candidate: true,
      interfaces: { includes: ['lo'] },
      stun_servers: [],
    },
    ...(settings.redis !== undefined && { redis: settings.redis }),
  }
  const apiUrl = `http://127.0.0.1:${port}`
  const process = await startDebianProcess({
    command: program,
    arguments: [],
    // JSON is valid YAML. It is in the environment, because all users of a machine may read a process's arguments.
    environment: { LIVEKIT_CONFIG: JSON.stringify(configuration) },
    isReady: async () => (await fetch(apiUrl)).status === 200,
  })
  started.use(process)
  return {
    port,
    url: `ws://127.0.0.1:${port}`,
    apiUrl,
    process,
    async count(name, label) {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const counts = [...metrics.matchAll(/^livekit_(\w+)\{(.*)\} (\S+)$/gm)]
      const found = counts.filter(([, counted, labels = '']) => counted === name && labels.includes(`"${label}"`))
      return found.reduce((sum, [, , , value]) => sum + Number(value), 0)
    },
  }
}
