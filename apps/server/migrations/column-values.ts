import type {
  AdvancedOptions,
  AppRegistration,
  AppStatus,
  CheckResult,
  DeliveryState,
  EventType,
  InvitationResponse,
  MeetingColour,
  MeetingDefaults,
  MeetingTemplateContent,
  Notification,
  NotificationKind,
  ProfileSettings,
  Reason,
  SchoolData,
  Scope,
  ScopeReasons,
  Spotlight,
  TesterState,
  UseCase,
  WebhookOwner,
  WebhookPayload,
} from '@parley/contract'
import type { MeetingText } from '@parley/contract/meeting-fields'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { ClientType } from '@parley/rules/oauth/client-type'
import type { Resource } from '@parley/rules/oauth/resource'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import type { StoredBreakout } from '@parley/rules/rooms/breakout-rooms'
import type { DecidedRights } from '@parley/rules/rooms/room-rights'
import type { Language } from '@parley/texts/languages'

/** Who wrote a text: an account, and the grant by which an app did; null for the person. */
export type TextAuthor = { accountId: string; grantId: string | null }
/** A row that was written before a text existed has no author of it. */
export type TextAuthors = { [Name in MeetingText]?: TextAuthor | undefined }

/** What a person has chosen; the rest is as for a new account. */
export type StoredMeetingDefaults = Partial<Omit<MeetingDefaults, 'advancedOptions'>> & {
  advancedOptions?: Partial<AdvancedOptions>
}

/** A logo whose bytes are a row of `tenant_logo`. */
export type StoredLogo = { digest: string; mediaType: string; width: number; height: number; size: number }
/** What an organisation has chosen; without any of it, its pages look like Parley's. */
export type StoredBrand = { name?: string; colour?: string; logos?: { light?: StoredLogo; dark?: StoredLogo } }

/** A photo whose bytes are the row of `account_photo` with this id. The time is text, as in JSON. */
export type StoredPhoto = { id: string; setOn: string }

type ParticipantRole = 'host' | 'cohost' | 'participant'

/** What TypeScript knows better than PostgreSQL: which texts a column may have, and the shape of its JSON. */
export type ColumnValues = {
  account: {
    language: Language | ''
    settings: ProfileSettings
    schoolData: SchoolData
    meetingDefaults: StoredMeetingDefaults
    photo: StoredPhoto | null
  }
  admission: {
    role: ParticipantRole
    state: 'waiting_for_host' | 'waiting' | 'admitted' | 'denied'
    grantedRole: 'host' | 'cohost'
    rights: DecidedRights
  }
  meetingTemplate: { content: MeetingTemplateContent }
  app: {
    status: AppStatus
    statusBefore: AppStatus
    registration: AppRegistration
    scopeReasons: ScopeReasons
    clientType: ClientType
  }
  appCheck: { result: CheckResult['result'] }
  appReview: { reasons: Reason[] }
  appRevision: { useCase: UseCase; scopes: Scope[] }
  appTester: { state: TesterState }
  auditEntry: { detail: object }
  authorizationCode: { resource: Resource }
  authorizationRequest: { resource: Resource }
  event: { type: EventType; data: Record<string, unknown> }
  guestDelivery: { unreported: InvitationEmailKind }
  guestMail: { kind: InvitationEmailKind; outcome: 'unknown' | 'sent' | 'superseded' }
  mailedLink: { purpose: 'verify-email' | 'reset-password' }
  meeting: {
    /** Infinity, a number: the series has no end. */
    lastStartsAt: Date | number
    options: AdvancedOptions
    overAt: Date | number
    recurrence: RecurrenceRule
    textAuthors: TextAuthors
  }
  meetingColour: { colour: MeetingColour }
  notification: {
    kind: NotificationKind
    data: {
      subject?: string
      person?: string
      startsAt?: string
      originalStartTime?: string
      response?: InvitationResponse
      outcome?: Notification['outcome']
      /** How many notifications of the same date this one replaces: they count for the limit of pushed messages. */
      replaced?: number
    }
  }
  occurrenceResponse: { response: InvitationResponse }
  participant: { response: InvitationResponse }
  pendingSignUp: { language: Language | '' }
  pushSubscription: { language: Language }
  room: { rights: DecidedRights; spotlight: Spotlight; breakout: StoredBreakout }
  roomStay: { role: ParticipantRole }
  tenant: { brand: StoredBrand }
  tenantLogo: { ground: 'light' | 'dark' }
  tokenFamily: { resource: Resource }
  webhook: {
    owner: WebhookOwner
    payload: WebhookPayload
    disabledBecause: 'owner' | 'signed_out' | 'gone' | 'no_success'
  }
  webhookAttempt: { requestHeaders: Record<string, string>; responseHeaders: Record<string, string> }
  webhookDelivery: { state: DeliveryState }
}

/** What an insert or update gives, where it differs from what a select returns. */
export type WrittenValues = {
  meeting: { overAt: Date | 'infinity' }
}
