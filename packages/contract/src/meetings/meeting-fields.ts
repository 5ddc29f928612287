/**
 * The fields of a meeting that people set, each listed once: requests, rows, replies, events, stored states of emails and
 * the export derive from this table, or test/source/meeting-fields.test.ts compares them with it (CONTRIBUTING.md, "Add a field
 * to a meeting").
 */

type TextField = {
  /** In characters after trimming. */
  minLength: number
  maxLength: number
  /** Whether it may have line breaks. */
  lines: boolean
  /** Whether an update that omits it keeps it, because clients exist that do not know it. A new meeting has it empty. */
  isOptional: boolean
  /** Descriptions in the reference, of requests and of replies. */
  requested: string
  shown: string
}

/** Plain texts. One date of a series may have its own. */
export const meetingTexts = {
  topic: {
    minLength: 1,
    maxLength: 250,
    lines: false,
    isOptional: false,
    requested: '1 to 250 characters',
    shown: 'Title of the meeting',
  },
  description: {
    minLength: 0,
    maxLength: 10_000,
    lines: true,
    isOptional: false,
    requested: 'At most 10,000 characters; may be empty',
    shown: 'What the meeting is about, as plain text; may be empty',
  },
  location: {
    minLength: 0,
    maxLength: 250,
    lines: false,
    isOptional: true,
    requested: 'Where people meet, such as a room or an address; at most 250 characters. An empty text removes it',
    shown: 'Where people meet, such as a room or an address; empty where it is not said',
  },
} as const satisfies Record<string, TextField>

export type MeetingText = keyof typeof meetingTexts
export type MeetingTexts = Record<MeetingText, string>

/** The texts that an update which omits them keeps. */
export type OptionalText = {
  [Name in MeetingText]: (typeof meetingTexts)[Name]['isOptional'] extends true ? Name : never
}[MeetingText]

export const meetingTextNames = Object.keys(meetingTexts) as readonly MeetingText[]

export const isMeetingText = (name: string): name is MeetingText => name in meetingTexts

/** Build a record with a value for each text of a meeting. */
export const mapTexts = <Value>(toValue: (name: MeetingText, index: number) => Value): Record<MeetingText, Value> =>
  // Object.fromEntries loses the names.
  Object.fromEntries(meetingTextNames.map((name, index) => [name, toValue(name, index)])) as Record<MeetingText, Value>

/** All fields, by their names in the API, which `changed` of an event lists. Dates and zone are parts of the schedule. */
export const meetingFieldNames = [
  ...meetingTextNames,
  'startTime',
  'endTime',
  'timeZone',
  'repeatOptions',
  'participants',
  'cohosts',
  'advancedOptions',
  'reminderMinutes',
] as const
