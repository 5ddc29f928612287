import { type BodyOf, splitMeeting } from '@parley/contract'
import { planSplit, readSplit } from '@parley/rules/meetings/series-split'
import { compareDates } from '@parley/rules/recurrence/exclusions'
import { addressKey } from '@parley/rules/text/email-address'
import type { Service } from '../../access/service.ts'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import { findExceptions } from '../exception-store.ts'
import { seriesOf } from '../meeting-row.ts'
import { findMeeting } from '../meeting-store.ts'
import { etagOf, requireVersion } from '../meeting-version.ts'
import { completeOptions, toMeetingValues } from '../requested-meeting.ts'
import { splitOccurrenceResponses } from '../responses/occurrence-response-store.ts'
import { decryptSecrets } from '../secrets/meeting-secrets.ts'
import { type AccessedMeeting, changeMeeting } from '../view/meeting-access.ts'
import { viewLinks, viewMeeting } from '../view/meeting-view.ts'
import { viewChangedDate } from '../view/occurrence-view.ts'
import { continueSeries } from './continue-series.ts'
import { endSeriesBefore } from './end-series-before.ts'
import {
  copyResponses,
  copyStoppedReminders,
  linkContinuation,
  moveDroppedDates,
  moveExceptions,
} from './split-store.ts'

/** Require the right for each field that is sent: one that is absent stays as it is. @throws forbidden */
function requireSentRights({ require }: AccessedMeeting, body: Partial<BodyOf<typeof splitMeeting>>): void {
  const { topic, description, advancedOptions, participants, cohosts } = body
  if ((topic ?? description ?? advancedOptions) !== undefined) require('changeContent')
  if (participants !== undefined) require('changePeople')
  if (cohosts !== undefined) require('nameCohosts')
}

export function serveSplitMeeting(service: Service) {
  const { serve, clock, random, encryption, config } = service
  serve(splitMeeting, {
    read: ({ body }) => readSplit(body, config.timeZoneAliases),
    handle: async ({ caller, params, query, body, input: requested, database, request, answer }) => {
      const now = clock.now()
      const asking = { caller, request, endpoint: splitMeeting, meetingId: params.meetingId }
      return changeMeeting(database, service, asking, 'reschedule', async (tx, opened) => {
        const { row, rights, viewer, actor } = opened
        requireSentRights(opened, body)
        if (row.cancelledAt !== null) throw problem('meeting_cancelled')
        requireVersion(request.ifMatch, row)

        const exceptions = await findExceptions(tx, row.id)
        const series = seriesOf(row, exceptions)
        const stored = { ...row, hostAddressKey: addressKey(row.host.email) }
        const plan = planSplit(series, stored, requested, now)
        if (plan.kind === 'invalid') throw invalidRequest(plan.violations)
        const { before, rest, continuation, exclusions, changes } = plan
        const kept = new Set(
          continuation.participants.filter((person) => person.cohost).map((person) => person.addressKey),
        )
        if (row.people.some((person) => person.cohost && !kept.has(person.addressKey))) {
          opened.require('removeCohost', 'Only the host removes a cohost.')
        }

        const notifies = query.sendUpdates !== 'none'
        const split = { seriesId: row.id, continuationId: random.uuid(now), actor, now }
        await endSeriesBefore(tx, service, split, { row, series, before, notifies, isRefusable: true })
        const carried = {
          excluded: exclusions.kept.map(({ to }) => to),
          changed: changes.kept.map(({ change }) => change),
        }
        const options = completeOptions(body.advancedOptions ?? {}, row.options)
        const values = toMeetingValues({ schedule: continuation, options }, carried)
        await continueSeries(tx, service, split, { series: row, values, exceptions: carried, notifies })
        await linkContinuation(tx, split, requested.occurrence)
        await moveExceptions(tx, split, { occurrence: requested.occurrence, exclusions, changes })
        const after = seriesOf(values, carried)
        const droppedDates = await moveDroppedDates(tx, split, {
          fromDate: plan.fromDate,
          dropped: exclusions.dropped.map(({ localDate }) => localDate),
          after,
        })
        if (plan.isUnmoved) await copyResponses(tx, split)
        const from = requested.occurrence
        await splitOccurrenceResponses(tx, { ...split, from, isUnmoved: plan.isUnmoved })
        await copyStoppedReminders(tx, split)

        const made = await findMeeting(tx, split.continuationId, viewer)
        if (made === undefined) throw problem('meeting_not_found')
        const dates = compareDates(rest, after, droppedDates, now)
        answer.header('etag', etagOf(made))
        const { pin } = decryptSecrets(encryption, made)
        return {
          ...viewMeeting(made, pin, { caller, config, rights }),
          ...viewLinks(made),
          restoredOccurrences: dates.restored.map(viewChangedDate),
          removedOccurrences: dates.removed.map(viewChangedDate),
        }
      })
    },
  })
}
