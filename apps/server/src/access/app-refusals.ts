import type { FastifyRequest } from 'fastify'

/** An app's call that the API has refused, for the event log of the app. */
export type AppRefusal = {
  requestId: string
  /** The method and the path of the endpoint, without anything that was sent. */
  endpoint: string
} & (
  | { kind: 'dead_token'; tokenHash: Buffer }
  | { kind: 'insufficient_scope'; appId: string; sandbox: boolean; missing: readonly string[] }
)

export const endpointOf = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`

/** Notes a refusal; never fails and never waits. */
export type NoteAppRefusal = (refusal: AppRefusal) => void
