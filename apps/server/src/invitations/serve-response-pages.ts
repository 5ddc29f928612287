import { type InvitationResponse, invitationResponses } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WithDatabase } from '../access/service.ts'
import { findAnyMeeting } from '../meetings/meeting-store.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { preferredLanguage } from '../platform/http/negotiation.ts'
import { type Page, sendPage } from '../server-pages/page.ts'
import { preferencesOf, serveGuestPages } from './guest-pages.ts'
import { personOfToken } from './guest-token.ts'
import { responsePath } from './response-link.ts'
import { meetingOverPage, responsePage, unknownInvitationPage } from './response-page.ts'
import { findDateToRespondTo, recordResponse } from './response-store.ts'

type ResponseLink = { meetingId: string; token: string; answer: InvitationResponse }

/**
 * Serve the pages behind the response links of an invitation. Opening one changes nothing; the button records the
 * response. The token in the address is the only right that is needed: it is bound to one person and one meeting.
 */
export function serveResponsePages(http: FastifyInstance, service: WithDatabase): void {
  serveGuestPages(http, service, (pages) => {
    pages.get(responsePath, async (request, reply) => sendPage(reply, await showResponsePage(service, request)))
    pages.post(responsePath, async (request, reply) => {
      const named = readLink(request.params)
      const found = named && (await findGuest(service, named))
      if (named === undefined || found?.startsAt === undefined)
        return sendPage(reply, await showResponsePage(service, request))
      const { meetingId, answer: response } = named
      const { addressKey } = found.guest
      await recordResponse(service.database, { meetingId, addressKey, response, respondedAt: service.clock.now() })
      return reply.redirect(pathOf(named), 303)
    })
  })
}

async function showResponsePage(service: WithDatabase, request: FastifyRequest): Promise<Page> {
  const named = readLink(request.params)
  const found = named && (await findGuest(service, named))
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  if (named === undefined || found === undefined) return unknownInvitationPage(spoken, request.id)
  const { meeting, guest, series, startsAt } = found
  const { language, timeZone } = await preferencesOf(service, guest, meeting.host.id)
  if (startsAt === undefined) return meetingOverPage(language ?? spoken, request.id)
  const link = (answer: InvitationResponse) => pathOf({ ...named, answer })
  return responsePage({
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
async function findGuest({ database, encryption, clock }: WithDatabase, { meetingId, token }: ResponseLink) {
  const meeting = await findAnyMeeting(database, meetingId)
  if (meeting === undefined) return undefined
  const guest = personOfToken(encryption, 'answer link', { meetingId, token }, meeting.people)
  if (guest === undefined) return undefined
  const { series, next } = await findDateToRespondTo(database, meeting, clock.now())
  return { meeting, guest, series, startsAt: next?.startsAt }
}

function readLink(params: unknown): ResponseLink | undefined {
  const { meetingId, token, answer } = params as Record<'meetingId' | 'token' | 'answer', string>
  const known = invitationResponses.find((response) => response === answer)
  return known !== undefined && isUuid(meetingId) ? { meetingId, token, answer: known } : undefined
}

const pathOf = ({ meetingId, token, answer }: ResponseLink) =>
  `/answer/${meetingId}/${encodeURIComponent(token)}/${answer}`
