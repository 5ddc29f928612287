import type { Profile } from '@parley/contract'
import type { AccountSecrets } from './account-secrets.ts'
import type { AccountRow } from './account-store.ts'

/** service.md 2.5 without a picture: the whole object, empty, as old as the account (meetings.md 8.12). */
export const imageMetaOf = ({ createdAt }: { createdAt: Date | string }) => ({
  baseurl: '',
  filePath: '',
  mOn: new Date(createdAt).toISOString(),
  path: '',
})

/** An account, or one that waits for its address to be confirmed. */
export type ProfileFacts = Omit<
  AccountRow,
  | 'emailKey'
  | 'passwordHash'
  | 'roomId'
  | 'sealedSecrets'
  | 'disabledAt'
  | 'appTokensEndedAt'
  | 'modifiedAt'
  | 'deletedAt'
  | 'handsOverMeetings'
  | 'erasedAt'
>

export type ProfileViewing = Partial<AccountSecrets> & {
  /** To the person themselves: trusted; to an app: verified (access/trusted-address.ts). */
  emailVerified: boolean
}

/** The profile of service.md 2.6; a secret that is not handed in is empty. What this service does not have is neutral. */
export const viewProfile = (
  account: ProfileFacts,
  { roomPin = '', chatKey = '', emailVerified }: ProfileViewing,
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
  imageMeta: imageMetaOf(account),
  schoolData: account.schoolData,
  department: account.department,
  location: account.location,
  source: '',
  ...account.settings,
  jcData: { jcId: account.chatId, jcKey: chatKey, bpUserId: account.chatUserId },
  avatar: account.avatar,
  tenantId: account.tenantId,
  svcMeetId: account.roomCode,
  extension: '',
  roomPIN: roomPin,
  timeZone: account.timeZone,
  language: account.language,
  emailVerified,
  oauthEnabled: account.oauthEnabled,
})
