import type { IncomingMessage } from 'node:http'

/**
 * Who answers for a join, as the proxy in front of the engine says it (rooms/media-proxy.ts): it knows the meeting's host and
 * the network that a connection comes from, and is the only one that reaches this process.
 */
export type JoinOrigin = {
  /** The account that hosts the room; without one the room stands for itself. */
  owner: string
  /** The network that the person is in; undefined when it is not known. */
  network: string | undefined
}

const ownerHeader = 'x-parley-owner'
const networkHeader = 'x-parley-network'
/** Account ids and networks are shorter. */
const maxLength = 100

export function readJoinOrigin({ headers }: Pick<IncomingMessage, 'headers'>, room: string): JoinOrigin {
  return { owner: headerText(headers[ownerHeader]) ?? room, network: headerText(headers[networkHeader]) }
}

const headerText = (value: string | string[] | undefined) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined
