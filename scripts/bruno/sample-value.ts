import { useCases } from '@parley/contract'

/** The parts of a schema of the contract that give a sample. */
export type SampleSchema = {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  default?: unknown
  format?: string
  minimum?: number
  properties?: Record<string, SampleSchema>
  required?: readonly string[]
  items?: SampleSchema
  oneOf?: readonly SampleSchema[]
}

/** Values that belong together in one body, or lie in the future for years. By the property's name. */
const samplesByName: Record<string, unknown> = {
  startTime: '2030-01-07T09:00:00.000Z',
  endTime: '2030-01-07T09:45:00.000Z',
  start: '2030-01-07T09:00:00.000Z',
  end: '2030-01-08T09:00:00.000Z',
  fromDate: '2030-01-01T00:00:00.000Z',
  toDate: '2030-02-01T00:00:00.000Z',
  userId: 'me',
  timeZone: 'UTC',
  topic: 'Weekly review',
  description: 'Bring numbers.',
  homepageUrl: 'https://planner.example',
  policyUrl: 'https://planner.example/privacy',
  logoUrl: 'https://planner.example/logo.png',
  callbackUrls: ['https://planner.example/callback'],
  useCase: Object.keys(useCases)[0],
  grant_type: 'authorization_code',
  redirect_uri: 'https://planner.example/callback',
  token_type_hint: 'access_token',
}

/**
 * A value that the schema accepts: its example, or else one made of its parts. Of an object's optional properties, those
 * with an example are in it if none is required.
 */
export function sampleOf(schema: SampleSchema, name = ''): unknown {
  if (Object.hasOwn(samplesByName, name)) return samplesByName[name]
  if (schema.const !== undefined) return schema.const
  for (const values of [schema.examples, schema.enum]) if (values?.[0] !== undefined) return values[0]
  if (schema.default !== undefined) return schema.default
  if (schema.oneOf?.[0] !== undefined) return sampleOf(schema.oneOf[0], name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return sampleOfObject(schema)
    case 'array':
      return schema.items?.examples === undefined ? [] : [sampleOf(schema.items)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return name === '' ? 'text' : name
  }
}

function sampleOfObject({ properties = {}, required = [] }: SampleSchema): Record<string, unknown> {
  const shown = Object.entries(properties).filter(
    ([name, schema]) => required.includes(name) || (required.length === 0 && schema.examples !== undefined),
  )
  return Object.fromEntries(shown.map(([name, schema]) => [name, sampleOf(schema, name)]))
}
