import { type InvitationResponse, invitationResponses } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { firstReplyGeneration, listReplyGenerations } from '../../access/credentials/reply-addresses.ts'
import type { WithDatabase } from '../../access/service.ts'
import { findAnyMeeting } from '../../meetings/meeting-store.ts'
import { findResponseTo } from '../../meetings/occurrence-response-store.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import { type Page, sendPage } from '../../server-pages/page.ts'
import { preferencesOf, serveGuestPages } from '../guest-pages.ts'
import { personOfToken } from '../guest-token.ts'
import { meetingOverPage, unknownInvitationPage } from '../refusal-pages.ts'
import { respondToOccurrence } from './respond-to-occurrence.ts'
import { occurrenceResponsePath, readStart, responseLinkPath, responsePath } from './response-link.ts'
import { responsePage } from './response-page.ts'
import { findDateToRespondTo, recordResponse } from './response-store.ts'

type ResponseLink = { meetingId: string; token: string; occurrence: Date | undefined; answer: InvitationResponse }

/**
 * Serve the pages behind the response links of an invitation. Opening one changes nothing; the button records the
 * response. The token in the address is the only right that is needed: it is bound to one person and one meeting.
 */
export function serveResponsePages(http: FastifyInstance, service: WithDatabase): void {
  serveGuestPages(http, service, (pages) => {
    for (const path of [responsePath, occurrenceResponsePath]) {
      pages.get(path, async (request, reply) => sendPage(reply, await showResponsePage(service, request)))
      pages.post(path, async (request, reply) => {
        const named = readLink(request.params)
        const found = named && (await findGuest(service, named))
        if (named === undefined || found?.date === undefined)
          return sendPage(reply, await showResponsePage(service, request))
        await record(service, named, found)
        return reply.redirect(responseLinkPath(named), 303)
      })
    }
  })
}

/** What cannot be recorded is not shown as recorded by the page that follows. */
async function record(
  { database, clock }: WithDatabase,
  { occurrence, answer }: ResponseLink,
  { meeting, guest, series }: Found,
) {
  const now = clock.now()
  const response = {
    meetingId: meeting.id,
    addressKey: guest.addressKey,
    response: answer,
    comment: null,
    respondedAt: now,
    actingGrantId: null,
  }
  if (occurrence === undefined) await recordResponse(database, { ...response, recordedAt: now })
  else await respondToOccurrence(database, series, { ...response, originalStart: occurrence }, now)
}

async function showResponsePage(service: WithDatabase, request: FastifyRequest): Promise<Page> {
  const named = readLink(request.params)
  const found = named && (await findGuest(service, named))
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  if (named === undefined || found === undefined) return unknownInvitationPage(spoken, request.id)
  const { meeting, guest, series, date, recorded } = found
  const { language, timeZone } = await preferencesOf(service, guest, meeting.host.id)
  if (date === undefined) return meetingOverPage(language ?? spoken, request.id)
  const link = (answer: InvitationResponse) => responseLinkPath({ ...named, answer })
  return responsePage({
    language: language ?? spoken,
    timeZone: timeZone ?? series.timeZone,
    topic: (named.occurrence && date.change?.topic) ?? meeting.topic,
    hostName: `${meeting.host.name} ${meeting.host.lname}`.trim(),
    series,
    date,
    isOneDate: named.occurrence !== undefined,
    addresses: { accepted: link('accepted'), tentative: link('tentative'), declined: link('declined') },
    chosen: named.answer,
    recorded,
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findGuest>>>

/**
 * Undefined when the link is invalid; `date` is undefined when none is left, or the one that is named is over or off.
 */
async function findGuest(
  { database, encryption, clock }: WithDatabase,
  { meetingId, token, occurrence }: ResponseLink,
) {
  const meeting = await findAnyMeeting(database, meetingId)
  if (meeting === undefined) return undefined
  const generations = await listReplyGenerations(database, meetingId)
  const guests = meeting.people.map((person) => ({
    ...person,
    replyGeneration: generations.get(person.addressKey) ?? firstReplyGeneration,
  }))
  const guest = personOfToken(encryption, 'answer link', { subjectId: meetingId, token, occurrence }, guests)
  if (guest === undefined) return undefined
  const now = clock.now()
  const { series, next } = await findDateToRespondTo(database, meeting, now)
  if (occurrence === undefined) return { meeting, guest, series, date: next, recorded: guest.response }
  const found = meeting.cancelledAt === null ? findAnswerable(series, occurrence, now) : undefined
  const date = found?.kind === 'answerable' ? found.occurrence : undefined
  const recorded = await findResponseTo(database, {
    meetingId,
    addressKey: guest.addressKey,
    originalStart: occurrence,
  })
  return { meeting, guest, series, date, recorded }
}

function readLink(params: unknown): ResponseLink | undefined {
  const { meetingId, token, start, answer } = params as Record<'meetingId' | 'token' | 'answer', string> & {
    start?: string
  }
  const known = invitationResponses.find((response) => response === answer)
  const occurrence = start === undefined ? undefined : readStart(start)
  const isReadable = known !== undefined && isUuid(meetingId) && (start === undefined || occurrence !== undefined)
  return isReadable ? { meetingId, token, occurrence, answer: known } : undefined
}
