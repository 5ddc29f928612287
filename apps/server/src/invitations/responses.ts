import { type InvitationResponse, invitationResponses, respondToMeeting } from '@parley/contract'
import { findAnswerable } from '@parley/rules/invitations/answerable-occurrence'
import { googleLink, outlookLink } from '@parley/rules/meetings/calendar-links'
import type { Occurrence, Series } from '@parley/rules/recurrence/recurrence'
import { isolated } from '@parley/rules/text/isolated-text'
import { readOptional } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import type { Language } from '@parley/texts/languages'
import type { FastifyRequest } from 'fastify'
import { grantIdOf } from '../access/caller.ts'
import { firstReplyGeneration, listReplyGenerations } from '../access/credentials/reply-addresses.ts'
import { requireMeetingId, viewerOf } from '../meetings/meeting-access.ts'
import { findAnyMeeting, findMeeting } from '../meetings/meeting-store.ts'
import { findResponseTo } from '../meetings/occurrence-response-store.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { html } from '../platform/http/html.ts'
import { problem } from '../platform/http/problem.ts'
import { textsIn } from '../platform/texts.ts'
import { type Page, sendPage } from '../server-pages/page.ts'
import type { Dependencies } from './dependencies.ts'
import { occurrenceResponsePath, personOfToken, readStart, responseLinkPath, responsePath } from './guest-links.ts'
import { meetingOverPage, preferencesOf, serveGuestPages, unknownInvitationPage } from './guest-pages.ts'
import { findDateToRespondTo, recordResponse, respondToOccurrence } from './response-store.ts'
import { repetition, span } from './times-in-words.ts'

/** Register the endpoint with which signed-in people respond, and the pages behind the response links in emails. */
export function registerResponses(dependencies: Dependencies): void {
  serveRespondToMeeting(dependencies)
  serveResponsePages(dependencies)
}

function serveRespondToMeeting({ serve, clock, config }: Dependencies) {
  serve(respondToMeeting, {
    read: ({ body }) => readOptional(body.occurrence, (text) => readTimestampField('/occurrence', text)),
    handle: async ({ caller, params, body, input: originalStart, database }) => {
      const viewer = viewerOf(caller, config)
      const meeting = await findMeeting(database, requireMeetingId(params.meetingId), viewer)
      if (meeting === undefined) throw problem('meeting_not_found')
      const guest = meeting.people.find(({ addressKey }) => addressKey === viewer.addressKey)
      if (guest === undefined) throw problem('not_invited', { detail: 'Only those who are invited can answer.' })
      if (meeting.cancelledAt !== null) throw problem('meeting_cancelled')
      const now = clock.now()
      const { response } = body
      const answer = {
        meetingId: meeting.id,
        addressKey: guest.addressKey,
        response,
        comment: null,
        respondedAt: now,
        actingGrantId: grantIdOf(caller),
      }
      const { series, next } = await findDateToRespondTo(database, meeting, now)
      if (originalStart !== undefined) {
        const outcome = await respondToOccurrence(database, series, { ...answer, originalStart }, now)
        switch (outcome) {
          case 'no-such-occurrence':
            throw problem('occurrence_not_found')
          case 'occurrence-cancelled':
            throw problem('occurrence_cancelled', { detail: 'It can be answered when the host has restored it.' })
          case 'occurrence-over':
            throw problem('occurrence_over')
          case 'too-many':
            throw problem('too_many_responses')
          case 'outdated':
          case 'recorded':
            return { response, occurrence: originalStart.toISOString() }
        }
      }
      if (next === undefined) throw problem('meeting_over')
      await recordResponse(database, { ...answer, recordedAt: now })
      return { response }
    },
  })
}

type ResponseLink = { meetingId: string; token: string; occurrence: Date | undefined; answer: InvitationResponse }

/**
 * Serve the pages behind the response links of an invitation. Opening one changes nothing; the button records the
 * response. The token in the address is the only right that is needed: it is bound to one person and one meeting.
 */
function serveResponsePages(dependencies: Dependencies): void {
  serveGuestPages(dependencies, (pages) => {
    for (const path of [responsePath, occurrenceResponsePath]) {
      pages.get(path, async (request, reply) => sendPage(reply, await showResponsePage(dependencies, request)))
      pages.post(path, async (request, reply) => {
        const link = readLink(request.params)
        const found = link && (await findGuest(dependencies, link))
        if (link === undefined || found?.date === undefined)
          return sendPage(reply, await showResponsePage(dependencies, request))
        await record(dependencies, link, found)
        return reply.redirect(responseLinkPath(link), 303)
      })
    }
  })
}

/** Record a response. The page after it shows what is recorded, also where a later response was recorded before. */
async function record(
  { database, clock }: Dependencies,
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

async function showResponsePage(dependencies: Dependencies, request: FastifyRequest): Promise<Page> {
  const link = readLink(request.params)
  const found = link && (await findGuest(dependencies, link))
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  if (link === undefined || found === undefined) return unknownInvitationPage(spoken, request.id)
  const { meeting, guest, series, date, recorded } = found
  const { language, timeZone, ...ofHost } = await preferencesOf(dependencies, guest, meeting.host.id)
  if (date === undefined) return { ...meetingOverPage(language ?? spoken, request.id), ...ofHost }
  const addressOf = (answer: InvitationResponse) => responseLinkPath({ ...link, answer })
  const page = responsePage({
    language: language ?? spoken,
    timeZone: timeZone ?? series.timeZone,
    topic: (link.occurrence && date.change?.topic) ?? meeting.topic,
    hostName: `${meeting.host.name} ${meeting.host.lname}`.trim(),
    series,
    date,
    isOneDate: link.occurrence !== undefined,
    addresses: {
      accepted: addressOf('accepted'),
      tentative: addressOf('tentative'),
      declined: addressOf('declined'),
    },
    chosen: link.answer,
    recorded,
    // The calendar of another company keeps the address, not the PIN.
    joinAddress: `${dependencies.config.baseUrl}/j/${meeting.code}`,
  })
  return { ...page, ...ofHost }
}

type Found = NonNullable<Awaited<ReturnType<typeof findGuest>>>

/**
 * Find the guest, the meeting and the date of a link. Undefined when the link is invalid; `date` is undefined when no date
 * is left, or the named one is over or cancelled.
 */
async function findGuest(
  { database, encryption, clock }: Dependencies,
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

type ResponsePageContent = {
  language: Language
  timeZone: string
  topic: string
  hostName: string
  series: Series
  /** The date to show: the date that the response is about, or the next date of the meeting. */
  date: Pick<Occurrence, 'startsAt' | 'endsAt'>
  /** Whether the response is about this date only. */
  isOneDate: boolean
  /** The target of each button. */
  addresses: Record<InvitationResponse, string>
  /** The response whose link was opened. */
  chosen: InvitationResponse
  recorded: InvitationResponse | null
  joinAddress: string
}

/** Offer the date to calendars on the web; programs have read the file of the email. */
function calendarLinks({ language, topic, date, joinAddress }: ResponsePageContent) {
  const entry = {
    topic,
    startTime: date.startsAt.toISOString(),
    endTime: date.endsAt.toISOString(),
    details: joinAddress,
    location: joinAddress,
  }
  const link = (address: string, name: string) =>
    html`<a href="${address}" target="_blank" rel="noreferrer">${name}</a>`
  return html`<p>${textsIn(language, 'invitation-emails')('page.addTo')}
${link(googleLink(entry), 'Google')} · ${link(outlookLink(entry), 'Outlook')}</p>`
}

/** Ask for a button press, because mail scanners follow links. */
function responsePage(question: ResponsePageContent): Page {
  const { language, timeZone, topic, hostName, series, date, isOneDate, addresses, chosen, recorded } = question
  const comes = recorded === 'accepted' || recorded === 'tentative'
  const t = textsIn(language, 'invitation-emails')
  const confirmation = html`<form method="post" action="${addresses[chosen]}" class="stacked">
<button class="primary">${t('page.confirm', { answer: t(`answers.${chosen}`) })}</button>
</form>
<p class="muted small">${t('page.press')}</p>`
  return {
    status: 200,
    title: t('question'),
    language,
    forms: true,
    main: html`<h1 dir="auto">${topic}</h1>
<p>${t('page.from', { host: isolated(language, hostName) })}</p>
<dl class="facts">
<dt>${t('fields.time')}</dt><dd>${span(language, date.startsAt, date.endsAt.getTime() - date.startsAt.getTime(), timeZone)}</dd>
${series.rule.repeat === 'none' || isOneDate ? undefined : html`<dt>${t('fields.rule')}</dt><dd>${repetition(language, series)}</dd>`}
</dl>
${isOneDate ? html`<p>${t('page.oneDate')}</p>` : undefined}
${recorded === null ? undefined : html`<p role="status"><strong>${t(`page.recorded.${recorded}`)}</strong></p>`}
${comes ? calendarLinks(question) : undefined}
${recorded === chosen ? undefined : confirmation}
<p>${recorded === chosen ? t('page.changeable') : t('page.other')}</p>
<form method="post" class="answers">
${invitationResponses
  .filter((answer) => answer !== chosen)
  .map(
    (answer) => html`<button formaction="${addresses[answer]}">${t(`answers.${answer}`)}</button>
`,
  )}</form>`,
  }
}
