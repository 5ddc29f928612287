import { problems } from '@parley/contract'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { findAccount, findAccountByAddress } from '../accounts/account/account-store.ts'
import { findBrand, viewLook } from '../accounts/organisation-store.ts'
import { html } from '../platform/http/html.ts'
import { mapError } from '../platform/http/problem.ts'
import { textsIn } from '../platform/texts.ts'
import { errorPage } from '../server-pages/error-page.ts'
import { type Page, sendPage } from '../server-pages/page.ts'
import type { Dependencies } from './dependencies.ts'

/** A button sends an empty form, and a mail program a single field (RFC 8058, 3.2). */
const maxGuestFormBytes = 1024

/** Serve the pages behind the links of mails. Bodies are not read, and errors are pages as well. */
export function serveGuestPages(
  { http, databaseFailures }: Pick<Dependencies, 'http' | 'databaseFailures'>,
  serve: (pages: FastifyInstance) => void,
): void {
  http.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    const form = { parseAs: 'buffer', bodyLimit: maxGuestFormBytes } as const
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
 * Find the language and time zone of a page, as for the emails: those of the reader's account, otherwise the host's
 * language; and the look of the host's organisation.
 */
export async function preferencesOf(
  { database, config }: Pick<Dependencies, 'database' | 'config'>,
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
  const look = host && viewLook(await findBrand(database, host.tenantId))
  return { language, timeZone: zone?.kind === 'known' ? zone.timeZone : undefined, ...(look && { look }) }
}

export const unknownInvitationPage = (language: Language, requestId: string): Page => {
  const t = textsIn(language, 'invitation-emails')
  return refusalPage(404, t('page.unknownTitle'), t('page.unknown'), t('page.advice'), language, requestId)
}

export const meetingOverPage = (language: Language, requestId: string): Page => {
  const t = textsIn(language, 'invitation-emails')
  return refusalPage(410, t('page.overTitle'), t('page.over'), t('page.advice'), language, requestId)
}

const refusalPage = (
  status: number,
  title: string,
  happened: string,
  advice: string,
  language: Language,
  requestId: string,
): Page => ({
  status,
  title,
  language,
  main: html`<h1>${title}</h1>
<p>${happened}</p>
<p>${advice}</p>
<p class="muted small"><code>${requestId}</code></p>`,
})

const serverErrorPage = (status: number, happened: string, requestId: string): Page =>
  errorPage(
    {
      status,
      happened,
      title: 'Something went wrong',
      fixer: 'administrator',
      advice: 'Try again soon. If it keeps happening, tell the administrator the request ID below.',
    },
    requestId,
  )
