import type { IncomingMessage } from 'node:http'

/**
 * The origin of a join, from headers of the proxy (rooms/engine/media-proxy.ts). The headers are trusted, because only
 * the proxy can reach this process.
 */
export type JoinOrigin = {
  /** The account that hosts the room; if unknown, the room's name. */
  owner: string
  /** The participant's network; undefined if unknown. */
  network: string | undefined
}

const ownerHeader = 'x-parley-owner'
const networkHeader = 'x-parley-network'
/** Account ids and networks are shorter. */
const maxOriginLength = 100

export function readJoinOrigin({ headers }: Pick<IncomingMessage, 'headers'>, room: string): JoinOrigin {
  return { owner: headerText(headers[ownerHeader]) ?? room, network: headerText(headers[networkHeader]) }
}

const headerText = (value: string | string[] | undefined) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxOriginLength) : undefined
