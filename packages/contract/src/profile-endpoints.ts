import { languageCodes } from '@parley/texts/languages'
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { imageMeta } from './meetings/meeting-reply.ts'
import { advancedOptionDefaults, advancedOptionsReply } from './meetings/meeting-request.ts'
import { optionalLook } from './organisation-endpoints.ts'
import { choice, pageSize, plainText, timeZoneName } from './value.ts'

/** The settings that a person can change, with the values of a new account. */
export const profileSettingDefaults = {
  meetingPushNotificationEnabled: true,
  microphoneOff: false,
  videoOff: false,
  videoPreview: true,
  participantName: true,
  autoCopyLink: false,
  showConnectedTime: true,
  safeDrivingMode: false,
  /** A daily email with the answers to the meetings that the person hosts. */
  answerDigest: false,
  /** Whether colleagues find a person whom they have not invited yet. A new account of an organisation of TENANTS has it on. */
  suggestedToColleagues: false,
  /** What the bell of the pages tells. */
  notifyOfInvitations: true,
  notifyOfChanges: true,
  notifyOfAnswers: true,
  notifyOfWaiting: true,
  notifyOfStarts: true,
  notifyOfReviews: true,
}
export type ProfileSettings = typeof profileSettingDefaults
type SettingName = keyof ProfileSettings

const settingNames = Object.keys(profileSettingDefaults) as SettingName[]
const unusedSetting = 'Kept for clients; Parley’s own pages do not use it'

const settingMeanings: Record<SettingName, string> = {
  meetingPushNotificationEnabled: `Notify the person before meetings. ${unusedSetting}`,
  microphoneOff: 'Join meetings with the microphone off',
  videoOff: 'Join meetings with the camera off',
  videoPreview: `Show the camera's picture before entering. ${unusedSetting}`,
  participantName: 'Show in a meeting the name on each picture',
  autoCopyLink: `Copy the link of a new meeting. ${unusedSetting}`,
  showConnectedTime: 'Show in a meeting how long the person is connected',
  safeDrivingMode: `Show a reduced room while driving. ${unusedSetting}`,
  answerDigest: 'Mail the person a daily summary of the responses to their meetings',
  suggestedToColleagues:
    'Suggest the person to colleagues who type their name, also to those who have not invited them yet (`suggestPeople`). ' +
    'On at first in organisations that the operator has named by their domains',
  notifyOfInvitations: 'Keep a notification of each invitation',
  notifyOfChanges: 'Keep a notification when a meeting of others changes or is cancelled',
  notifyOfAnswers: 'Keep a notification of each answer to a meeting that the person hosts',
  notifyOfWaiting: 'Keep a notification when a person waits at a meeting that the person hosts',
  notifyOfStarts:
    'Keep a notification when a meeting of the person starts in five minutes, and when its call has begun',
  notifyOfReviews: 'Keep a notification of each decision on an app of the person',
}

const eachSetting = <Schema>(schema: (description: string) => Schema) =>
  Object.fromEntries(settingNames.map((name) => [name, schema(settingMeanings[name])])) as Record<SettingName, Schema>

const schoolData = Type.Object(
  {
    tnc_purpose: Type.Boolean({ description: 'Declares to use the service for teaching and learning' }),
    tnc_service: Type.Boolean({ description: 'Agrees to the terms of service' }),
    tnc_privacy: Type.Boolean({ description: 'Agrees to the privacy policy' }),
    tnc_authorized: Type.Boolean({ description: 'Is authorised to agree for the school' }),
  },
  { description: 'Declarations for schools; they change nothing elsewhere' },
)
export type SchoolData = Static<typeof schoolData>

const defaultDurationMinutes = 30

/** What new meetings begin with in the pages, for a new account. */
export const usualMeetingDefaults = {
  durationMinutes: defaultDurationMinutes,
  sendUpdates: 'all',
  advancedOptions: advancedOptionDefaults,
} as const satisfies MeetingDefaults

/** A meeting lasts 24 hours at most. */
export const maxDurationMinutes = 1440

const meetingDefaults = Type.Object(
  {
    durationMinutes: Type.Integer({
      minimum: 1,
      maximum: maxDurationMinutes,
      description: 'Length: 1 to 1,440 minutes',
    }),
    sendUpdates: choice(['all', 'none'], { description: 'Whether invitations are mailed: `all` or `none`' }),
    advancedOptions: advancedOptionsReply,
  },
  {
    description:
      'What the person’s new meetings begin with in the pages of the service. Requests of `POST /api/meeting` are not ' +
      'affected: programs that want the same send these values',
  },
)
export type MeetingDefaults = Static<typeof meetingDefaults>

/** Fields that clients of the original API expect. */
const unsupported = Type.Boolean({ description: 'Not supported: always false' })

/** `jcData.jcKey` is empty unless the caller is the signed-in person. */
export const profile = Type.Object({
  _id: Type.String({ description: 'The user id' }),
  name: Type.String({ description: 'First name' }),
  lname: Type.String({ description: 'Last name; may be empty' }),
  email: Type.String({ description: 'Email address, with which the person signs in' }),
  phoneNo: Type.String({ description: 'Phone number; may be empty' }),
  roleIds: Type.Array(Type.String(), {
    description: 'Roles in the organisation: `administrator`, `reviewer`; empty for most people',
    examples: [['administrator', 'reviewer']],
  }),
  hasPasswordChangedAfterLogin: Type.Boolean({ description: 'Whether the password was changed since the sign-up' }),
  isOTT: unsupported,
  recordingEnabled: unsupported,
  canCreateWebinar: unsupported,
  isCustomWebinarEnabled: unsupported,
  isDataProtection: unsupported,
  isfileAttachmentEnabledForTenant: unsupported,
  imageMeta,
  schoolData,
  department: Type.String({ description: 'Department; may be empty' }),
  location: Type.String({ description: 'Location; may be empty' }),
  source: Type.String({ description: 'Not supported: always empty' }),
  ...eachSetting((description) => Type.Boolean({ description })),
  jcData: Type.Object(
    {
      jcId: Type.String({ description: 'Id of the person in the chat' }),
      jcKey: Type.String({ description: 'Key of the chat; empty for tokens. Treat it as a secret' }),
      bpUserId: Type.String({ description: 'User id of the person in the chat' }),
    },
    { description: 'The account of the chat, for clients of the original API' },
  ),
  avatar: Type.Integer({ description: 'Number of the built-in picture, 0 to 100' }),
  tenantId: Type.String({ description: 'Id of the organisation' }),
  svcMeetId: Type.String({ description: "The permanent code of this person's room" }),
  extension: Type.String({ description: 'Phone extension, which is not supported: always empty' }),
  roomPIN: Type.String({
    description: 'PIN of this person’s room; an app’s token needs `meeting:read` for it, and it is empty without',
  }),
  timeZone: Type.String({ description: 'Time zone, as it was sent; empty when never set' }),
  language: Type.String({ description: 'Language of mails, by its BCP 47 tag; empty when never said' }),
  hourCycle: Type.String({ description: 'Hours of the pages: `h12`, `h23`, or empty: as usual in the language' }),
  firstDayOfWeek: Type.String({
    description: 'First day of the week in the pages: `mon`, `sat`, `sun`, or empty: as usual in the language',
  }),
  meetingDefaults,
  emailVerified: Type.Boolean({ description: 'Whether the person has proven that the address is theirs' }),
  oauthEnabled: Type.Boolean({ description: 'May register OAuth apps (Beta, per account)' }),
})
export type Profile = Static<typeof profile>

export const readProfile = endpoint({
  name: 'readProfile',
  method: 'GET',
  path: '/api/my_profile',
  tag: 'Profile',
  summary: 'Read your own profile',
  access: 'user:read',
  cost: 'light',
  reply: profile,
  problems: [],
})

export const readSession = endpoint({
  name: 'readSession',
  method: 'GET',
  path: '/api/auth/session',
  tag: 'Accounts',
  summary: 'Read the signed-in account, if there is one',
  description:
    'For pages that people without an account open as well: the profile of the session; `null`, and not 401, where the ' +
    'browser has none or one that has ended, and for a personal or app token.',
  access: 'visitor',
  cost: 'light',
  reply: Type.Object({
    user: Type.Unsafe<Profile | null>({
      ...profile,
      type: ['object', 'null'],
      description: 'The signed-in account; null where there is none',
    }),
    organisation: optionalLook(
      'Name, logos and colours of the account’s organisation, without an account of the organisation that runs the service; ' +
        'null where it has set none',
    ),
  }),
  problems: [],
})

export const updateProfile = endpoint({
  name: 'updateProfile',
  method: 'PUT',
  path: '/api/my_profile',
  tag: 'Profile',
  summary: 'Change parts of your own profile',
  description: 'Only what the body names is changed.',
  access: 'session',
  cost: 'query',
  body: Type.Object({
    name: Type.Optional(plainText(100, 'First name: 1 to 100 characters')),
    lname: Type.Optional(plainText(100, 'Last name: at most 100 characters')),
    phoneNo: Type.Optional(
      Type.String({ maxLength: 32, description: 'Phone number: digits, spaces and + - ( ) only; empty for none' }),
    ),
    timeZone: Type.Optional(
      timeZoneName({ description: 'A short code of GET /api/time-zones or an IANA name; empty for none' }),
    ),
    language: Type.Optional(
      choice(['', ...languageCodes], { description: 'Language of mails; empty: that of the host' }),
    ),
    hourCycle: Type.Optional(
      choice(['', 'h12', 'h23'], { description: 'Hours of the pages; empty: as usual in the language' }),
    ),
    firstDayOfWeek: Type.Optional(
      choice(['', 'mon', 'sat', 'sun'], {
        description: 'First day of the week in the pages; empty: as usual in the language',
      }),
    ),
    meetingDefaults: Type.Optional(
      Type.Partial(
        Type.Object({
          ...meetingDefaults.properties,
          advancedOptions: Type.Partial(advancedOptionsReply, { description: 'Options; what is absent stays' }),
        }),
        { description: 'What new meetings begin with in the pages; what is absent stays' },
      ),
    ),
    department: Type.Optional(plainText(100, 'Department: at most 100 characters')),
    location: Type.Optional(plainText(100, 'Location: at most 100 characters')),
    avatar: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'One of the built-in pictures' })),
    schoolData: Type.Optional(
      Type.Partial(schoolData, { description: 'To what the person has agreed; what is absent stays' }),
    ),
    ...eachSetting((description) => Type.Optional(Type.Boolean({ description }))),
  }),
  example: { language: 'en', timeZone: 'Europe/Berlin' },
  reply: profile,
  problems: [],
})

/** Photos are shown at the size of a tile of a call at most, where a camera is off. */
export const maxPhotoPixels = 1024
/** A JPEG of 512 × 512 pixels, which the pages send, has about 60 KiB. */
export const maxPhotoBytes = 256 * 1024
const maxPhotoTextLength = Math.ceil(maxPhotoBytes / 3) * 4

export const updatePhoto = endpoint({
  name: 'updatePhoto',
  method: 'PUT',
  path: '/api/my_profile/photo',
  tag: 'Profile',
  summary: 'Set your photo',
  description:
    `A square PNG, JPEG or still WebP of at most ${maxPhotoBytes / 1024} KiB and 1,024 × 1,024 pixels. Its first bytes ` +
    'decide the type. Metadata is removed: the place where it was taken, and the rotation that a camera notes. Everyone ' +
    'who has the address in `imageMeta` sees the photo; each new one has another address.',
  access: 'session',
  cost: 'query',
  body: Type.Object({
    image: Type.String({ maxLength: maxPhotoTextLength, description: 'The bytes of the image in base64' }),
  }),
  example: {
    image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  reply: profile,
  problems: [],
})

export const deletePhoto = endpoint({
  name: 'deletePhoto',
  method: 'DELETE',
  path: '/api/my_profile/photo',
  tag: 'Profile',
  summary: 'Remove your photo',
  description: 'Its address is not found from then on. Without a photo nothing changes.',
  access: 'session',
  cost: 'query',
  reply: profile,
  problems: [],
})

const suggestedPerson = Type.Object({
  email: Type.String({ description: 'Email address' }),
  name: Type.String({
    description:
      'Name in the profile where `userId` is there; else the name that the caller last invited the address with; may be empty',
  }),
  userId: Type.Optional(
    Type.String({
      description: 'User id; absent where no account of the caller’s organisation is known by the address',
    }),
  ),
  imageMeta: Type.Optional(imageMeta),
})
export type SuggestedPerson = Static<typeof suggestedPerson>

/** More suggestions are not read while one types; the next letter finds the others. */
const maxSuggestedPeople = 20

export const suggestPeople = endpoint({
  name: 'suggestPeople',
  method: 'GET',
  path: '/api/people',
  tag: 'Profile',
  summary: 'Suggest people to invite',
  description:
    'People of whose name or address the words begin with those of `q`, accents and case aside: those whom the caller has ' +
    'invited in the last two years, the most often and latest invited first, then colleagues who have not switched it off ' +
    '(`suggestedToColleagues` of the profile). An app is told only whom the person has invited, and needs `meeting:read` for ' +
    'it, as for the participants of meetings; without, the list is empty. 30 requests in ten seconds are answered for one ' +
    'person.',
  access: 'user:read',
  cost: 'query',
  query: Type.Object({
    q: Type.String({ maxLength: 250, description: 'Words of the name or the address, each as far as it is typed' }),
    limit: pageSize(maxSuggestedPeople, 8),
  }),
  reply: Type.Object({
    people: Type.Array(suggestedPerson, { description: `The most likely first; at most ${maxSuggestedPeople}` }),
  }),
  problems: ['too_many_requests'],
})
