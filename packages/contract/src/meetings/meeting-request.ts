import { type Static, type TOptional, type TString, Type } from 'typebox'
import {
  choice,
  maxTimestampLength,
  maxTimeZoneLength,
  nullableInteger,
  nullableText,
  plainText,
  timestamp,
} from '../value.ts'
import { type MeetingText, mapTexts, meetingTexts } from './meeting-fields.ts'

/** The parameters of the path to one meeting. */
export const meetingPath = Type.Object({
  meetingId: Type.String({ description: '`_id` of the meeting, not its `svcMeetId`' }),
})

/** Whether participants are notified of the change by email. */
export const sendUpdates = Type.Object({
  sendUpdates: Type.Optional(
    choice(['all', 'none'], {
      default: 'all',
      description: 'Whether participants and cohosts are mailed about this change: `none` sends no mail',
    }),
  ),
})

/** A few sentences, which stand above everything else in the email. */
export const maxGuestMessageLength = 500

/** What a host writes to those who are mailed about a change. */
export const guestMessage = {
  message: Type.Optional(
    plainText(
      maxGuestMessageLength,
      'For those who are mailed about this change, at most 500 characters: it stands at the top of their email, with the ' +
        'name of the caller, and in the calendar’s COMMENT. It is deleted once the email is sent. Refused ' +
        '(`not_mailed`) where no one is mailed',
    ),
  ),
}

/** The six options that apply from the start of a meeting and the three that say who may join. */
export const advancedOptionDefaults = {
  hostVideo: true,
  participantVideo: true,
  hostAudio: true,
  participantAudio: true,
  participantHardAudioMute: false,
  waitingRoom: false,
  joinBeforeHost: true,
  isRestrictedMeeting: false,
  loggedInOnly: false,
  colleagueOnly: false,
}
export type AdvancedOptions = typeof advancedOptionDefaults

const optionMeanings: Record<keyof AdvancedOptions, string> = {
  hostVideo: "The host's camera is on at the start",
  participantVideo: "The participants' cameras are on at the start",
  hostAudio: "The host's microphone is on at the start",
  participantAudio: "The participants' microphones are on at the start",
  participantHardAudioMute: 'Participants are muted until the host lifts it',
  waitingRoom: 'The host lets everybody in, one by one',
  joinBeforeHost: 'Participants may enter before the host',
  isRestrictedMeeting: 'Only invited participants may enter',
  loggedInOnly: 'Only signed-in people may enter',
  colleagueOnly: "Only people of the host's organisation may enter",
}

const optionKeys = Object.keys(advancedOptionDefaults) as (keyof AdvancedOptions)[]

const advancedOptionsRequest = Type.Object(
  Object.fromEntries(
    optionKeys.map((key) => [
      key,
      Type.Optional(Type.Boolean({ description: optionMeanings[key], default: advancedOptionDefaults[key] })),
    ]),
  ) as Record<keyof AdvancedOptions, ReturnType<typeof optionalBoolean>>,
)
export const advancedOptionsReply = Type.Object(
  Object.fromEntries(optionKeys.map((key) => [key, Type.Boolean({ description: optionMeanings[key] })])) as Record<
    keyof AdvancedOptions,
    ReturnType<typeof Type.Boolean>
  >,
)
const optionalBoolean = () => Type.Optional(Type.Boolean())

const flag = Type.Unsafe<number | boolean>({ type: ['integer', 'boolean'] })
const flags = (description: string) =>
  Type.Optional(
    Type.Array(flag, {
      description,
      examples: [[0, 1, 0, 0, 0, 0, 0]],
    }),
  )

/**
 * Only types are checked here. The rules decide which fields the chosen `repeat` uses, and their bounds, because
 * clients fill in fields that their `repeat` does not use.
 */
const repeatOptionsRequest = Type.Object({
  repeat: choice(['none', 'daily', 'weekly', 'monthly'], {
    description: 'How the meeting repeats; `none` for a single meeting',
  }),
  interval: Type.Optional(nullableInteger({ description: 'Every how many days, weeks or months: 1 to 99' })),
  daysOfWeek: flags('`weekly`: 7 times 0 or 1, Sunday first'),
  dateInMonth: Type.Optional(nullableInteger({ description: '`monthly`: 1 to 31; months without it are skipped' })),
  lastDayOfMonth: Type.Optional(Type.Boolean({ description: '`monthly`: the last day; goes before all others' })),
  weeksInMonth: flags('`monthly`, with `daysOfWeek`: first, second, third, fourth, last'),
  endDate: Type.Optional(
    nullableText({ format: 'date-time', maxLength: maxTimestampLength, description: 'The last start, inclusive' }),
  ),
  count: Type.Optional(
    nullableInteger({
      description:
        'Instead of `endDate`: after how many occurrences the series ends, 1 to 1,000, cancelled ones included. ' +
        'Beside it, an `endDate` is accepted only as replies give it: the end of the day of the last occurrence',
    }),
  ),
  timeZone: Type.Optional(
    nullableText({
      maxLength: maxTimeZoneLength,
      description: 'A short code of GET /api/time-zones, an IANA name, or an offset such as `GMT+5:30` or `+0530`',
      examples: ['IST'],
    }),
  ),
})

/** Longer than an address of 254 characters with a quoted name, both with the spaces around them. */
const maxSentMailboxLength = 1000

/** A name of 100 characters, with the spaces around it. */
const maxUntrimmedNameLength = 300

/**
 * In a list, the rules check the length as well: a schema with two alternatives could only report that neither matches.
 */
const address = Type.String({ format: 'email', description: 'At most 254 characters', examples: ['bob@example.org'] })

type TextSchemas = {
  [Name in MeetingText]: (typeof meetingTexts)[Name]['isOptional'] extends true ? TOptional<TString> : TString
}

const requestedTexts = mapTexts((name) => {
  const { maxLength, requested, isOptional } = meetingTexts[name]
  return isOptional ? Type.Optional(plainText(maxLength, requested)) : plainText(maxLength, requested)
  // Each text has the schema that its `isOptional` says.
}) as TextSchemas

/** The body of create and update. `null` and objects with `email` are accepted because reads return them. */
export const meetingRequest = Type.Object({
  ...requestedTexts,
  startTime: timestamp({
    description:
      'Start of the meeting: ISO 8601 with any offset; milliseconds are dropped. The first date of a series is the first ' +
      'one from then on that its rule gives',
    examples: ['2026-11-23T09:00:00+05:30'],
  }),
  endTime: timestamp({ description: 'After the start, by 24 hours at most', examples: ['2026-11-23T09:30:00+05:30'] }),
  participants: Type.Array(
    Type.Unsafe<string | { email: string; displayName?: string }>({
      oneOf: [
        Type.String({
          maxLength: maxSentMailboxLength,
          description: 'An email address, with a name before it or without',
        }),
        {
          type: 'object',
          required: ['email'],
          properties: {
            email: address,
            displayName: Type.String({
              maxLength: maxUntrimmedNameLength,
              description: 'At most 100 characters, without line breaks, addresses and links. Empty: no name',
            }),
          },
        },
      ],
      examples: ['bob@example.org', 'Bob Baker <bob@example.org>'],
    }),
    {
      description:
        'Email addresses, 1,000 at most, each with the name that the host gives to the person: in mails, in calendars (CN) ' +
        'and in replies (`displayName`). An address without a name keeps the name that it has',
    },
  ),
  advancedOptions: advancedOptionsRequest,
  isPinEnabled: Type.Unsafe<true>({
    type: 'boolean',
    const: true,
    description: 'Always `true`: every meeting has a PIN',
  }),
  repeatOptions: repeatOptionsRequest,
  cohosts: Type.Optional(Type.Array(address, { description: "Have the host's rights over this meeting" })),
  reminderMinutes: Type.Optional(
    nullableInteger({
      description:
        'Minutes before each occurrence at which a reminder is mailed, 0 (none) to 40320; null: as the service is configured',
    }),
  ),
})
export type MeetingRequest = Static<typeof meetingRequest>
