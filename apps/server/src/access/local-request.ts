import { isLocalVisit } from '@parley/rules/accounts/local-visit'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'

/** Whether a request comes from this machine (`isLocalVisit`); never with SET_UP_CODE=always. */
export const createIsLocalRequest =
  ({ baseUrl, trustProxy, setUpCode }: Pick<Config, 'baseUrl' | 'trustProxy' | 'setUpCode'>) =>
  ({ raw: { socket, headers } }: FastifyRequest): boolean =>
    setUpCode === 'elsewhere' &&
    isLocalVisit(
      { baseUrl, behindProxy: trustProxy.length > 0 },
      {
        peerAddress: socket.remoteAddress,
        host: headers.host,
        origin: headers.origin,
        headerNames: Object.keys(headers),
      },
    )
