import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { codeOf } from '../errors.ts'
import { StartProblem } from '../start-problem.ts'

type Place = { host: string; port: number }
/** The names of the operator's variables. */
type Names = { host: string; port: string }

/** Advice for the operator, by error code. */
const advice: Record<string, (place: Place, names: Names) => string> = {
  EADDRINUSE: ({ port }, names) =>
    `Another program listens on port ${port} already. Stop it, or give this one its own ${names.port}.`,
  EACCES: ({ port }, names) => `This user may not listen on port ${port}. Choose a ${names.port} from 1024.`,
  EADDRNOTAVAIL: ({ host }, names) => `This machine does not have the address ${host}. Correct ${names.host}.`,
  ENOTFOUND: ({ host }, names) => `The name ${host} has no address. Correct ${names.host}.`,
}

/**
 * Listen and return the port: with port 0 the system chooses.
 *
 * @throws StartProblem when the operator can fix it
 */
export async function listen(http: FastifyInstance, place: Place): Promise<number> {
  try {
    await http.listen(place)
  } catch (cause) {
    throw asStartProblem(cause, place, { host: 'HOST', port: 'PORT' })
  }
  const { port } = http.server.address() as AddressInfo
  return port
}

/** Listen with a plain Node server, in the same way. */
export async function listenAt(server: Server, place: Place, names: Names): Promise<number> {
  try {
    const listening = once(server, 'listening')
    server.listen(place)
    await listening
  } catch (cause) {
    throw asStartProblem(cause, place, names)
  }
  return (server.address() as AddressInfo).port
}

function asStartProblem(cause: unknown, place: Place, names: Names): unknown {
  const sentence = advice[codeOf(cause)]?.(place, names)
  return sentence === undefined ? cause : new StartProblem(sentence, { cause })
}

/** Clients that connect again after a response have done so within this time, even on a busy machine. */
const reconnectMs = 300
/** How long no client may have connected. */
const quietMs = 50
/**
 * No client is answered meanwhile, so the pending connections are soon accepted; a flood of connections is not awaited.
 */
const quietMomentLimitMs = 1_000

/**
 * Prepare to close a server, before it is ready. The returned function stops listening without losing a sent request,
 * and resolves when all are answered. Connections that remain after `limitMs` are destroyed.
 *
 * The kernel accepts connections before Node does, and resets those that Node has not accepted when it stops listening.
 * Responses are therefore delayed for a moment, which keeps clients from reconnecting, until no connection waits to be
 * accepted.
 */
export function prepareGentleClose(http: FastifyInstance): (limitMs: number) => Promise<void> {
  let held: Promise<void> | undefined
  http.addHook('onSend', (_request, _reply, payload, send) => {
    if (held === undefined) send(null, payload)
    else void held.then(() => send(null, payload))
  })
  return async (limitMs) => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    held = promise
    await sleep(reconnectMs)
    await quietMoment(http.server)
    const { promise: closed, resolve: reportClosed } = Promise.withResolvers<void>()
    http.server.close(() => reportClosed())
    letGo()
    const giveUp = setTimeout(() => http.server.closeAllConnections(), limitMs)
    await closed
    clearTimeout(giveUp)
  }
}

/** Wait until no client has connected for a while. Node accepts one connection in each turn of its loop. */
async function quietMoment(server: FastifyInstance['server']): Promise<void> {
  const latestMs = performance.now() + quietMomentLimitMs
  let lastConnectedMs = performance.now()
  const note = () => {
    lastConnectedMs = performance.now()
  }
  server.on('connection', note)
  while (performance.now() < Math.min(lastConnectedMs + quietMs, latestMs)) await nextTurn()
  server.off('connection', note)
}
