import {
  type InvitationResponse,
  type ListedMeetingReply,
  type MeetingReply,
  type OccurrenceReply,
  type ResponseCounts,
  type SingleMeetingReply,
  unusedFields,
} from '@parley/contract'
import { mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import type { RightsOfPerson } from '@parley/rules/meetings/meeting-rights'
import type { OccurrenceStatus } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import type { TextAuthor } from '../../migrations/column-values.ts'
import type { Caller } from '../access/caller.ts'
import { imageMetaOf, viewPhotoUrl } from '../accounts/account/photo-store.ts'
import type { Config } from '../platform/config/config.ts'
import type { Encryption } from '../platform/encryption.ts'
import { viewerOf } from './meeting-access.ts'
import type { MeetingRow, ParticipantAccount, PersonRow } from './meeting-row.ts'
import { decryptSecrets } from './meeting-secrets.ts'
import type { FoundMeeting } from './meeting-store.ts'

/** The input of a meeting's view besides the meeting itself. */
type Viewing = {
  caller: Caller
  /** The caller's rights over it (meeting-access.ts). */
  rights: Pick<RightsOfPerson, 'has'>
  encryption: Encryption
  config: Config
}

/** A meeting as create and update return it to this caller. */
export const viewMeeting = (row: MeetingRow, pin: string, viewing: Omit<Viewing, 'encryption'>): MeetingReply =>
  meetingFields(row, viewing, pin)

function meetingFields(row: MeetingRow, viewing: Omit<Viewing, 'encryption'>, pin: string): MeetingReply {
  const { rights } = viewing
  const viewPerson = personViewFor(viewing)
  const fields = {
    _id: row.id,
    svcMeetId: row.code,
    meetingUrl: joinLink(viewing.config.baseUrl, row.code, pin),
    addToSvcUrl: addLink(viewing.config.baseUrl, row.code, pin),
    pin,
    ...mapTexts((name) => row[name]),
    writtenBy: viewAuthors(row, viewing.caller),
    startTime: row.startsAt.toISOString(),
    endTime: row.endsAt.toISOString(),
    scheduledDuration: row.endsAt.getTime() - row.startsAt.getTime(),
    participants: invitedTo(row).map(viewPerson),
    cohosts: cohostsOf(row).map((person) => person.email),
    cohostDetails: cohostsOf(row).map(viewPerson),
    advancedOptions: row.options,
    isPinEnabled: true,
    repeatOptions: repeatOptionsView(row),
    reminderMinutes: row.reminderMinutes,
    status: row.cancelledAt === null ? ('active' as const) : ('cancelled' as const),
    recur: row.rule.repeat !== 'none',
    createdBy: row.host.id,
    modifiedBy: row.modifiedBy,
    userId: row.host.id,
    tenantId: row.host.tenantId,
    roomId: row.host.roomId,
    createdOn: row.createdAt.toISOString(),
    modifiedOn: row.modifiedAt.toISOString(),
    __v: row.version,
    notificationsSend: {
      invitationMail: row.invitationMailed,
      reminderMail: row.reminderMailed,
      cancellationMail: row.cancellationMailed,
    },
    ...unusedFields,
  }
  return { ...fields, ...(!rights.has('seePeople') && noPeople), ...(!rights.has('seeContent') && noContent) }
}

/** The view of a single meeting, with the links and secrets to enter. Host fields are empty for other callers. */
export function viewSingleMeeting(row: FoundMeeting, viewing: Viewing): SingleMeetingReply {
  const { pin, roomKey, hostPin } = decryptSecrets(viewing.encryption, row)
  const { rights } = viewing
  const seeHostFields = rights.has('seeHostFields')
  const view = meetingFields(row, viewing, pin)
  return {
    ...view,
    ...viewLinks(row),
    url: view.meetingUrl,
    extension: '',
    roomKey: seeHostFields ? roomKey : '',
    roomUrl: seeHostFields ? `${viewing.config.baseUrl}/j/${row.code}#key=${roomKey}` : '',
    vpin: seeHostFields ? hostPin : '',
    gatewayIp: viewing.config.gatewayIp,
    privateIp: viewing.config.privateIp,
    colour: colourOf(row),
    hostInfo: viewHost(row, rights),
    ...((seeHostFields || !rights.has('read')) && { responseCounts: countResponses(row.people) }),
  }
}

/** Count responses as the host sees them; `none` have not responded. */
export function countResponses(people: readonly { response: InvitationResponse | null }[]): ResponseCounts {
  const counts = { accepted: 0, tentative: 0, declined: 0, none: 0 }
  for (const { response } of people) counts[response ?? 'none']++
  return counts
}

/** A text is the caller's own only with proof: a text of an app may repeat what others wrote. */
function viewAuthors({ textAuthors }: MeetingRow, { accountId }: Caller): MeetingReply['writtenBy'] {
  const viewAuthor = (author: TextAuthor | undefined) =>
    author?.accountId === accountId && author.grantId === null ? 'you' : 'others'
  return mapTexts((name) => viewAuthor(textAuthors[name]))
}

/** The other parts of a series that was split. */
export const viewLinks = ({ continues, continuedBy }: FoundMeeting) => ({ continues, continuedBy })

export function viewListedMeeting(row: MeetingRow, viewing: Viewing): ListedMeetingReply {
  const { pin } = decryptSecrets(viewing.encryption, row)
  const { rights } = viewing
  const { baseUrl } = viewing.config
  const hostImage = imageMetaOf(row.host, baseUrl)
  const viewPerson = personViewFor(viewing)
  return {
    ...meetingFields(row, viewing, pin),
    participants: invitedTo(row).map((person) => ({
      ...viewPerson(person),
      ...viewImage(knownAccountOf(person, viewing), baseUrl),
    })),
    ...(!rights.has('seePeople') && noPeople),
    hostInfo: {
      ...viewHost(row, rights),
      _id: row.host.id,
      imageMeta: hostImage,
    },
    imageMeta: hostImage,
  }
}

/**
 * What an administrator sees in place of the content of a meeting that gives them no right: topic, times, options, host
 * and counts stay.
 */
const { topic: _, ...noTexts } = mapTexts(() => '')
const noContent = { svcMeetId: '', meetingUrl: '', addToSvcUrl: '', pin: '', ...noTexts }

/** The view for a caller who has added a meeting by its link and is not invited, and for an administrator. */
const noPeople = { participants: [], cohosts: [], cohostDetails: [] }

const invitedTo = (row: MeetingRow) => row.people.filter((person) => person.invited)
const cohostsOf = (row: MeetingRow) => row.people.filter((person) => person.cohost)

const viewImage = (account: ParticipantAccount | undefined, baseUrl: string) =>
  account === undefined ? {} : { imageMeta: imageMetaOf(account, baseUrl) }

/**
 * The account of a person, for callers of its organisation: for others, an address must not reveal that it has an
 * account.
 */
const knownAccountOf = ({ account }: PersonRow, { caller }: Pick<Viewing, 'caller'>): ParticipantAccount | undefined =>
  account !== null && account.tenantId === caller.tenantId ? account : undefined

/**
 * A response is visible to the host and the participant, the state of email delivery to the host only. A phone number
 * that is withheld is empty, so that clients read the same fields of everyone in their organisation.
 */
function personViewFor({ caller, config, rights }: Omit<Viewing, 'encryption'>) {
  const seeHostFields = rights.has('seeHostFields')
  const own = viewerOf(caller, config).addressKey
  return (row: PersonRow) => {
    const { email, addressKey, displayName, response, responseComment, askedAt, mailFailedAt, mailDelayedUntil } = row
    const account = knownAccountOf(row, { caller })
    const delivery = {
      ...(askedAt !== null && { askedOn: new Date(askedAt).toISOString() }),
      ...(mailFailedAt !== null && { mailFailedOn: new Date(mailFailedAt).toISOString() }),
      ...(mailDelayedUntil !== null && { mailDelayedUntil: new Date(mailDelayedUntil).toISOString() }),
    }
    const seesAnswer = response !== null && (seeHostFields || addressKey === own)
    const comment = seeHostFields && response !== null && responseComment !== null && { comment: responseComment }
    const named = displayName !== '' && { displayName }
    const person = { email, ...named, ...(seesAnswer && { response }), ...comment, ...(seeHostFields ? delivery : {}) }
    if (account === undefined) return person
    const { id, name, lname, phoneNo, photo } = account
    const seesPhone = seeHostFields || id === caller.accountId
    return { ...person, userId: id, name, lname, phoneNo: seesPhone ? phoneNo : '', ...viewPhotoUrl(photo) }
  }
}

/** People who came by a link alone do not see the host's address; an administrator knows it as that of the account. */
const viewHost = ({ host }: MeetingRow, rights: Viewing['rights']) => ({
  name: host.name,
  lname: host.lname,
  email: rights.has('seePeople') || !rights.has('read') ? host.email : '',
  phoneNo: rights.has('seeHostFields') ? host.phoneNo : '',
  ...viewPhotoUrl(host.photo),
})

type Dates = Pick<Occurrence, 'originalStart' | 'startsAt' | 'endsAt'>

const viewDates = ({ originalStart, startsAt, endsAt }: Dates) => ({
  startTime: startsAt.toISOString(),
  endTime: endsAt.toISOString(),
  originalStartTime: originalStart.toISOString(),
})

/** The dates of an occurrence, with what names it. */
export const viewNamedDates = (occurrence: Dates, status: OccurrenceStatus) => ({ ...viewDates(occurrence), status })

/**
 * A date that a change of its series restores or removes. The topic of a removed date is deleted with it, and no other
 * reply shows it afterwards.
 */
export function viewChangedDate(occurrence: Occurrence) {
  const { topic = null } = occurrence.change ?? {}
  return { ...viewDates(occurrence), ...(topic !== null && { topic }) }
}

export function viewOccurrence(
  occurrence: Occurrence,
  status: OccurrenceStatus,
  rights: Pick<RightsOfPerson, 'has'>,
): OccurrenceReply {
  const own = meetingTextNames.flatMap((name) => {
    const text = occurrence.change?.[name] ?? null
    return text !== null && (name === 'topic' || rights.has('seeContent')) ? [[name, text]] : []
  })
  return { ...viewNamedDates(occurrence, status), ...Object.fromEntries(own) }
}

const noDays = [0, 0, 0, 0, 0, 0, 0]
const noWeeks = [0, 0, 0, 0, 0]

/** All repeat options, with neutral values for those that the chosen `repeat` does not use. */
function repeatOptionsView({ rule, endsBy, timeZone, timeZoneIana }: MeetingRow): MeetingReply['repeatOptions'] {
  const day = rule.repeat === 'monthly' ? rule.on : undefined
  return {
    repeat: rule.repeat,
    interval: rule.repeat === 'none' ? null : rule.interval,
    daysOfWeek: [...(rule.repeat === 'weekly' ? rule.daysOfWeek : day?.kind === 'weeks' ? day.daysOfWeek : noDays)],
    dateInMonth: day?.kind === 'date' ? day.dateInMonth : 0,
    lastDayOfMonth: day?.kind === 'last-day',
    weeksInMonth: [...(day?.kind === 'weeks' ? day.weeksInMonth : noWeeks)],
    endDate: endsBy?.toISOString() ?? null,
    count: rule.count ?? null,
    repeatUntill: null,
    timeZone,
    timeZoneIana: currentTimeZoneName(timeZoneIana),
  }
}

/** The PIN is in the fragment, so that it never appears in logs of servers and proxies or in a Referer header. */
export const joinLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/j/${code}#pin=${pin}`

export const addLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/add/${code}#pin=${pin}`
