import { isIP } from 'node:net'

/**
 * Lines of the log under the names of the Elastic Common Schema. What it has no name for stands below `parley`.
 * https://www.elastic.co/docs/reference/ecs/ecs-field-reference
 */

const ecsVersion = '8.17.0'

export const ecsBase = { 'ecs.version': ecsVersion, service: { name: 'parley' } }

/** Convert the fields of one line: secrets removed, errors and requests described. */
export function toEcs(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { requestId, traceId, method, status, durationMs, err, req, ...parley } = entry
  const { path, remoteAddress, id, method: requestMethod } = Object(req) as Record<string, unknown>
  const request = definedOf({ id: requestId ?? id, method: method ?? requestMethod })
  const response = typeof status === 'number' ? { status_code: status } : undefined
  return (
    definedOf({
      trace: definedOf({ id: traceId }),
      http: definedOf({ request, response }),
      url: definedOf({ path }),
      client: addressFields(remoteAddress),
      // In nanoseconds.
      event: typeof durationMs === 'number' ? { duration: durationMs * 1_000_000 } : undefined,
      error: errorOf(err),
      parley: definedOf(typeof status === 'number' ? parley : { ...parley, status }),
    }) ?? {}
  )
}

/** ECS accepts only IP addresses here. */
export const addressFields = (address: unknown): { ip: string } | undefined =>
  typeof address === 'string' && isIP(address) !== 0 ? { ip: address } : undefined

function errorOf(error: unknown): object | undefined {
  if (typeof error !== 'object' || error === null) return error === undefined ? undefined : { message: String(error) }
  const { type, message, stack, errorCode, ...others } = error as Record<string, unknown>
  return definedOf({ type, message, stack_trace: stack, code: codeOf(errorCode), parley: definedOf(others) })
}

/** ECS requires a keyword here. */
const codeOf = (code: unknown) => (code === undefined ? undefined : String(code))

/** Drop undefined fields; undefined when none is left. */
function definedOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return defined.length === 0 ? undefined : Object.fromEntries(defined)
}
