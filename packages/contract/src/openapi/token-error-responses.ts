import { type TokenErrorCode, tokenErrorBody, tokenErrors } from '../index.ts'
import { headersOf } from './headers.ts'
import { type JsonObject, schemaOf } from './schema.ts'

/** The error responses of an endpoint with a form body, by the status of RFC 6749's errors. */
export const tokenErrorResponsesOf = (): JsonObject => ({
  ...Object.fromEntries(statuses().map((status) => [String(status), responseOf(status)])),
  default: { $ref: '#/components/responses/AnyOtherProblem' },
})

const codes = Object.keys(tokenErrors) as TokenErrorCode[]
const statuses = () => [...new Set(Object.values<number>(tokenErrors))].filter((status) => status < 500).toSorted()

function responseOf(status: number): JsonObject {
  const errors = codes.filter((code) => tokenErrors[code] === status)
  return {
    description: `${errors.map((code) => `\`${code}\``).join(', ')} (RFC 6749, 5.2).${status === 401 ? ' With `WWW-Authenticate` where Basic was used.' : ''}`,
    ...headersOf(status === 429 ? ['Retry-After'] : []),
    content: {
      'application/json': { schema: schemaOf(tokenErrorBody) },
    },
    'x-codes': errors,
  }
}
