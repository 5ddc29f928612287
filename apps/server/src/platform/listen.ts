import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartProblem } from './start-problem.ts'

type Place = { host: string; port: number }

/** What the operator can do about it, by the system's code. */
const advice: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ port }) => `Another program listens on port ${port} already. Stop it, or give this one its own PORT.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Choose a PORT from 1024.`,
  EADDRNOTAVAIL: ({ host }) => `This machine does not have the address ${host}. Correct HOST.`,
  ENOTFOUND: ({ host }) => `The name ${host} has no address. Correct HOST.`,
}

/**
 * Listens, and tells on which port: with port 0 the system chooses.
 * @throws StartProblem when the operator can do something about it
 */
export async function listen(http: FastifyInstance, place: Place): Promise<number> {
  try {
    await http.listen(place)
  } catch (cause) {
    const sentence = advice[codeOf(cause)]?.(place)
    throw sentence === undefined ? cause : new StartProblem(sentence, { cause })
  }
  const { port } = http.server.address() as AddressInfo
  return port
}

const codeOf = (error: unknown) => String((Object(error) as { code?: unknown }).code)
