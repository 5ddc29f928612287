import {
  type MeetingDefaults,
  type Profile,
  profileSettingDefaults,
  readProfile,
  updateProfile,
  usualMeetingDefaults,
} from '@parley/contract'
import { combine, type Parsed, readOptional, refuseAt } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import type { StoredMeetingDefaults } from '../../../migrations/column-values.ts'
import { type Caller, holdsScope } from '../../access/caller.ts'
import { isAddressTrusted, isAddressVerified } from '../../access/trusted-address.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { type AccountSecrets, decryptAccountSecrets } from './account-secrets.ts'
import { type AccountRow, createFindAccountShared, lockAccount } from './account-store.ts'
import { lastNameLimits, nameLimits, readPersonName, readPersonTimeZone } from './person-fields.ts'
import { imageMetaOf } from './photo-store.ts'
import { isReviewer } from './tenant-store.ts'

/** Register the endpoints of a person's own profile. */
export function registerProfile(dependencies: Dependencies): void {
  serveReadProfile(dependencies)
  serveUpdateProfile(dependencies)
}

function serveReadProfile(service: Dependencies) {
  const findAccount = createFindAccountShared(service.database)
  service.serve(readProfile, {
    handle: async ({ caller, database }) => {
      const account = await findAccount(caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      return viewOwnProfile(service, database, caller, account)
    },
  })
}

/**
 * View the caller's own profile. Only a session sees the chat key: programs may enter the person's room, but not chat
 * as them. An app sees the PIN of the room with the scope that shows it the PINs of meetings.
 */
export async function viewOwnProfile(
  { encryption, config }: Pick<Dependencies, 'encryption' | 'config'>,
  database: Database,
  caller: Caller,
  account: AccountRow,
) {
  const { credential } = caller
  const { roomPin, chatKey } = decryptAccountSecrets(encryption, account)
  const emailVerified = credential.kind === 'oauth' ? isAddressVerified(account) : isAddressTrusted(account, config)
  const reviewer = await isReviewer(database, account)
  return viewProfile(
    { ...account, reviewer },
    {
      emailVerified,
      baseUrl: config.baseUrl,
      ...((credential.kind !== 'oauth' || holdsScope(caller, 'meeting:read')) && { roomPin }),
      ...(credential.kind === 'session' && { chatKey }),
    },
  )
}

/** Update the fields that were sent; concurrent changes of different fields are both kept. */
function serveUpdateProfile(service: Dependencies) {
  const { serve, clock, config } = service
  serve(updateProfile, {
    read: ({ body: { name, lname, phoneNo, timeZone, department, location } }) =>
      combine({
        name: readOptional(name, (text) => readPersonName('/name', text, nameLimits)),
        lname: readOptional(lname, (text) => readPersonName('/lname', text, lastNameLimits)),
        phoneNo: readOptional(phoneNo, readPhone),
        timeZone: readOptional(timeZone, (text) => readPersonTimeZone(text, config.timeZoneAliases)),
        department: readOptional(department, (text) => readPlainText('/department', text, { maxLength: 100 })),
        location: readOptional(location, (text) => readPlainText('/location', text, { maxLength: 100 })),
      }),
    handle: ({ caller, body, input, database }) =>
      inTransaction(database, async (tx) => {
        const account = await lockAccount(tx, caller.accountId)
        if (account === undefined) throw problem('unauthorized')
        const { language, hourCycle, firstDayOfWeek, avatar, meetingDefaults } = body
        const changed = await tx
          .updateTable('account')
          .set({
            // Kysely omits undefined fields.
            ...input,
            language,
            hourCycle,
            firstDayOfWeek,
            avatar,
            meetingDefaults:
              meetingDefaults && JSON.stringify(mergeMeetingDefaults(account.meetingDefaults, meetingDefaults)),
            settings: JSON.stringify(mergeSwitches({ ...profileSettingDefaults, ...account.settings }, body)),
            schoolData: JSON.stringify(mergeSwitches(account.schoolData, body.schoolData ?? {})),
            modifiedAt: clock.now(),
          })
          .where('id', '=', account.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return viewOwnProfile(service, tx, caller, changed)
      }),
  })
}

/** Merge the sent switches into the known ones; unknown names are ignored. */
function mergeSwitches<Switches extends Record<string, boolean>>(before: Switches, sent: Partial<Switches>): Switches {
  const after = { ...before }
  for (const name of Object.keys(before) as (keyof Switches)[]) after[name] = sent[name] ?? before[name]
  return after
}

function mergeMeetingDefaults(before: StoredMeetingDefaults, sent: StoredMeetingDefaults): MeetingDefaults {
  const former = meetingDefaultsOf(before)
  return {
    durationMinutes: sent.durationMinutes ?? former.durationMinutes,
    sendUpdates: sent.sendUpdates ?? former.sendUpdates,
    advancedOptions: mergeSwitches(former.advancedOptions, sent.advancedOptions ?? {}),
  }
}

const meetingDefaultsOf = (stored: StoredMeetingDefaults): MeetingDefaults => ({
  ...usualMeetingDefaults,
  ...stored,
  advancedOptions: { ...usualMeetingDefaults.advancedOptions, ...stored.advancedOptions },
})

function readPhone(phoneNo: string): Parsed<string> {
  if (/^[0-9 ()+-]*$/.test(phoneNo)) return { value: phoneNo }
  return refuseAt('/phoneNo', 'bad_format', 'may hold digits, spaces and + - ( ) only')
}

/** An account, or a pending sign-up. */
type ProfileAccount = Omit<
  AccountRow,
  | 'emailKey'
  | 'passwordHash'
  | 'roomId'
  | 'sealedSecrets'
  | 'disabledAt'
  | 'appTokensEndedAt'
  | 'lastSeenAt'
  | 'replyGeneration'
  | 'modifiedAt'
  | 'deletedAt'
  | 'handsOverMeetings'
  | 'erasedAt'
>

type ProfileViewOptions = Partial<AccountSecrets> & {
  /** For the person: whether the address is trusted; for an app: whether it is verified (access/trusted-address.ts). */
  emailVerified: boolean
  /** The start of the photo's address. */
  baseUrl: string
}

/** View a profile; secrets that are not passed are empty. Fields of features that Parley does not have are constant. */
export const viewProfile = (
  account: ProfileAccount,
  { roomPin = '', chatKey = '', emailVerified, baseUrl }: ProfileViewOptions,
): Profile => ({
  _id: account.id,
  name: account.name,
  lname: account.lname,
  email: account.email,
  phoneNo: account.phoneNo,
  roleIds: [...(account.administrator ? ['administrator'] : []), ...(account.reviewer ? ['reviewer'] : [])],
  hasPasswordChangedAfterLogin: account.passwordChangedAt !== null,
  isOTT: false,
  recordingEnabled: false,
  canCreateWebinar: false,
  isCustomWebinarEnabled: false,
  isDataProtection: false,
  isfileAttachmentEnabledForTenant: false,
  imageMeta: imageMetaOf(account, baseUrl),
  schoolData: account.schoolData,
  department: account.department,
  location: account.location,
  source: '',
  // An account that an earlier release has made lacks later settings.
  ...profileSettingDefaults,
  ...account.settings,
  jcData: { jcId: account.chatId, jcKey: chatKey, bpUserId: account.chatUserId },
  avatar: account.avatar,
  tenantId: account.tenantId,
  svcMeetId: account.roomCode,
  extension: '',
  roomPIN: roomPin,
  timeZone: account.timeZone,
  language: account.language,
  hourCycle: account.hourCycle,
  firstDayOfWeek: account.firstDayOfWeek,
  meetingDefaults: meetingDefaultsOf(account.meetingDefaults),
  emailVerified,
  oauthEnabled: account.oauthEnabled,
})
