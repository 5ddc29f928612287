import { type TSchemaOptions, Type } from 'typebox'

/*
 * Values that several nouns share on the wire. Every text of a request has a maximum length, in Unicode code points, so
 * that nothing long is parsed, compared or stored (docs/api-conventions.md, "Requests").
 */

/** Longer than any timestamp and any name of a time zone (the longest IANA name has 32 characters). */
export const maxTimestampLength = 64
export const maxTimeZoneLength = 64

/** RFC 5321, 4.5.3.1.3: a path has 256 octets, of which two are angle brackets. */
const maxEmailLength = 254

/** Tokens, codes and secrets of this service have about 60 characters. */
const maxTokenLength = 512

/** Longer than any known value, such as a scope. */
const maxWordLength = 100

/** Passwords have 256 characters after NFKC; the longest canonical decomposition of a character has four. */
const maxSentPasswordLength = 4 * 256

/** A longer path parameter matches nothing: the router answers 404. */
export const maxPathParameterLength = 200

export const timestamp = (options: TSchemaOptions = {}) =>
  Type.String({
    format: 'date-time',
    maxLength: maxTimestampLength,
    examples: ['2026-11-23T03:30:00.000Z'],
    ...options,
  })

/**
 * Text that people read. The limit counts after trimming; including surrounding spaces, the text may have twice as many
 * characters and 100 more.
 */
export const plainText = (maxTrimmedLength: number, description?: string) =>
  Type.String({
    maxLength: 2 * maxTrimmedLength + 100,
    'x-maxTrimmedLength': maxTrimmedLength,
    description: description ?? `At most ${maxTrimmedLength.toLocaleString('en')} characters`,
  })

export const emailAddress = (options: TSchemaOptions = {}) =>
  Type.String({ format: 'email', maxLength: maxEmailLength, examples: ['alice@example.org'], ...options })

export const token = (description?: string) =>
  Type.String({ maxLength: maxTokenLength, ...(description !== undefined && { description }) })

export const word = (options: TSchemaOptions = {}) => Type.String({ maxLength: maxWordLength, ...options })

export const password = (description?: string) =>
  Type.String({ maxLength: maxSentPasswordLength, ...(description !== undefined && { description }) })

export const timeZoneName = (options: TSchemaOptions = {}) =>
  Type.String({
    maxLength: maxTimeZoneLength,
    description: 'A short code of GET /api/time-zones, an IANA name, or an offset such as `GMT+5:30` or `+0530`',
    ...options,
  })

export const nullableText = (options: TSchemaOptions = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

export const nullableInteger = (options: TSchemaOptions = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...options })

/** The pages of a list, by cursor. */
export const pageSize = (maximum: number, defaultSize: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: defaultSize, description: 'How many entries to return at most' }),
  )
export const afterCursor = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'The `nextCursor` of the page before; the first page when absent. `cursor` and `nextCursor` are read as `after`',
  }),
)
export const pageFields = {
  moreAvailable: Type.Boolean({ description: 'Whether more entries follow these' }),
  nextCursor: nullableText({ description: 'To be sent as `after` for the next page; null on the last page' }),
}

/** One value of a closed list. */
export const choice = <const Words extends readonly string[]>(words: Words, options: TSchemaOptions = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options })

/** The reply of an endpoint that returns no data. */
export const statusReply = Type.Object(
  { status: Type.String({ description: 'What was done, as an English sentence for people; its wording may change' }) },
  { description: 'A confirmation without data.' },
)

/** The reply of an endpoint that answers 204, with `replyStatuses: [204]`. */
export const noContent = Type.Unsafe<void>({})

/** The body of an answer to an offer. */
export const answerBody = Type.Object({
  answer: choice(['accepted', 'declined'], { description: 'Whether you accept' }),
})
