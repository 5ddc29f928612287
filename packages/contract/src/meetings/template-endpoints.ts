import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { maxDurationMinutes } from '../profile-endpoints.ts'
import { noContent, nullableInteger, plainText, timestamp } from '../value.ts'
import { mapTexts, meetingTexts } from './meeting-fields.ts'
import { advancedOptionsReply, meetingRequest } from './meeting-request.ts'

/** Enough for each kind of meeting that a person holds; more are not found in a menu. */
export const maxMeetingTemplates = 50

export const maxTemplateNameLength = 100

const { startTime: _start, endTime: _end, isPinEnabled: _pin, repeatOptions, ...untimed } = meetingRequest.properties
const { endDate: _endDate, timeZone: _zone, ...rule } = repeatOptions.properties

const name = plainText(maxTemplateNameLength, 'What the person calls it: 1 to 100 characters')

/** A meeting without its times: the fields of `createMeeting`. */
const content = {
  ...untimed,
  durationMinutes: Type.Integer({
    minimum: 1,
    maximum: maxDurationMinutes,
    description: 'Length of the meeting: 1 to 1,440 minutes',
  }),
  repeatOptions: Type.Object(rule, { description: 'The rule without its dates' }),
}

const createdTemplate = Type.Object({ name, ...content })
export type MeetingTemplateRequest = Static<typeof createdTemplate>

const listed = {
  _id: Type.String({ description: 'Id of the template' }),
  name: Type.String({ description: 'What the person calls it' }),
  createdOn: timestamp({ description: 'When it was saved' }),
  modifiedOn: timestamp({ description: 'When it was last changed' }),
}

const template = Type.Object({
  ...listed,
  ...mapTexts((text) => Type.String({ description: meetingTexts[text].shown })),
  durationMinutes: Type.Integer({ description: 'Length of the meeting in minutes' }),
  participants: Type.Array(Type.String(), {
    description: 'Email addresses, each with its name where there is one: `Bob Baker <bob@example.org>`',
  }),
  cohosts: Type.Array(Type.String(), { description: 'Email addresses of the cohosts' }),
  advancedOptions: advancedOptionsReply,
  repeatOptions: Type.Object({ ...rule }, { description: 'The rule without its dates, as it was sent' }),
  reminderMinutes: nullableInteger({ description: 'As it was sent; null: as the service is configured' }),
})
type MeetingTemplate = Static<typeof template>

/** What a template consists of besides its name. */
export type MeetingTemplateContent = Omit<MeetingTemplate, keyof typeof listed>

const templatePath = Type.Object({ templateId: Type.String({ description: '`_id` of the template' }) })

export const listMeetingTemplates = endpoint({
  name: 'listMeetingTemplates',
  method: 'GET',
  path: '/api/meeting/templates',
  tag: 'Meetings',
  summary: 'List your templates of meetings',
  access: 'session',
  cost: 'light',
  reply: Type.Object({
    templates: Type.Array(Type.Object(listed), { description: `By name; at most ${maxMeetingTemplates}` }),
  }),
  problems: [],
})

export const readMeetingTemplate = endpoint({
  name: 'readMeetingTemplate',
  method: 'GET',
  path: '/api/meeting/templates/:templateId',
  tag: 'Meetings',
  summary: 'Read a template',
  access: 'session',
  cost: 'query',
  params: templatePath,
  reply: template,
  problems: ['template_not_found'],
})

export const createMeetingTemplate = endpoint({
  name: 'createMeetingTemplate',
  method: 'POST',
  path: '/api/meeting/templates',
  tag: 'Meetings',
  summary: 'Save a template of meetings',
  description:
    'A template has what a meeting consists of without its times, to begin new meetings with. Its fields are those of ' +
    '`createMeeting`, with the same rules. No one is invited by it.',
  access: 'session',
  cost: 'query',
  body: createdTemplate,
  example: {
    name: 'Weekly review',
    topic: 'Review',
    description: '',
    durationMinutes: 30,
    participants: [],
    advancedOptions: {},
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  },
  reply: template,
  problems: ['too_many_templates', 'templates_too_large'],
})

export const changeMeetingTemplate = endpoint({
  name: 'changeMeetingTemplate',
  method: 'PATCH',
  path: '/api/meeting/templates/:templateId',
  tag: 'Meetings',
  summary: 'Rename or change a template',
  description: 'Fields that are absent stay. Meetings that were begun with it stay as they are.',
  access: 'session',
  cost: 'query',
  params: templatePath,
  body: Type.Partial(createdTemplate),
  example: { name: 'Weekly review' },
  reply: template,
  problems: ['template_not_found', 'templates_too_large'],
})

export const deleteMeetingTemplate = endpoint({
  name: 'deleteMeetingTemplate',
  method: 'DELETE',
  path: '/api/meeting/templates/:templateId',
  tag: 'Meetings',
  summary: 'Delete a template',
  description: 'Meetings that were begun with it stay as they are.',
  access: 'session',
  cost: 'light',
  params: templatePath,
  reply: noContent,
  replyStatuses: [204],
  problems: ['template_not_found'],
})
