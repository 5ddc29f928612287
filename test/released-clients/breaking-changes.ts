import { type Endpoint, scopesOf } from '@parley/contract'

/**
 * Compare two versions of the contract by the promise of docs/releases.md: what a client of the former one sends is
 * accepted, and what it reads is there. Additions are no breaking change.
 */

/** What the schemas of the contract consist of. */
export type ContractSchema = {
  type?: string | readonly string[]
  properties?: Readonly<Record<string, ContractSchema>>
  required?: readonly string[]
  items?: ContractSchema
  oneOf?: readonly ContractSchema[]
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export type ComparedContract = {
  endpoints: readonly Endpoint[]
  eventTypes: Readonly<Record<string, { right: string; data: object }>>
}

/** @returns a line for each breaking change, which begins with the endpoint or the type of event */
export function listBreakingChanges(former: ComparedContract, current: ComparedContract): readonly string[] {
  const currentEndpoints = new Map(current.endpoints.map((one) => [one.name, one]))
  const ofEndpoints = former.endpoints.flatMap((was) => {
    const is = currentEndpoints.get(was.name)
    return is === undefined ? [`${was.name}: is gone`] : compareEndpoints(was, is)
  })
  const ofEvents = Object.entries(former.eventTypes).flatMap(([name, was]) => {
    const is = current.eventTypes[name]
    if (is === undefined) return [`${name}: is gone`]
    const found = listUnreadable(was.data, is.data, '/data')
    return [...found, ...(was.right === is.right ? [] : ['needs another right'])].map((line) => `${name}: ${line}`)
  })
  return [...ofEndpoints, ...ofEvents]
}

const kept = ['idempotent', 'versioned', 'conditional', 'page', 'form', 'stream'] as const

function compareEndpoints(was: Endpoint, is: Endpoint): readonly string[] {
  const found: string[] = []
  if (was.method !== is.method || was.path !== is.path) found.push(`is now ${is.method} ${is.path}`)
  // Every access but those of the roles is that of a session, too.
  const isWider = was.access === 'session' && scopesOf(is).length > 0
  if (was.access !== is.access && !isWider) found.push(`is now for ${is.access}`)
  const formerScopes: readonly string[] = scopesOf(was)
  if (!isWider && scopesOf(is).some((scope) => !formerScopes.includes(scope))) found.push('needs a further scope')
  for (const name of kept) if (was[name] === true && is[name] !== true) found.push(`is no longer ${name}`)
  const formerStatuses = was.replyStatuses ?? [200]
  for (const status of is.replyStatuses ?? [200])
    if (!formerStatuses.includes(status)) found.push(`has a further status ${status}`)
  for (const part of ['params', 'query', 'body'] as const)
    found.push(...listRefused(was[part] ?? {}, is[part] ?? {}, `/${part}`))
  for (const part of ['reply', 'follow', 'sentBack'] as const)
    found.push(...listUnreadable(was[part] ?? {}, is[part] ?? {}, `/${part}`))
  return found.map((line) => `${was.name}: ${line}`)
}

const typesOf = ({ type }: ContractSchema) => (type === undefined ? [] : [type].flat())

/** Limits that may only widen. */
const upperLimits = ['maxLength', 'maximum', 'maxItems'] as const
const lowerLimits = ['minLength', 'minimum', 'minItems'] as const

/** List what the former schema allowed a client to send and the current one does not. */
function listRefused(was: ContractSchema, is: ContractSchema, path: string): readonly string[] {
  if (was.oneOf !== undefined || is.oneOf !== undefined) {
    const variants = is.oneOf ?? [is]
    const refused = (was.oneOf ?? [was]).filter((one) =>
      variants.every((variant) => listRefused(one, variant, path).length > 0),
    )
    return refused.length === 0 ? [] : [`${path} refuses a former form`]
  }
  const found: string[] = []
  const types = typesOf(is)
  if (types.length > 0)
    for (const type of typesOf(was)) if (!types.includes(type)) found.push(`${path} refuses ${type}`)
  const values = is.enum ?? ('const' in is ? [is.const] : undefined)
  if (values !== undefined) {
    const formerValues = was.enum ?? ('const' in was ? [was.const] : undefined)
    if (formerValues === undefined) found.push(`${path} takes only some values`)
    for (const value of formerValues ?? []) if (!values.includes(value)) found.push(`${path} refuses ${value}`)
  }
  for (const limit of upperLimits)
    if ((is[limit] ?? Infinity) < (was[limit] ?? Infinity)) found.push(`${path} ${limit}`)
  for (const limit of lowerLimits)
    if ((is[limit] ?? -Infinity) > (was[limit] ?? -Infinity)) found.push(`${path} ${limit}`)
  for (const rule of ['pattern', 'format'] as const)
    if (is[rule] !== undefined && is[rule] !== was[rule]) found.push(`${path} ${rule}`)
  for (const name of is.required ?? [])
    if (!(was.required ?? []).includes(name)) found.push(`${path}/${name} is required`)
  for (const [name, schema] of Object.entries(was.properties ?? {})) {
    const now = is.properties?.[name]
    if (now === undefined) found.push(`${path}/${name} is gone`)
    else found.push(...listRefused(schema, now, `${path}/${name}`))
  }
  if (was.items !== undefined) found.push(...listRefused(was.items, is.items ?? {}, `${path}/items`))
  return found
}

/** List what the former schema promised a reader and the current one does not. Lists of values may grow. */
function listUnreadable(was: ContractSchema, is: ContractSchema, path: string): readonly string[] {
  if (was.oneOf !== undefined || is.oneOf !== undefined) {
    const variants = was.oneOf ?? [was]
    const unreadable = (is.oneOf ?? [is]).filter((one) =>
      variants.every((variant) => listUnreadable(variant, one, path).length > 0),
    )
    return unreadable.length === 0 ? [] : [`${path} has a new form`]
  }
  const found: string[] = []
  const types = typesOf(was)
  if (types.length > 0) for (const type of typesOf(is)) if (!types.includes(type)) found.push(`${path} may be ${type}`)
  if (types.length > 0 && typesOf(is).length === 0) found.push(`${path} may be anything`)
  if ('const' in was && was.const !== is.const) found.push(`${path} is no longer ${was.const}`)
  if (was.format !== undefined && was.format !== is.format) found.push(`${path} is no longer ${was.format}`)
  for (const [name, schema] of Object.entries(was.properties ?? {})) {
    const now = is.properties?.[name]
    const isOptionalNow = (was.required ?? []).includes(name) && !(is.required ?? []).includes(name)
    if (now === undefined) found.push(`${path}/${name} is gone`)
    else if (isOptionalNow) found.push(`${path}/${name} may be absent`)
    else found.push(...listUnreadable(schema, now, `${path}/${name}`))
  }
  if (was.items !== undefined) found.push(...listUnreadable(was.items, is.items ?? {}, `${path}/items`))
  return found
}
