import { createSocket, type Socket, type SocketType } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './errors.ts'
import { StartProblem } from './start-problem.ts'

/** Error codes of machines and containers without IPv6. */
const noIpv6 = ['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL']

/** Advice for the operator, by error code. */
const advice: Record<string, (port: number) => string> = {
  EADDRINUSE: (port) =>
    `Another program uses UDP port ${port} already. Stop it, or give this one its own MEDIA_UDP_PORT.`,
  EACCES: (port) => `This user may not use UDP port ${port}. Choose a MEDIA_UDP_PORT from 1024.`,
}

/** Retried, because another Parley's probe, or a stopping media engine, holds a port briefly. */
const probes = 10
const probeIntervalMs = 200

/** All addresses are literal, so no look-up is needed. */
const noLookup = (address: string, _: unknown, done: (error: null, address: string, family: number) => void) =>
  done(null, address, address.includes(':') ? 6 : 4)

/**
 * Bind a UDP port on all addresses of both families, or of IPv4 when the machine has no IPv6. With port 0 the system
 * chooses.
 *
 * @throws StartProblem when the operator can fix it
 */
export async function bindUdpPort(port: number, receiveBufferLength?: number): Promise<Socket> {
  const buffer = receiveBufferLength === undefined ? {} : { recvBufferSize: receiveBufferLength }
  try {
    return await bind('udp6', port, buffer).catch((error: unknown) => {
      if (!noIpv6.includes(codeOf(error))) throw error
      return bind('udp4', port, buffer)
    })
  } catch (cause) {
    const sentence = advice[codeOf(cause)]?.(port)
    throw sentence === undefined ? cause : new StartProblem(sentence, { cause })
  }
}

/**
 * Bind the first free UDP port of several, where the operator has chosen none: two services on one machine use two.
 *
 * @throws StartProblem when none of them can be used
 */
export async function bindFirstUdpPort(
  { port, lastPort = port }: UdpPorts,
  receiveBufferLength?: number,
): Promise<Socket> {
  for (let tried = port; ; tried++) {
    try {
      return await bindUdpPort(tried, receiveBufferLength)
    } catch (error) {
      const isTaken = error instanceof StartProblem && codeOf(error.cause) === 'EADDRINUSE'
      if (!isTaken || tried >= lastPort) throw error
    }
  }
}

/** A port, or with `lastPort` the first free one from it on. */
export type UdpPorts = { port: number; lastPort?: number | undefined }

/** What an operator reads whose service uses another port than the usual one. */
export const otherUdpPort = (usual: number, port: number): string =>
  `Another program uses UDP port ${usual}, so calls use UDP port ${port}. A firewall has to let it in; set MEDIA_UDP_PORT ` +
  'to choose one that stays.'

/** The UDP port that is the first free one now. @throws StartProblem */
export async function findFirstUdpPort(ports: UdpPorts): Promise<number> {
  const socket = await bindFirstUdpPort(ports)
  const { port } = socket.address()
  return new Promise((resolve) => socket.close(() => resolve(port)))
}

/**
 * Check at startup, rather than in the first call, that a port can be used.
 *
 * @throws StartProblem
 */
export async function requireFreeUdpPort(port: number, intervalMs = probeIntervalMs): Promise<void> {
  for (let probe = 1; ; probe++) {
    try {
      const socket = await bindUdpPort(port)
      return await new Promise((resolve) => socket.close(resolve))
    } catch (error) {
      if (probe === probes || !(error instanceof StartProblem)) throw error
      await sleep(intervalMs)
    }
  }
}

function bind(type: SocketType, port: number, buffer: { recvBufferSize?: number }): Promise<Socket> {
  const socket = createSocket({ type, lookup: noLookup, ...buffer })
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close()
      reject(error)
    })
    socket.bind({ port }, () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}
