import {
  changeMeetingTemplate,
  createMeetingTemplate,
  deleteMeetingTemplate,
  listMeetingTemplates,
  type MeetingTemplateContent,
  type MeetingTemplateRequest,
  type ReplyOf,
  readMeetingTemplate,
} from '@parley/contract'
import { mapTexts } from '@parley/contract/meeting-fields'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { type ChangeHandlers, useChange } from '../../session/use-change.ts'
import { type MeetingDraft, minuteMs, toMeetingRequest } from '../schedule/meeting-draft.ts'
import { repeatOf } from '../schedule/repeat-draft.ts'

/** The person's templates: what new meetings begin with. */

const keys = { all: ['meeting-templates'], one: (id: string) => ['meeting-templates', id] }

export type ListedTemplate = ReplyOf<typeof listMeetingTemplates>['templates'][number]

export const templatesQuery = queryOptions({
  queryKey: keys.all,
  queryFn: async () => (await client.call(listMeetingTemplates)).templates,
})

export const templateQuery = (templateId: string) =>
  queryOptions({
    queryKey: keys.one(templateId),
    queryFn: () => client.call(readMeetingTemplate, { params: { templateId } }),
  })

type Saved = ReplyOf<typeof createMeetingTemplate>

export const useSaveTemplate = (handlers: ChangeHandlers<Saved, MeetingTemplateRequest>) =>
  useChange({ mutationFn: (body) => client.call(createMeetingTemplate, { body }), refreshes: keys.all }, handlers)

type Renaming = { templateId: string; name: string }

export const useRenameTemplate = (handlers: ChangeHandlers<Saved, Renaming>) =>
  useChange(
    {
      mutationFn: ({ templateId, name }) =>
        client.call(changeMeetingTemplate, { params: { templateId }, body: { name } }),
      refreshes: keys.all,
      afterRefusal: true,
    },
    handlers,
  )

export const useDeleteTemplate = (handlers: ChangeHandlers<void, { templateId: string }>) =>
  useChange(
    {
      mutationFn: ({ templateId }) => client.call(deleteMeetingTemplate, { params: { templateId } }),
      refreshes: keys.all,
      afterRefusal: true,
    },
    handlers,
  )

/** Make a template of a draft: everything but its date, and the end of its series on a date. */
export function templateOf(draft: MeetingDraft, name: string): MeetingTemplateRequest {
  const zone = 'UTC'
  const {
    topic,
    description,
    location,
    participants,
    cohosts = [],
    advancedOptions,
    ...request
  } = toMeetingRequest({ ...draft, timeZone: zone }, zone)
  const { endDate: _end, timeZone: _zone, ...repeatOptions } = request.repeatOptions
  return {
    name,
    topic: topic.trim() === '' ? name : topic,
    description,
    ...(location !== undefined && { location }),
    durationMinutes: Math.round(draft.durationMs / minuteMs),
    participants,
    cohosts,
    advancedOptions,
    repeatOptions,
    reminderMinutes: draft.reminderMinutes,
  }
}

/** Begin a draft with a template, at the date and in the zone that it has. */
export function draftFromTemplate(draft: MeetingDraft, template: MeetingTemplateContent): MeetingDraft {
  const { interval = null, daysOfWeek = [], weeksInMonth = [], count = null, ...rule } = template.repeatOptions
  const { dateInMonth, lastDayOfMonth = false, repeat } = rule
  const options = {
    repeat,
    interval,
    daysOfWeek: daysOfWeek.map(Number),
    weeksInMonth: weeksInMonth.map(Number),
    dateInMonth: dateInMonth ?? 0,
    lastDayOfMonth,
    endDate: null,
    count,
    repeatUntill: null,
    timeZone: draft.timeZone,
    timeZoneIana: 'UTC',
  }
  return {
    ...draft,
    ...mapTexts((name) => template[name]),
    durationMs: template.durationMinutes * minuteMs,
    participants: template.participants,
    cohosts: template.cohosts,
    options: template.advancedOptions,
    repeat: repeatOf(options, draft.date),
    reminderMinutes: template.reminderMinutes,
  }
}
