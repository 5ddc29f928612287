import type { Profile } from '@parley/contract'
import type { AccountSecrets } from './account-secrets.ts'
import type { AccountRow } from './account-store.ts'

/** The `imageMeta` of an account without an image: the complete object, with empty fields. */
export const imageMetaOf = ({ createdAt }: { createdAt: Date | string }) => ({
  baseurl: '',
  filePath: '',
  mOn: new Date(createdAt).toISOString(),
  path: '',
})

/** An account, or a pending sign-up. */
type ProfileAccount = Omit<
  AccountRow,
  | 'emailKey'
  | 'passwordHash'
  | 'roomId'
  | 'sealedSecrets'
  | 'disabledAt'
  | 'appTokensEndedAt'
  | 'replyGeneration'
  | 'modifiedAt'
  | 'deletedAt'
  | 'handsOverMeetings'
  | 'erasedAt'
>

type ProfileViewOptions = Partial<AccountSecrets> & {
  /** For the person: whether the address is trusted; for an app: whether it is verified (access/trusted-address.ts). */
  emailVerified: boolean
}

/** View a profile; secrets that are not passed are empty. Fields of features that Parley does not have are constant. */
export const viewProfile = (
  account: ProfileAccount,
  { roomPin = '', chatKey = '', emailVerified }: ProfileViewOptions,
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
