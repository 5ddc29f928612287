import { problemSchema, problems, tokenErrorBody, tokenErrors } from '@parley/contract'
import type { OpenApiDocument } from '@parley/contract/openapi'
import Schema from 'typebox/schema'
import type { Operation } from './fuzz-requests.ts'
import { operationsOf } from './fuzz-requests.ts'
import { follow } from './fuzz-schemas.ts'

export type Received = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export type ReplyValidator = (request: { operationId: string; method: string }, received: Received) => string[]

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const isProblem = Schema.Compile(problemSchema)
const isTokenErrorBody = Schema.Compile(tokenErrorBody)

/** Traces of drivers, stacks and source files that replies must not contain. */
const internals = /\n\s+at |node:internal|\.ts:\d|ECONN|SQLSTATE|relation "|column "|syntax error|violates/

/** Create a function that lists the violations of a reply: errors of form, and differences from the document. */
export function createReplyValidator(document: OpenApiDocument, baseUrl: string): ReplyValidator {
  const strict = withTimesInUtc(document)
  const byId = new Map(operationsOf(strict).map((operation) => [operation.operationId, operation]))
  const compiled = new Map<string, ReturnType<typeof Schema.Compile>>()

  return ({ operationId, method }, received) => {
    const { status, headers, text } = received
    const violations: string[] = []
    if (status >= 500) violations.push(`status ${status}: ${text.slice(0, 300)}`)
    if (!requestId.test(String(headers['x-request-id']))) violations.push(`X-Request-Id ${headers['x-request-id']}`)
    if (method === 'HEAD') return text === '' ? violations : [...violations, 'a body with HEAD']
    const operation = byId.get(operationId)
    const asDocumented = operation?.method === method ? operation : undefined
    const isTokenError = asDocumented?.form === true && /^application\/json/.test(String(headers['content-type']))
    if (status >= 400 && isTokenError) return [...violations, ...violationsOfTokenError(received)]
    if (status >= 400) return [...violations, ...violationsOfProblem(received, asDocumented)]
    return asDocumented === undefined ? violations : [...violations, ...violationsOfSuccess(received, asDocumented)]
  }

  /** RFC 6749, 5.2: a registered code with its status, and an ASCII description without internals. */
  function violationsOfTokenError({ status, text }: Received): string[] {
    const body = parsed(text)
    if (!isTokenErrorBody.Check(body)) return [`no token error: ${text.slice(0, 200)}`]
    const known = Object.entries(tokenErrors).find(([code]) => code === body.error)?.[1]
    const isPlain = /^[\x20-\x7e]+$/.test(body.error_description) && !internals.test(body.error_description)
    return known === status && isPlain ? [] : [`${body.error} with status ${status}: ${body.error_description}`]
  }

  function violationsOfProblem({ status, headers, text }: Received, operation: Operation | undefined): string[] {
    if (!/^application\/problem\+json(; charset=utf-8)?$/.test(String(headers['content-type'])))
      return [`problem as ${headers['content-type']}`]
    const body = parsed(text)
    if (!isProblem.Check(body)) return [`no problem: ${text.slice(0, 200)}`]
    const violations: string[] = []
    const known = Object.entries(problems).find(([code]) => code === body.code)?.[1]
    if (known?.status !== status || body.status !== status) violations.push(`${body.code} with status ${status}`)
    if (known?.title !== body.title) violations.push(`another title: ${body.title}`)
    if (body.type !== `${baseUrl}/problems/${body.code}`) violations.push(`another type: ${body.type}`)
    if (body.requestId !== headers['x-request-id']) violations.push('another request id in the body')
    if (internals.test(body.detail)) violations.push(`internals: ${body.detail}`)
    const namesFields = body.code === 'invalid_request' || body.code === 'invalid_app'
    if (namesFields !== (body.errors !== undefined && body.errors.length > 0)) {
      violations.push(`${body.code} with errors ${JSON.stringify(body.errors)}`)
    }
    for (const { path, code, message } of body.errors ?? []) {
      if (path !== '' && !path.startsWith('/')) violations.push(`no pointer: ${path}`)
      if (!/^[a-z_]+$/.test(code) || message === '') violations.push(`no violation: ${code} ${message}`)
    }
    if (operation !== undefined && !codesOf(operation, status).includes(body.code))
      violations.push(`undocumented ${body.code}`)
    return violations
  }

  function codesOf(operation: Operation, status: number): string[] {
    const response = Object(follow(document, operation.responses[status] ?? operation.responses.default))
    return response['x-codes']
  }

  function violationsOfSuccess({ status, headers, text }: Received, operation: Operation): string[] {
    const response = Object(follow(document, operation.responses[status]))
    if ((status === 204 || status === 304) && response.description !== undefined)
      return text === '' ? [] : [`a body with ${status}`]
    if (response.content === undefined) return [`undocumented status ${status}`]
    const [mediaType = ''] = String(headers['content-type']).split('; charset=utf-8')
    if (!Object.hasOwn(response.content, mediaType)) return [`answer as ${headers['content-type']}`]
    if (mediaType === 'application/x-ndjson' || mediaType === 'text/csv') return []
    const key = `${operation.operationId} ${status} ${mediaType}`
    const { schema } = response.content[mediaType]
    const reply = compiled.get(key) ?? Schema.Compile({ ...schema, components: strict.components })
    compiled.set(key, reply)
    // A stream that goes on in a list begins with a cursor alone, where nothing is after it yet.
    if (mediaType === 'text/event-stream' && /^retry: \d+\nid: [\w-]+\n\n/.test(text)) return []
    const event = mediaType === 'text/event-stream' ? /^data: (.*)$/m.exec(text)?.[1] : undefined
    const body = mediaType === 'application/json' || event !== undefined ? parsed(event ?? text) : text
    if (reply.Check(body)) return []
    return [`another answer than documented: ${JSON.stringify(reply.Errors(body)).slice(0, 400)}`]
  }
}

/** Narrow `date-time` of the document: replies are always in UTC with milliseconds. */
const withTimesInUtc = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    value?.format === 'date-time'
      ? { ...value, pattern: '^[-+0-9]{4,}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }
      : value,
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
