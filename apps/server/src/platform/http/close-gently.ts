import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Clients that connect again after a response have done so within this time, even on a busy machine. */
const reconnectMs = 300
/** How long no client may have connected. */
const quietMs = 50
/** No client is answered meanwhile, so a quiet moment comes soon; a flood of connections is not awaited. */
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
async function quietMoment(server: Server): Promise<void> {
  const latestMs = performance.now() + quietMomentLimitMs
  let lastConnectedMs = performance.now()
  const note = () => {
    lastConnectedMs = performance.now()
  }
  server.on('connection', note)
  while (performance.now() < Math.min(lastConnectedMs + quietMs, latestMs)) await nextTurn()
  server.off('connection', note)
}
