import type { AppRegistration } from '@parley/contract'

/** The host of a client's document, with the port where it is not 443; absent for clients without a document. */
export const clientHostOf = (app: { registration: AppRegistration; clientId: string | null }) =>
  app.registration === 'metadata_document' && app.clientId !== null ? { clientHost: new URL(app.clientId).host } : {}
