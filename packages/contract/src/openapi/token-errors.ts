import { type TokenErrorCode, tokenErrorBody, tokenErrors } from '../index.ts'
import { type JsonObject, schemaOf } from './schema.ts'

/** The error responses of an endpoint with a form body, each referring to its component. */
export const tokenErrorResponsesOf = (): JsonObject => ({
  ...Object.fromEntries(statuses().map((status) => [String(status), reference(`TokenError${status}`)])),
  default: reference('AnyOtherProblem'),
})

/** One response for each status of RFC 6749's errors. */
export const tokenErrorResponses = (): JsonObject =>
  Object.fromEntries(statuses().map((status) => [`TokenError${status}`, responseOf(status)]))

const codes = Object.keys(tokenErrors) as TokenErrorCode[]
const statuses = () => [...new Set(Object.values<number>(tokenErrors))].filter((status) => status < 500).toSorted()
const reference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` })

function responseOf(status: number): JsonObject {
  const errors = codes.filter((code) => tokenErrors[code] === status)
  const headers = ['X-Request-Id', ...(headersOf[status] ?? [])]
  return {
    description: `${errors.map((code) => `\`${code}\``).join(', ')} (RFC 6749, 5.2).`,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: { allOf: [schemaOf(tokenErrorBody), { properties: { error: { enum: errors } } }] },
      },
    },
  }
}

/** `WWW-Authenticate` is sent only when Basic was used, because some clients hide the error otherwise. */
const headersOf: Record<number, readonly string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'] }
