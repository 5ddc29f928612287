import type { TSchema } from 'typebox'
import {
  imageMeta,
  listAccounts,
  listedMeetingReply,
  listPasskeys,
  listPersonalTokens,
  meetingReply,
  meetingRequest,
  occurrence,
  problemSchema,
  profile,
  signIn,
  signOut,
  singleMeetingReply,
  violationSchema,
} from '../index.ts'

type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** The named schemas. Wherever one of these objects is part of another schema, the document refers to it. */
const named = new Map<unknown, string>([
  [meetingRequest, 'MeetingRequest'],
  [meetingRequest.properties.advancedOptions, 'AdvancedOptionsRequest'],
  [meetingRequest.properties.repeatOptions, 'RepeatOptionsRequest'],
  [meetingReply, 'Meeting'],
  [singleMeetingReply, 'SingleMeeting'],
  [listedMeetingReply, 'ListedMeeting'],
  [meetingReply.properties.participants.items, 'Participant'],
  [meetingReply.properties.advancedOptions, 'AdvancedOptions'],
  [meetingReply.properties.repeatOptions, 'RepeatOptions'],
  [meetingReply.properties.notificationsSend, 'NotificationsSend'],
  [meetingReply.properties.webinar, 'Webinar'],
  [meetingReply.properties.isTvPublish, 'Enabled'],
  [meetingReply.properties.fblivestream, 'LiveStream'],
  [occurrence, 'Occurrence'],
  [imageMeta, 'ImageMeta'],
  [profile, 'Profile'],
  [signIn.reply, 'Session'],
  [listPasskeys.reply.properties.passkeys.items, 'Passkey'],
  [listPersonalTokens.reply.properties.tokens.items, 'PersonalToken'],
  [listAccounts.reply.properties.accounts.items, 'Account'],
  [signOut.reply, 'Done'],
  [problemSchema, 'Problem'],
  [violationSchema, 'Violation'],
])

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/**
 * Convert a TypeBox schema to plain JSON Schema 2020-12. TypeBox's own properties are not enumerable and are dropped.
 */
export function schemaOf(schema: TSchema): JsonObject {
  const name = named.get(schema)
  return name === undefined ? spelledOut(schema) : reference(name)
}

export const namedSchemas = (): Record<string, JsonObject> =>
  Object.fromEntries([...named].map(([schema, name]) => [name, spelledOut(Object(schema))]))

const spelledOut = (schema: object): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, written(value)]))

function written(value: unknown): Json {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value === 'object' && value !== null) return schemaOf(value)
  return value as Json
}
