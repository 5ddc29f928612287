import type { FastifyRequest } from 'fastify'
import type { Topic } from '../platform/database/publish.ts'
import { addressOf } from '../platform/http/http.ts'
import { accessTopic } from './access-topic.ts'
import type { AuthenticatedCaller, Caller } from './caller.ts'
import { networkOf } from './network.ts'
import type { StreamOwner } from './streams.ts'

/** Have a stream read again when its caller may have lost the right to it, or its credential expires. */
export function streamWhileAuthorized<Reading extends { topics: readonly Topic[]; changesAt?: Date | undefined }>(
  caller: AuthenticatedCaller | undefined,
  reading: Reading,
): Reading {
  if (caller === undefined) return reading
  const { expiresAt, accountIds } = caller
  const times = [reading.changesAt, expiresAt].filter((at) => at instanceof Date)
  const changesAt = times.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return { ...reading, topics: [...reading.topics, ...accountIds.map(accessTopic)], changesAt }
}

/** Count the streams of an account, or for guests those of their network. */
export const streamOwnerOf = (caller: Caller | undefined, request: FastifyRequest): StreamOwner =>
  caller === undefined
    ? { kind: 'network', id: networkOf(addressOf(request)) }
    : { kind: 'account', id: caller.accountId }

/** Programs are counted apart from pages, so that they cannot keep the pages of an account from opening a stream. */
export function followOwnersOf(caller: Caller | undefined, request: FastifyRequest): StreamOwner[] {
  const anyone: StreamOwner[] = [
    { kind: 'followersOfNetwork', id: networkOf(addressOf(request)) },
    { kind: 'followers', id: '' },
  ]
  if (caller === undefined) return anyone
  const { accountId, credential } = caller
  if (credential.kind !== 'oauth') return [{ kind: 'followersOfAccount', id: accountId }, ...anyone]
  const app = `${credential.appId} ${credential.sandbox}`
  return [{ kind: 'followersOfAccount', id: `${accountId} ${app}` }, { kind: 'followersOfApp', id: app }, ...anyone]
}
