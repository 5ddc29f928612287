import type { Exceptions } from '@parley/rules/recurrence/recurrence'
import type { Service } from '../../access/service.ts'
import type { Tx } from '../../platform/database/database.ts'
import { insertMeeting } from '../insert-meeting.ts'
import { reminderOf } from '../meeting-reminder.ts'
import type { MeetingRow } from '../meeting-row.ts'
import type { MeetingValues } from '../meeting-store.ts'
import { guestsOfNewMeeting } from '../notify-guests.ts'
import { encryptSecrets, newMeetingSecrets } from '../secrets/meeting-secrets.ts'
import type { Split } from './split-store.ts'

type Continuation = {
  series: MeetingRow
  values: MeetingValues
  exceptions: Exceptions
  notifies: boolean
}

/**
 * Insert the meeting that continues a series, with a code, PIN and links of its own, and invite its guests. The host is
 * that of the series, also where a cohost or an administrator splits it.
 * @throws too_many_invitations
 */
export async function continueSeries(
  tx: Tx,
  { config, random, encryption }: Pick<Service, 'config' | 'random' | 'encryption'>,
  { continuationId, actor, now }: Split,
  { series, values, exceptions, notifies }: Continuation,
): Promise<void> {
  const meeting = {
    ...values,
    id: continuationId,
    appId: null,
    sealedSecrets: encryptSecrets(encryption, continuationId, newMeetingSecrets(random)),
    replyAddress: config.replyAddress ?? null,
    createdAt: now,
    continues: series.id,
    series,
  }
  const reminder = reminderOf(values, exceptions, config, now)
  const guests = notifies ? guestsOfNewMeeting(values, exceptions, now) : []
  await insertMeeting(
    tx,
    { config, random },
    actor,
    meeting,
    { tenantId: series.host.tenantId, namesEveryAddress: false },
    { reminder, mails: { now, guests } },
  )
}
