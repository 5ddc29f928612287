import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { codeOf } from '../error-facts.ts'
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
