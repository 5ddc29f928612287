import { type InvitationResponse, invitationResponses, problems } from '@parley/contract'
import { type Language, preferredLanguage } from '@parley/rules/language'
import { nextOccurrence } from '@parley/rules/recurrence'
import { readTimeZone } from '@parley/rules/time-zone'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Service } from '../access/service.ts'
import { findAccount, findAccountByAddress } from '../accounts/account-store.ts'
import { isVerified } from '../accounts/profile-view.ts'
import { type PersonRow, seriesOf } from '../meetings/meeting-row.ts'
import { findAnyMeeting, findSkipped } from '../meetings/meeting-store.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { isTimeout, isUnavailable } from '../platform/database.ts'
import { isUuid } from '../platform/uuid.ts'
import { answerPath, guestOfToken } from './answer-link.ts'
import { answerPage, brokenAnswerPage, overAnswerPage, unknownAnswerPage } from './answer-page.ts'

/** A press of a button sends nothing but its address. */
const longestFormBytes = 1024

type Named = { meetingId: string; token: string; answer: InvitationResponse }

/**
 * The pages behind the links of an invitation. A look at one changes nothing; a press records the answer. The token in the
 * address is the right to do so, and all of it: it is bound to one person and one meeting.
 */
export function serveAnswers(http: FastifyInstance, service: Service): ReadonlyMap<string, readonly string[]> {
  http.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    const form = { parseAs: 'buffer', bodyLimit: longestFormBytes } as const
    pages.addContentTypeParser('application/x-www-form-urlencoded', form, async () => undefined)
    pages.setErrorHandler(async (error, request, reply) => {
      const code = isUnavailable(error) || isTimeout(error) ? 'unavailable' : 'internal_error'
      const { statusCode = 500 } = Object(error) as { statusCode?: number }
      if (statusCode < 500) return sendPage(reply, unknownAnswerPage('en', request.id))
      if (code === 'internal_error') request.log.error({ err: error, requestId: request.id }, 'request failed')
      return sendPage(reply, brokenAnswerPage(problems[code].status, problems[code].title, request.id))
    })
    pages.get(answerPath, async (request, reply) => sendPage(reply, await ask(service, request)))
    pages.post(answerPath, async (request, reply) => {
      const named = readNames(request.params)
      const found = named && (await findGuest(service, named))
      if (named === undefined || found?.startsAt === undefined) return sendPage(reply, await ask(service, request))
      await service.database
        .updateTable('participant')
        .set({ response: named.answer })
        .where('meetingId', '=', named.meetingId)
        .where('emailKey', '=', found.guest.addressKey)
        .execute()
      return reply.redirect(pathOf(named), 303)
    })
  })
  return new Map([[answerPath, ['GET', 'POST']]])
}

async function ask(service: Service, request: FastifyRequest): Promise<Page> {
  const named = readNames(request.params)
  const found = named && (await findGuest(service, named))
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  if (named === undefined || found === undefined) return unknownAnswerPage(spoken, request.id)
  const { meeting, guest, series, startsAt } = found
  const { language, timeZone } = await manners(service, guest, meeting.host.id)
  if (startsAt === undefined) return overAnswerPage(language ?? spoken, request.id)
  const link = (answer: InvitationResponse) => pathOf({ ...named, answer })
  return answerPage({
    language: language ?? spoken,
    timeZone: timeZone ?? series.timeZone,
    topic: meeting.topic,
    hostName: `${meeting.host.name} ${meeting.host.lname}`.trim(),
    series,
    startsAt,
    addresses: { accepted: link('accepted'), tentative: link('tentative'), declined: link('declined') },
    chosen: named.answer,
    recorded: guest.response,
  })
}

/** Undefined when the link is nobody's; `startsAt` is undefined when nothing lies ahead that one could come to. */
async function findGuest({ database, sealedBox, clock }: Service, { meetingId, token }: Named) {
  const meeting = await findAnyMeeting(database, meetingId)
  if (meeting === undefined) return undefined
  const guests = meeting.people.filter(({ invited }) => invited)
  const guest = guestOfToken(sealedBox, meetingId, token, guests)
  if (guest === undefined) return undefined
  const series = seriesOf(meeting, await findSkipped(database, meetingId))
  const next = meeting.cancelledAt === null ? nextOccurrence(series, clock.now()) : undefined
  return { meeting, guest, series, startsAt: next?.startsAt }
}

/** As in the mails: the language and the clock of the reader's account, else the language of the host. */
async function manners({ database, config }: Service, guest: PersonRow, hostId: string) {
  const [account, host] = await Promise.all([
    findAccountByAddress(database, guest.addressKey),
    findAccount(database, hostId),
  ])
  const reader = account && isVerified(account, config.emailVerification) ? account : undefined
  const zone = reader?.timeZone ? readTimeZone(reader.timeZone, config.timeZoneAliases) : undefined
  const language: Language | undefined = reader?.language || host?.language || undefined
  return { language, timeZone: zone?.kind === 'known' ? zone.timeZone : undefined }
}

function readNames(params: unknown): Named | undefined {
  const { meetingId, token, answer } = params as Record<'meetingId' | 'token' | 'answer', string>
  const known = invitationResponses.find((response) => response === answer)
  return known !== undefined && isUuid(meetingId) ? { meetingId, token, answer: known } : undefined
}

const pathOf = ({ meetingId, token, answer }: Named) => `/answer/${meetingId}/${encodeURIComponent(token)}/${answer}`
