import type { AppRegistration } from '@parley/contract'

/** The host of a client's document, with the port where it is not 443; absent for clients without a document. */
export const clientHostOf = (app: { registration: AppRegistration; clientId: string | null }) =>
  app.registration === 'metadata_document' && app.clientId !== null ? { clientHost: new URL(app.clientId).host } : {}

type ReviewedApp = Parameters<typeof clientHostOf>[0] & { isReviewed: boolean }

/**
 * A page that an app names, or nothing for one that is not to be shown: before a review, a document may name pages of its
 * own host only, because it can claim those of anyone.
 */
export const shownPageOf = (app: ReviewedApp, address: string): string =>
  address !== '' && (app.isReviewed || new URL(address).host === clientHostOf(app).clientHost) ? address : ''
