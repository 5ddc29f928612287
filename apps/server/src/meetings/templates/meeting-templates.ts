import {
  changeMeetingTemplate,
  createMeetingTemplate,
  deleteMeetingTemplate,
  listMeetingTemplates,
  type MeetingTemplateContent,
  type MeetingTemplateRequest,
  maxTemplateNameLength,
  readMeetingTemplate,
} from '@parley/contract'
import { mapTexts } from '@parley/contract/meeting-fields'
import { keepNames, readParticipants } from '@parley/rules/meetings/participants'
import { readMeetingRequest } from '@parley/rules/meetings/read-meeting-request'
import { writeMailbox } from '@parley/rules/text/mailbox'
import { combine, mapParsed, type Parsed, readRequired } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { inTransaction } from '../../platform/database/database.ts'
import { invalidRequest, problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { completeOptions } from '../requested-meeting.ts'
import {
  deleteTemplate,
  findTemplate,
  findTemplateBytes,
  insertTemplate,
  listTemplates,
  lockTemplate,
  lockTemplates,
  updateTemplate,
} from './meeting-template-store.ts'

/** Register the endpoints of a person's templates of meetings. */
export function registerMeetingTemplates(dependencies: Dependencies): void {
  serveLists(dependencies)
  serveChanges(dependencies)
}

/**
 * Bytes of all templates of an account, which count towards no quota of meetings: 40 KB for each of fifty. A thousand
 * guests take 0.3 MB.
 */
const maxTemplateBytes = 2_000_000

function serveLists({ serve }: Dependencies) {
  serve(listMeetingTemplates, {
    handle: async ({ caller, database }) => ({
      templates: (await listTemplates(database, caller.accountId)).map(viewListed),
    }),
  })
  serve(readMeetingTemplate, {
    handle: async ({ caller, params, database }) => {
      const found = await findTemplate(database, caller.accountId, params.templateId)
      if (found === undefined) throw problem('template_not_found')
      return viewTemplate(found)
    },
  })
}

function serveChanges({ serve, clock, random }: Dependencies) {
  serve(createMeetingTemplate, {
    read: ({ body, caller }) => readTemplate(body, caller.addressKey),
    handle: ({ caller, input, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const { accountId } = caller
        await lockTemplates(tx, accountId)
        const inserted = await insertTemplate(tx, { id: random.uuid(now), accountId, ...input, now })
        if (inserted === undefined) throw problem('too_many_templates')
        if ((await findTemplateBytes(tx, accountId)) > maxTemplateBytes) throw problem('templates_too_large')
        return viewTemplate(inserted)
      }),
  })
  serve(changeMeetingTemplate, {
    // Fields that are absent are valid.
    read: ({ body, caller }) => readTemplate({ ...sampleTemplate, ...body }, caller.addressKey),
    handle: ({ caller, params, body, database }) =>
      inTransaction(database, async (tx) => {
        const { accountId, addressKey } = caller
        await lockTemplates(tx, accountId)
        const bytesBefore = await findTemplateBytes(tx, accountId)
        const stored = await lockTemplate(tx, accountId, params.templateId)
        if (stored === undefined) throw problem('template_not_found')
        const parsed = readTemplate({ ...requestOf(stored), ...body }, addressKey, stored.content.participants)
        if (parsed.violations !== undefined) throw invalidRequest(parsed.violations)
        const changed = { id: stored.id, accountId, ...parsed.value, now: clock.now() }
        const template = await updateTemplate(tx, changed)
        if (template === undefined) throw problem('template_not_found')
        const bytes = await findTemplateBytes(tx, accountId)
        if (bytes > maxTemplateBytes && bytes > bytesBefore) throw problem('templates_too_large')
        return viewTemplate(template)
      }),
  })
  serve(deleteMeetingTemplate, {
    handle: async ({ caller, params, database }) => {
      if (!(await deleteTemplate(database, caller.accountId, params.templateId))) throw problem('template_not_found')
    },
  })
}

/** Any start will do: a template has no times, and its rule is checked from here on. */
const sampleStart = '2030-01-07T09:00:00.000Z'
const minuteMs = 60_000

const sampleTemplate: MeetingTemplateRequest = {
  name: 'Sample',
  topic: 'Sample',
  description: '',
  durationMinutes: 30,
  participants: [],
  advancedOptions: {},
  repeatOptions: { repeat: 'none' },
}

/**
 * Read a template as the request of a meeting at another time, so that both have the same rules. As in a meeting, an
 * address without a name keeps the name that it has in `stored`.
 */
function readTemplate(
  body: Partial<MeetingTemplateRequest>,
  hostAddressKey: string,
  stored: readonly string[] = [],
): Parsed<{ name: string; content: MeetingTemplateContent }> {
  const { name, durationMinutes, repeatOptions, advancedOptions, ...sent } = body
  const meeting = {
    ...sent,
    startTime: sampleStart,
    ...(durationMinutes !== undefined && {
      endTime: new Date(Date.parse(sampleStart) + durationMinutes * minuteMs).toISOString(),
    }),
    ...(repeatOptions !== undefined && { repeatOptions: { ...repeatOptions, endDate: null, timeZone: 'UTC' } }),
  }
  const named = readParticipants({ participants: stored }, hostAddressKey).value ?? []
  const parsed = combine({
    name: readRequired(name, (text) =>
      readPlainText('/name', text, { minLength: 1, maxLength: maxTemplateNameLength }),
    ),
    schedule: readMeetingRequest(meeting, { hostAddressKey, profileTimeZone: '', timeZoneAliases: new Map() }),
    // The schema has refused a request without them.
    durationMinutes: readRequired(durationMinutes, (minutes) => ({ value: minutes })),
    repeatOptions: readRequired(repeatOptions, (rule) => ({ value: rule })),
  })
  return mapParsed(parsed, ({ name, schedule, durationMinutes, repeatOptions }) => ({
    name: name.trim(),
    content: {
      ...mapTexts((text) => schedule[text]),
      durationMinutes,
      participants: keepNames(schedule.participants, named)
        .filter((person) => person.invited)
        .map(({ email, displayName = '' }) => writeMailbox({ address: email, name: displayName })),
      cohosts: schedule.participants.filter((person) => person.cohost).map((person) => person.email),
      advancedOptions: completeOptions(advancedOptions ?? {}),
      repeatOptions,
      reminderMinutes: schedule.reminderMinutes,
    },
  }))
}

type StoredTemplate = NonNullable<Awaited<ReturnType<typeof findTemplate>>>

const requestOf = ({ name, content }: StoredTemplate): MeetingTemplateRequest => ({ name, ...content })

const viewListed = ({ id, name, createdAt, modifiedAt }: Omit<StoredTemplate, 'content'>) => ({
  _id: id,
  name,
  createdOn: createdAt.toISOString(),
  modifiedOn: modifiedAt.toISOString(),
})

const viewTemplate = ({ content, ...template }: StoredTemplate) => ({ ...viewListed(template), ...content })
