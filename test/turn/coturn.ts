import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { startDebianProcess } from '../helpers/debian-process.ts'
import { freePorts } from '../helpers/free-port.ts'

export type Coturn = {
  url: string
  secret: string
  /** Settings of Parley. */
  environment: { TURN_URLS: string; TURN_SECRET: string }
  /** Its log of allocations and refusals. */
  output(): string
  [Symbol.asyncDispose](): Promise<void>
}

const secret = 'a secret of the relay and of Parley, with spaces & signs'

/**
 * Start Debian's coturn on 127.0.0.1 with the settings of compose.yaml except the ports, so that its peers and its
 * authentication are those of a real installation.
 * @param allowedPeer the only peer address to which it relays
 */
export async function startCoturn({ allowedPeer = '127.0.0.1' } = {}): Promise<Coturn> {
  const [port = 0, ...relayPorts] = await freePorts(17)
  // Free ports need not be adjacent; the range covers them all.
  const [least, most] = [Math.min(...relayPorts), Math.max(...relayPorts)]
  const composed = (await composedFlags()).filter(
    (flag) => !/^--(listening-port|min-port|max-port|external-ip)=/.test(flag),
  )
  const server = await startDebianProcess({
    command: 'turnserver',
    arguments: [
      ...composed.map((flag) =>
        flag.replace(/\$\{TURN_SECRET:[^}]*\}/, secret).replace(/\$\{PUBLIC_ADDRESS:[^}]*\}/, allowedPeer),
      ),
      `--listening-port=${port}`,
      `--min-port=${least}`,
      `--max-port=${most}`,
      '--listening-ip=127.0.0.1',
      '--relay-ip=127.0.0.1',
      '--allow-loopback-peers',
      '--pidfile=',
      '--userdb=/nonexistent',
      '--simple-log',
      '--verbose',
    ],
    isReady: () => takesConnections(port),
  })
  const url = `turn:127.0.0.1:${port}`
  return {
    url,
    secret,
    environment: { TURN_URLS: url, TURN_SECRET: secret },
    output: server.output,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function composedFlags(): Promise<string[]> {
  const compose = await readFile(new URL('../../compose.yaml', import.meta.url), 'utf8')
  const [, coturn = ''] = /\n {2}coturn:\n([\s\S]*?)\n(?=\S)/.exec(compose) ?? []
  const flags = [...coturn.matchAll(/^ {6}- (-.*)$/gm)].map(([, flag = '']) => flag)
  if (!flags.includes('--use-auth-secret')) throw new Error('compose.yaml has no coturn with use-auth-secret.')
  return flags
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise((resolve, reject) => socket.once('error', reject).once('connect', () => resolve(true)))
  } finally {
    socket.destroy()
  }
}
