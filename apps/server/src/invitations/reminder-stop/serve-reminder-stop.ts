import { addressKey } from '@parley/rules/text/email-address'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WithDatabase } from '../../access/service.ts'
import { findAnyMeeting } from '../../meetings/meeting-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import { sendPage } from '../../server-pages/page.ts'
import { preferencesOf, serveGuestPages } from '../guest-pages.ts'
import { personOfToken } from '../guest-token.ts'
import { unknownInvitationPage } from '../refusal-pages.ts'
import { resumePath, stopPath } from './stop-link.ts'
import { stopPage } from './stop-page.ts'
import { findStopped, resumeReminders, stopReminders } from './stopped-reminder-store.ts'

/**
 * Serve the page behind the unsubscribe link of a reminder. Opening it changes nothing; the button, or the one-click
 * request of a mail program (RFC 8058), stops the reminders of this meeting to this address, and another press undoes
 * that. Responds without a redirect, because mail programs do not follow one.
 */
export function serveReminderStop(http: FastifyInstance, service: WithDatabase): void {
  const { database, clock } = service
  serveGuestPages(http, service, (pages) => {
    pages.get(stopPath, async (request, reply) => show(service, request, reply))
    pages.post(stopPath, async (request, reply) => {
      const found = await findPerson(service, request)
      if (found !== undefined) await inTransaction(database, (tx) => stopReminders(tx, found, clock.now()))
      return show(service, request, reply)
    })
    pages.post(resumePath, async (request, reply) => {
      const found = await findPerson(service, request)
      if (found !== undefined) await resumeReminders(database, found)
      return show(service, request, reply)
    })
  })
}

async function show(service: WithDatabase, request: FastifyRequest, reply: FastifyReply) {
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  const found = await findPerson(service, request)
  if (found === undefined) return sendPage(reply, unknownInvitationPage(spoken, request.id))
  const { meeting, meetingId, token, email } = found
  const { language } = await preferencesOf(service, found, meeting.host.id)
  const isStopped = (await findStopped(service.database, meetingId)).has(found.addressKey)
  const path = `/reminders/${meetingId}/${token}`
  return sendPage(
    reply,
    stopPage({
      topic: meeting.topic,
      email,
      isStopped,
      language: language ?? spoken,
      action: isStopped ? `${path}/resume` : path,
    }),
  )
}

/** Find the guest, cohost or host to whom the token belongs. Undefined when there is none. */
async function findPerson({ database, encryption }: WithDatabase, { params }: FastifyRequest) {
  const { meetingId, token } = params as Record<'meetingId' | 'token', string>
  const meeting = isUuid(meetingId) ? await findAnyMeeting(database, meetingId) : undefined
  if (meeting === undefined) return undefined
  const host = { addressKey: addressKey(meeting.host.email), email: meeting.host.email }
  const person = personOfToken(encryption, 'reminder stop link', { subjectId: meetingId, token }, [
    host,
    ...meeting.people,
  ])
  return person && { meeting, meetingId, token: encodeURIComponent(token), ...person }
}
