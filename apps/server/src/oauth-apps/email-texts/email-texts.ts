import type { ReasonCode } from '@parley/contract'

/** What a developer is written when a reviewer or an administrator decides about their app. */
export type AppDecision = 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'

type DecisionText = { subject: (app: string) => string; lead: (app: string) => string; next: string }

type ClientWaitsText = {
  subject: (client: string) => string
  lead: (client: string, service: string) => string
  next: string
  /** The document has changed after an approval, which stays in force meanwhile. */
  changed: { lead: (client: string, service: string) => string; next: string }
  open: string
  /** In place of the host of a client without a document. */
  itself: string
}

type ClientsWaitText = {
  subject: (waiting: number) => string
  lead: (service: string) => string
  next: string
  open: string
}

/** The mails of apps in one language. */
export type AppEmailTexts = {
  decisions: Record<AppDecision, DecisionText>
  reasons: Record<ReasonCode, string>
  /** `field` is the name of a field of the app; empty where the reason is about none. */
  reason: (field: string, sentence: string) => string
  open: string
  /** To reviewers, about a client that no developer has registered: `client` is the host of its document. */
  clientWaits: ClientWaitsText
  /** To reviewers, about all such clients that wait, where not each has an email of its own. */
  clientsWait: ClientsWaitText
}
