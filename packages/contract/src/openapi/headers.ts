import type { JsonObject } from './schema.ts'

/**
 * Headers of requests, which operations refer to by their names. Generators make a type for the parameters of each
 * operation, so `Prefer`, which every operation with a body reads, is in the document's description.
 */
export const requestHeaders: JsonObject = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Any text of yours, new for each change: a retry within 24 hours gets the first answer again.',
    // Without an example, which the reference would send with every request.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that was read: refused with 412 if the meeting was changed since.',
    schema: { type: 'string', examples: ['"v1"'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what is held: answered with 304 while it is still right.',
    schema: { type: 'string', examples: ['"Jd0q8PcVYB1xkrDkVgwGWA"'] },
  },
  'Last-Event-ID': {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` that a stream sent last: the stream goes on after it. Read with `follow=true` only, in place of `after`.',
    schema: { type: 'string', maxLength: 200, examples: ['cG9zaXRpb24uMQ'] },
  },
}

/**
 * Headers of responses, which responses refer to by their names. Generators make a type for the headers of each response,
 * so `X-Request-Id`, which every response has, and those that errors of every operation may have, are in descriptions.
 */
export const responseHeaders: JsonObject = {
  ETag: {
    description: "The meeting's version, for `If-Match`; of a calendar what `If-None-Match` names.",
    schema: { type: 'string', examples: ['"v1"'] },
  },
  'Idempotency-Replayed': {
    description: 'Stands where this is the first answer to the same `Idempotency-Key`, again.',
    schema: { type: 'string', const: 'true' },
  },
  'Preference-Applied': {
    description: 'Stands where `Prefer: handling=strict` was applied.',
    schema: { type: 'string', const: 'handling=strict' },
  },
  'Retry-After': {
    description: 'Seconds after which another try makes sense.',
    schema: { type: 'integer', minimum: 1 },
  },
}

/** The headers of a response, by their names. */
export const headersOf = (names: readonly string[]): JsonObject =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
