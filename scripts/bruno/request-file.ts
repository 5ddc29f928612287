import { type Endpoint, scopesOf } from '@parley/contract'
import { sampleOf } from './sample-value.ts'

/** What a request of the story adds to that of its endpoint. */
export type RequestOptions = {
  /** Its name in Bruno; the endpoint's summary when absent. */
  title?: string
  /** Its place in its folder, from 1. */
  position: number
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Variables for the requests after it, by name: an expression of Bruno about the response. */
  remember?: Record<string, string>
  /** Expressions about the response, and what Bruno compares them with. */
  expect?: Record<string, string>
}

type Line = readonly [name: string, value: string, isOff?: boolean]

/** The request of an endpoint, as a file of Bruno (https://docs.usebruno.com/bru-lang/overview). */
export function requestFile(endpoint: Endpoint, options: RequestOptions): string {
  const { method, access } = endpoint
  const query = queryLines(endpoint, options.query)
  const bodyKind = endpoint.body === undefined ? 'none' : endpoint.form ? 'formUrlEncoded' : 'json'
  const auth = access === 'anyone' ? 'none' : access === 'client' ? 'basic' : 'inherit'
  const sent = query.filter(([, , isOff]) => !isOff).map(([name, value]) => `${name}=${value}`)
  const url = `{{baseUrl}}${pathOf(endpoint)}${sent.length === 0 ? '' : `?${sent.join('&')}`}`
  return [
    block('meta', [
      ['name', options.title ?? endpoint.summary],
      ['type', 'http'],
      ['seq', String(options.position)],
    ]),
    block(method.toLowerCase(), [
      ['url', url],
      ['body', bodyKind],
      ['auth', auth],
    ]),
    block('params:query', query),
    block('params:path', pathLines(endpoint, options.params)),
    block('headers', headerLines(endpoint)),
    auth === 'basic'
      ? block('auth:basic', [
          ['username', '{{clientId}}'],
          ['password', '{{clientSecret}}'],
        ])
      : '',
    bodyBlock(endpoint, options.body),
    block(
      'vars:pre-request',
      suffixedParams(endpoint).map((name): Line => [name, name]),
    ),
    block('vars:post-response', Object.entries(options.remember ?? {})),
    block('assert', Object.entries(options.expect ?? {})),
    textBlock('docs', `\`${endpoint.name}\`: ${accessText(endpoint)}`),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function block(name: string, lines: readonly Line[]): string {
  if (lines.length === 0) return ''
  return `${name} {\n${lines.map(([key, value, isOff]) => `  ${isOff ? '~' : ''}${key}: ${value}\n`).join('')}}\n`
}

const textBlock = (name: string, text: string) => `${name} {\n${text.replaceAll(/^/gm, '  ')}\n}\n`

/** Bruno reads `:secret.ics` as a parameter of this whole name, so such a parameter is a variable of the request. */
const suffixedParams = ({ path }: Endpoint) => [...path.matchAll(/:(\w+)(?=\.)/g)].map(([, name = '']) => name)
const pathOf = ({ path }: Endpoint) => path.replaceAll(/:(\w+)(?=\.)/g, '{{$1}}')

function pathLines(endpoint: Endpoint, given: Record<string, string> = {}): Line[] {
  const names = [...pathOf(endpoint).matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.map((name) => [name, given[name] ?? String(sampleOf(endpoint.params?.properties[name] ?? {}, name))])
}

/** Optional parameters are switched off. */
function queryLines({ query }: Endpoint, given: Record<string, string> = {}): Line[] {
  const required: readonly string[] = query?.required ?? []
  return Object.entries(query?.properties ?? {}).map(([name, schema]): Line => {
    const value = given[name]
    return value === undefined ? [name, String(sampleOf(schema, name)), !required.includes(name)] : [name, value]
  })
}

function headerLines({ idempotent, versioned, params, method }: Endpoint): Line[] {
  return [
    ...(idempotent ? [['Idempotency-Key', '{{$guid}}', true] as const] : []),
    ...(versioned && params !== undefined && method !== 'GET' ? [['If-Match', '"v0"', true] as const] : []),
  ]
}

function bodyBlock({ body, form, example }: Endpoint, given: unknown): string {
  if (body === undefined) return ''
  if (!form) return textBlock('body:json', JSON.stringify(given ?? example, null, 2))
  const required: readonly string[] = body.required ?? []
  const lines = Object.entries(body.properties).map(
    ([name, schema]): Line => [name, String(example?.[name] ?? sampleOf(schema, name)), !required.includes(name)],
  )
  return block('body:form-urlencoded', lines)
}

function accessText(endpoint: Endpoint): string {
  const scopes = scopesOf(endpoint).map((scope) => `\`${scope}\``)
  if (endpoint.access === 'visitor') return `a guest without a token, or a token with ${scopes.join(' and ')}.`
  if (scopes.length > 0) return `a token with ${scopes.join(' and ')}.`
  switch (endpoint.access) {
    case 'anyone':
      return 'without a token.'
    case 'client':
      return "an app's client id and secret."
    case 'administrator':
    case 'reviewer':
      return `the token of a session; its account is ${endpoint.access === 'reviewer' ? 'a reviewer' : 'an administrator'}.`
    case 'any-scope':
      return 'a token; its scopes decide what it reads.'
    default:
      return 'the token of a session.'
  }
}
