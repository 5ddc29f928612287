/** The parts of a schema of the contract that give a sample. */
export type SampleSchema = {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  default?: unknown
  format?: string
  minimum?: number
  oneOf?: readonly SampleSchema[]
}

/** Values that belong together in one body, or lie in the future for years. By the property's name. */
const samplesByName: Record<string, unknown> = {
  start: '2030-01-07T09:00:00.000Z',
  end: '2030-01-08T09:00:00.000Z',
  fromDate: '2030-01-01T00:00:00.000Z',
  toDate: '2030-02-01T00:00:00.000Z',
  userId: 'me',
  timeZone: 'UTC',
  token_type_hint: 'access_token',
}

/** A value of a parameter or of a form's field that the schema accepts: its example, or else one made of its parts. */
export function sampleOf(schema: SampleSchema, name = ''): unknown {
  if (Object.hasOwn(samplesByName, name)) return samplesByName[name]
  if (schema.const !== undefined) return schema.const
  for (const values of [schema.examples, schema.enum]) if (values?.[0] !== undefined) return values[0]
  if (schema.default !== undefined) return schema.default
  if (schema.oneOf?.[0] !== undefined) return sampleOf(schema.oneOf[0], name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return name === '' ? 'text' : name
  }
}
