import type {
  AppRegistration,
  AppStatus,
  CheckResult,
  Reason,
  Scope,
  ScopeReasons,
  TesterState,
  UseCase,
} from '@parley/contract'
import type { ClientType } from '@parley/rules/oauth/client-type'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type AppTables = {
  oauthAccessRequest: OauthAccessRequestTable
  app: AppTable
  appRevision: AppRevisionTable
  appLogo: { appId: string; revision: number; mediaType: string; bytes: Buffer }
  appCheck: AppCheckTable
  appReview: AppReviewTable
  appSecret: AppSecretTable
  appTester: AppTesterTable
  appEvent: AppEventTable
  reviewReading: ReviewReadingTable
  clientMetadataDocument: ClientMetadataDocumentTable
}

type OauthAccessRequestTable = {
  accountId: string
  reason: string
  createdAt: Date
  declinedAt: Date | null
  declineReason: Generated<string>
  notifiedAt: Date | null
}

type AppTable = {
  id: string
  /** Null of clients that no developer has registered. */
  ownerId: string | null
  status: AppStatus
  statusBefore: AppStatus | null
  clientId: string | null
  /** Null where the owner is. */
  sandboxClientId: string | null
  liveRevision: number | null
  draftRevision: number | null
  submittedAt: Date | null
  deletedAt: Date | null
  createdAt: Date
  modifiedAt: Date
  registration: Generated<AppRegistration>
  /** AGENT_CLIENTS approved the live revision. */
  liveByConfiguration: Generated<boolean>
  scopeReasons: ColumnType<ScopeReasons, string | undefined, string>
  reviewNotes: Generated<string>
  clientType: Generated<ClientType>
}

type AppRevisionTable = {
  appId: string
  number: number
  name: string
  nameKey: string
  nameKeys: Generated<string[]>
  nameKeysVersion: Generated<number>
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  useCase: UseCase
  description: string
  callbackUrls: string[]
  scopes: Scope[]
  requirePkce: boolean
  sendIss: boolean
  ownerName: Generated<string | null>
  ownerOrganisation: Generated<string | null>
  submittedAt: Date | null
  createdAt: Date
}

type AppCheckTable = {
  appId: string
  revision: number
  position: number
  check: string
  field: string
  result: CheckResult['result']
  message: string
}

type AppReviewTable = {
  id: string
  appId: string
  revision: number
  decision: string
  reasons: JSONColumnType<Reason[], string, never>
  /** The developer's answer to the previous reasons. */
  answer: Generated<string>
  /** Null where no person decided. */
  decidedBy: string | null
  createdAt: Date
}

type ReviewReadingTable = {
  appId: string
  reviewerId: string
  revision: number
  logoHash: Buffer | null
  readAt: Date
}

type ClientMetadataDocumentTable = {
  appId: string
  /** As served. */
  body: string
  etag: string | null
  /** When it was last seen to be the newest. */
  fetchedAt: Date
  freshUntil: Date
  /** When and why a later fetch failed; null after one that succeeded. */
  failedAt: Date | null
  failure: string | null
}

type AppSecretTable = {
  id: string
  appId: string
  name: string
  sandbox: boolean
  secretHash: Buffer
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  retiredAt: Date | null
  /** When the event that it expires soon was recorded. */
  expiryReportedAt: Generated<Date | null>
  forPlayground: Generated<boolean>
}

type AppTesterTable = {
  appId: string
  emailKey: string
  email: string
  state: Generated<TesterState>
  invitedAt: Generated<Date>
  mailedAt: Date | null
  answeredAt: Date | null
  removedAt: Date | null
}

type AppEventTable = {
  id: string
  appId: string
  kind: string
  cause: string
  sandbox: boolean
  /** Of the newest request. */
  requestId: string
  createdAt: Date
  /** How many refusals share this line. */
  occurrences: Generated<number>
  lastOccurredAt: Generated<Date>
  /** Of a shared line: the requests before the newest one, the newest first. */
  earlierRequestIds: Generated<string[]>
  /** The beginning of the hour in which refusals share this line; null for a line of one event. */
  sharedHour: Generated<Date | null>
}
