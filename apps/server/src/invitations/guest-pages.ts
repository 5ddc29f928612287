import { problems } from '@parley/contract'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import type { WithDatabase } from '../access/service.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { findAccount, findAccountByAddress } from '../accounts/account/account-store.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import { mapError } from '../platform/http/problem.ts'
import { sendPage } from '../server-pages/page.ts'
import { serverErrorPage, unknownInvitationPage } from './refusal-pages.ts'

/** A button sends an empty form, and a mail program a single field (RFC 8058, 3.2). */
const maxFormBytes = 1024

/** Serve the pages behind the links of mails. Bodies are not read, and errors are pages as well. */
export function serveGuestPages(
  http: FastifyInstance,
  { databaseFailures }: { databaseFailures: DatabaseFailureLog },
  serve: (pages: FastifyInstance) => void,
): void {
  http.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    const form = { parseAs: 'buffer', bodyLimit: maxFormBytes } as const
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
    pages.addContentTypeParser(forms, form, async () => undefined)
    pages.setErrorHandler(async (error, request, reply) => {
      const { code, headers } = mapError(error, request, databaseFailures)
      const { status, title } = problems[code]
      reply.headers(headers)
      return sendPage(
        reply,
        status < 500 ? unknownInvitationPage('en', request.id) : serverErrorPage(status, title, request.id),
      )
    })
    serve(pages)
  })
}

/**
 * The language and time zone of the page, as in the mails: those of the reader's account, otherwise the host's
 * language.
 */
export async function preferencesOf(
  { database, config }: Pick<WithDatabase, 'database' | 'config'>,
  guest: { addressKey: string },
  hostId: string,
) {
  const [account, host] = await Promise.all([
    findAccountByAddress(database, guest.addressKey),
    findAccount(database, hostId),
  ])
  const reader = account && isAddressTrusted(account, config) ? account : undefined
  const zone = reader?.timeZone ? readTimeZone(reader.timeZone, config.timeZoneAliases) : undefined
  const language: Language | undefined = reader?.language || host?.language || undefined
  return { language, timeZone: zone?.kind === 'known' ? zone.timeZone : undefined }
}
