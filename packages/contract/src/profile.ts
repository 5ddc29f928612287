import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { imageMeta } from './meeting-reply.ts'
import { choice, plainText, timeZoneName } from './value.ts'

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
}
export type ProfileSettings = typeof profileSettingDefaults
type SettingName = keyof ProfileSettings

const settingNames = Object.keys(profileSettingDefaults) as SettingName[]
const eachSetting = <Schema>(schema: () => Schema) =>
  Object.fromEntries(settingNames.map((name) => [name, schema()])) as Record<SettingName, Schema>

const schoolData = Type.Object({
  tnc_purpose: Type.Boolean(),
  tnc_service: Type.Boolean(),
  tnc_privacy: Type.Boolean(),
  tnc_authorized: Type.Boolean(),
})
export type SchoolData = Static<typeof schoolData>

/** `jcData.jcKey` is empty unless the caller is the signed-in person. */
export const profile = Type.Object({
  _id: Type.String({ description: 'The user id' }),
  name: Type.String(),
  lname: Type.String(),
  email: Type.String(),
  phoneNo: Type.String(),
  roleIds: Type.Array(Type.String(), { examples: [['administrator', 'reviewer']] }),
  hasPasswordChangedAfterLogin: Type.Boolean(),
  isOTT: Type.Boolean(),
  recordingEnabled: Type.Boolean(),
  canCreateWebinar: Type.Boolean(),
  isCustomWebinarEnabled: Type.Boolean(),
  isDataProtection: Type.Boolean(),
  isfileAttachmentEnabledForTenant: Type.Boolean(),
  imageMeta,
  schoolData,
  department: Type.String(),
  location: Type.String(),
  source: Type.String(),
  ...eachSetting(() => Type.Boolean()),
  jcData: Type.Object({ jcId: Type.String(), jcKey: Type.String(), bpUserId: Type.String() }),
  avatar: Type.Integer(),
  tenantId: Type.String(),
  svcMeetId: Type.String({ description: "The permanent code of this person's room" }),
  extension: Type.String(),
  roomPIN: Type.String(),
  timeZone: Type.String({ description: 'As it was sent; empty when never set' }),
  language: Type.String({ description: 'In which mails are written: en, de, hi or ar; empty when never said' }),
  emailVerified: Type.Boolean(),
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
  reply: Type.Object({
    user: Type.Unsafe<Profile | null>({ ...profile, type: ['object', 'null'] }),
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
  body: Type.Object({
    name: Type.Optional(plainText(100, '1 to 100 characters')),
    lname: Type.Optional(plainText(100)),
    phoneNo: Type.Optional(
      Type.String({ maxLength: 32, description: 'Digits, spaces and + - ( ) only; empty for none' }),
    ),
    timeZone: Type.Optional(
      timeZoneName({ description: 'A short code of GET /api/time-zones or an IANA name; empty for none' }),
    ),
    language: Type.Optional(choice(['', 'en', 'de', 'hi', 'ar'], { description: 'Of mails; empty: that of the host' })),
    department: Type.Optional(plainText(100)),
    location: Type.Optional(plainText(100)),
    avatar: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'One of the built-in pictures' })),
    schoolData: Type.Optional(Type.Partial(schoolData)),
    ...eachSetting(() => Type.Optional(Type.Boolean())),
  }),
  reply: profile,
  problems: [],
})
