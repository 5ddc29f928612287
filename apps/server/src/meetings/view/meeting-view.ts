import { type ListedMeetingReply, type MeetingReply, type SingleMeetingReply, unusedFields } from '@parley/contract'
import type { Caller } from '../../access/caller.ts'
import { imageMetaOf } from '../../accounts/account/profile-view.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { AccountFacts, MeetingFacts, MeetingRow, PersonRow } from '../meeting-row.ts'
import type { FoundMeeting } from '../meeting-store.ts'
import { countResponses } from '../responses/occurrence-responses.ts'
import { decryptSecrets } from '../secrets/meeting-secrets.ts'
import { addLink, joinLink } from './meeting-links.ts'
import { rightsOf, viewerOf } from './meeting-viewer.ts'
import { repeatOptionsView } from './repeat-options-view.ts'

/** The input of a meeting's view besides the meeting itself. */
type Viewing = {
  caller: Caller
  encryption: Encryption
  config: Config
}

/** A meeting as create and update return it to this caller. */
export const viewMeeting = (
  row: MeetingFacts,
  pin: string,
  viewing: Pick<Viewing, 'caller' | 'config'>,
): MeetingReply => meetingFields(row, viewing, pin, seesHostFields(row, viewing))

function meetingFields(
  row: MeetingFacts,
  viewing: Pick<Viewing, 'caller' | 'config'>,
  pin: string,
  seeHostFields: boolean,
): MeetingReply {
  const viewPerson = personViewFor(viewing, seeHostFields)
  return {
    _id: row.id,
    svcMeetId: row.code,
    meetingUrl: joinLink(viewing.config.baseUrl, row.code, pin),
    addToSvcUrl: addLink(viewing.config.baseUrl, row.code, pin),
    pin,
    topic: row.topic,
    description: row.description,
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
    status: row.cancelledAt === null ? 'active' : 'cancelled',
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
}

/** The view of a single meeting, with the links and secrets to enter. Host fields are empty for other callers. */
export function viewSingleMeeting(row: FoundMeeting, viewing: Viewing): SingleMeetingReply {
  const { pin, roomKey, hostPin } = decryptSecrets(viewing.encryption, row)
  const { seeHostFields, seePeople } = rightsOf(row, viewing.caller)
  const view = meetingFields(row, viewing, pin, seeHostFields)
  return {
    ...view,
    ...viewLinks(row),
    ...(!seePeople && noPeople),
    url: view.meetingUrl,
    extension: '',
    roomKey: seeHostFields ? roomKey : '',
    roomUrl: seeHostFields ? `${viewing.config.baseUrl}/j/${row.code}#key=${roomKey}` : '',
    vpin: seeHostFields ? hostPin : '',
    gatewayIp: viewing.config.gatewayIp,
    privateIp: viewing.config.privateIp,
    hostInfo: { ...viewHost(row, seeHostFields), ...(!seePeople && { email: '' }) },
    ...(seeHostFields && { responseCounts: countResponses(row.people) }),
  }
}

/** The other parts of a series that was split. */
export const viewLinks = ({ continues, continuedBy }: FoundMeeting) => ({ continues, continuedBy })

export function viewListedMeeting(row: MeetingRow, viewing: Viewing): ListedMeetingReply {
  const { pin } = decryptSecrets(viewing.encryption, row)
  const { seeHostFields, seePeople } = rightsOf(row, viewing.caller)
  const hostImage = imageMetaOf(row.host)
  const viewPerson = personViewFor(viewing, seeHostFields)
  return {
    ...meetingFields(row, viewing, pin, seeHostFields),
    participants: invitedTo(row).map((person) => ({
      ...viewPerson(person),
      ...viewImage(knownAccountOf(person, viewing)),
    })),
    ...(!seePeople && noPeople),
    hostInfo: {
      ...viewHost(row, seeHostFields),
      ...(!seePeople && { email: '' }),
      _id: row.host.id,
      imageMeta: hostImage,
    },
    imageMeta: hostImage,
  }
}

/** The view for a caller who has added a meeting by its link and is not invited. */
const noPeople = { participants: [], cohosts: [], cohostDetails: [] }

const invitedTo = (row: MeetingFacts) => row.people.filter((person) => person.invited)
const cohostsOf = (row: MeetingFacts) => row.people.filter((person) => person.cohost)

const seesHostFields = (row: MeetingFacts, { caller }: Pick<Viewing, 'caller'>) => rightsOf(row, caller).seeHostFields

const viewImage = (account: AccountFacts | undefined) =>
  account === undefined ? {} : { imageMeta: imageMetaOf(account) }

/** The account of a person, for callers of its organisation: for others, an address must not tell that it has one. */
const knownAccountOf = ({ account }: PersonRow, { caller }: Pick<Viewing, 'caller'>): AccountFacts | undefined =>
  account !== null && account.tenantId === caller.tenantId ? account : undefined

/**
 * A response is visible to the host and the participant, the state of email delivery to the host only. A phone number
 * that is withheld is empty, so that clients read the same fields of everyone in their organisation.
 */
function personViewFor({ caller, config }: Pick<Viewing, 'caller' | 'config'>, seeHostFields: boolean) {
  const own = viewerOf(caller, config).addressKey
  return (row: PersonRow) => {
    const { email, addressKey, response, responseComment, mailFailedAt, mailDelayedUntil } = row
    const account = knownAccountOf(row, { caller })
    const delivery = {
      ...(mailFailedAt !== null && { mailFailedOn: new Date(mailFailedAt).toISOString() }),
      ...(mailDelayedUntil !== null && { mailDelayedUntil: new Date(mailDelayedUntil).toISOString() }),
    }
    const seesAnswer = response !== null && (seeHostFields || addressKey === own)
    const comment = seeHostFields && response !== null && responseComment !== null && { comment: responseComment }
    const person = { email, ...(seesAnswer && { response }), ...comment, ...(seeHostFields ? delivery : {}) }
    if (account === undefined) return person
    const { id, name, lname, phoneNo } = account
    const seesPhone = seeHostFields || id === caller.accountId
    return { ...person, userId: id, name, lname, phoneNo: seesPhone ? phoneNo : '' }
  }
}

const viewHost = ({ host }: MeetingRow, seePhone: boolean) => ({
  name: host.name,
  lname: host.lname,
  email: host.email,
  phoneNo: seePhone ? host.phoneNo : '',
})
