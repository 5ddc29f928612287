import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { AccessToken, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk'

/** A media server for a test: the embedded engine, or the LiveKit server named by the environment. */
export type MediaServer = {
  /** The address for pages. Connections go through a proxy of the test, which can cut them. */
  url: string
  service: RoomServiceClient
  /** The events of the embedded engine; LiveKit sends its own to its webhooks. */
  events: { event: string; participant?: { identity: string } }[]
  token(identity: string, grant: VideoGrant): Promise<string>
  /** Cut every signalling connection. Media continues. */
  cut(): void
  /** Kill the engine and restart it at the same address; undefined for LiveKit. */
  restart: (() => Promise<void>) | undefined
  close(): Promise<void>
}

const main = fileURLToPath(new URL('../../apps/server/src/media/main.ts', import.meta.url))
const tokenLifetimeSeconds = 120

export async function startMediaServer(): Promise<MediaServer> {
  const { MEDIA_TEST_URL, MEDIA_TEST_KEY = '', MEDIA_TEST_SECRET = '' } = process.env
  const events: MediaServer['events'] = []
  const own = { key: 'test', secret: 'a secret of the test, long enough' }
  const { key, secret } = MEDIA_TEST_URL === undefined ? own : { key: MEDIA_TEST_KEY, secret: MEDIA_TEST_SECRET }
  let engine = MEDIA_TEST_URL === undefined ? startEngine(own, events) : undefined
  // Connections that are made while the engine starts wait for it, as they do in the service.
  const target = async () => {
    const { hostname, port } = new URL(MEDIA_TEST_URL ?? `ws://127.0.0.1:${(await engine)?.port}`)
    return connect(Number(port), hostname)
  }
  const sockets = new Set<Socket>()
  const proxy = createServer(async (incoming) => {
    incoming.on('error', () => {})
    const outgoing = await target()
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    service: new RoomServiceClient(`http://127.0.0.1:${port}`, key, secret),
    events,
    async token(identity, grant) {
      const token = new AccessToken(key, secret, { identity, name: identity, ttl: tokenLifetimeSeconds })
      token.addGrant(grant)
      return token.toJwt()
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    restart:
      engine === undefined
        ? undefined
        : async () => {
            const dying = await engine
            engine = startEngine(own, events)
            dying?.process.kill('SIGKILL')
            await engine
          },
    async close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      const running = await engine
      if (running === undefined) return
      running.process.kill('SIGTERM')
      await once(running.process, 'exit')
    },
  }
}

type Engine = { process: ChildProcess; port: number }

async function startEngine({ key, secret }: { key: string; secret: string }, events: unknown[]): Promise<Engine> {
  const child = fork(main, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The media engine ended while it was starting')))
    child.on('message', (message: { kind: string; port: number; event: unknown }) => {
      if (message.kind === 'listening') resolve(message.port)
      else events.push(message.event)
    })
    child.send({ kind: 'start', apiKey: key, apiSecret: secret, udpPort: 0 })
  })
  child.removeAllListeners('exit')
  return { process: child, port }
}
