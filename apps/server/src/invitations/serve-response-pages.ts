import { type InvitationResponse, invitationResponses } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WithDatabase } from '../access/service.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { preferredLanguage } from '../platform/http/negotiation.ts'
import { type Page, sendPage } from '../server-pages/page.ts'
import { answerPath } from './answer-link.ts'
import { answerPage, overAnswerPage, unknownAnswerPage } from './answer-page.ts'
import { findDateToAnswer, recordAnswer } from './answer-store.ts'
import { preferencesOf, serveGuestPages } from './guest-pages.ts'
import { personOfToken } from './guest-token.ts'

type Named = { meetingId: string; token: string; answer: InvitationResponse }

/**
 * Serve the pages behind the response links of an invitation. Opening one changes nothing; the button records the
 * response. The token in the address is the only right that is needed: it is bound to one person and one meeting.
 */
export function serveAnswers(http: FastifyInstance, service: WithDatabase): void {
  serveGuestPages(http, service, (pages) => {
    pages.get(answerPath, async (request, reply) => sendPage(reply, await ask(service, request)))
    pages.post(answerPath, async (request, reply) => {
      const named = readNames(request.params)
      const found = named && (await findGuest(service, named))
      if (named === undefined || found?.startsAt === undefined) return sendPage(reply, await ask(service, request))
      const { meetingId, answer: response } = named
      const { addressKey } = found.guest
      await recordAnswer(service.database, { meetingId, addressKey, response, respondedAt: service.clock.now() })
      return reply.redirect(pathOf(named), 303)
    })
  })
}

async function ask(service: WithDatabase, request: FastifyRequest): Promise<Page> {
  const named = readNames(request.params)
  const found = named && (await findGuest(service, named))
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  if (named === undefined || found === undefined) return unknownAnswerPage(spoken, request.id)
  const { meeting, guest, series, startsAt } = found
  const { language, timeZone } = await preferencesOf(service, guest, meeting.host.id)
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

/** Undefined when the link is invalid; `startsAt` is undefined when no date is left. */
async function findGuest({ database, encryption, clock }: WithDatabase, { meetingId, token }: Named) {
  const meeting = await findAnyMeeting(database, meetingId)
  if (meeting === undefined) return undefined
  const guest = personOfToken(encryption, 'answer link', { meetingId, token }, meeting.people)
  if (guest === undefined) return undefined
  const { series, next } = await findDateToAnswer(database, meeting, clock.now())
  return { meeting, guest, series, startsAt: next?.startsAt }
}

function readNames(params: unknown): Named | undefined {
  const { meetingId, token, answer } = params as Record<'meetingId' | 'token' | 'answer', string>
  const known = invitationResponses.find((response) => response === answer)
  return known !== undefined && isUuid(meetingId) ? { meetingId, token, answer: known } : undefined
}

const pathOf = ({ meetingId, token, answer }: Named) => `/answer/${meetingId}/${encodeURIComponent(token)}/${answer}`
