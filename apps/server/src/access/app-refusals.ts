import type { Resource } from '@parley/rules/oauth/resource'
import type { FastifyRequest } from 'fastify'

/** An API call of an app that was refused, for the app's event log. */
export type AppRefusal = {
  requestId: string
  /** The method and the path template of the endpoint, without anything that the app sent. */
  endpoint: string
} & (
  | { kind: 'dead_token'; tokenHash: Buffer }
  /** The token is for the other resource. */
  | { kind: 'wrong_resource'; appId: string; sandbox: boolean; resource: Resource }
  | { kind: 'insufficient_scope'; appId: string; sandbox: boolean; missing: readonly string[] }
)

export const endpointOf = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`

/** Queue a refusal for the log. Never throws, never waits. */
export type RecordAppRefusal = (refusal: AppRefusal) => void
