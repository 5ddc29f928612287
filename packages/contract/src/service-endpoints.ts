import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { optionalLook } from './organisation-endpoints.ts'
import { choice, nullableText } from './value.ts'

const status = Type.Object({ status: Type.String({ description: '`ok`, or `ready`', examples: ['ok'] }) })

export const readHealth = endpoint({
  name: 'readHealth',
  method: 'GET',
  path: '/healthz',
  tag: 'Service',
  summary: 'Is the process alive?',
  access: 'anyone',
  cost: 'none',
  reply: status,
  problems: [],
})

export const readReadiness = endpoint({
  name: 'readReadiness',
  method: 'GET',
  path: '/readyz',
  tag: 'Service',
  summary: 'Should this instance get requests: started, and not shutting down?',
  description: 'For proxies. The database, which all instances share, is not queried: see `/healthz/database`.',
  access: 'anyone',
  cost: 'none',
  reply: status,
  problems: ['unavailable'],
})

export const readDatabaseHealth = endpoint({
  name: 'readDatabaseHealth',
  method: 'GET',
  path: '/healthz/database',
  tag: 'Service',
  summary: 'Does the database answer and take writes?',
  description: 'For people and alarms, not for proxies: all instances would leave them at once.',
  access: 'anyone',
  cost: 'light',
  reply: status,
  problems: ['unavailable'],
})

export const readVersion = endpoint({
  name: 'readVersion',
  method: 'GET',
  path: '/version',
  tag: 'Service',
  summary: 'Which version runs?',
  access: 'anyone',
  cost: 'none',
  reply: Type.Object({
    version: Type.String({ description: 'Version of Parley', examples: ['1.0.0-rc.1'] }),
    node: Type.String({ description: 'Version of Node.js that runs it', examples: ['26.10.0'] }),
  }),
  problems: [],
})

export const readService = endpoint({
  name: 'readService',
  method: 'GET',
  path: '/api/service',
  tag: 'Service',
  summary: 'What a visitor may know: is the service new, who may sign up, and with what one signs in?',
  access: 'anyone',
  cost: 'light',
  reply: Type.Object({
    firstRun: Type.Boolean({ description: 'There is no account yet; the first is the administrator' }),
    setUpCodeRequired: Type.Boolean({
      description: 'The first account needs the set-up code; false once there is one',
    }),
    signUp: choice(['open', 'invite', 'closed'], {
      description: 'Who may make an account: anyone, people with an invitation, or no one',
    }),
    providerName: nullableText({
      description: "What the organisation's own provider is called, to sign in with it; null where there is none",
    }),
    reminderMinutes: Type.Integer({
      description: 'How many minutes before each date a reminder is mailed where a meeting says nothing else; 0: none',
    }),
    mailIsSent: Type.Boolean({
      description:
        'Whether email leaves the service; false where no mail server is set up, and no email reaches anyone',
    }),
    linksAreLocal: Type.Boolean({
      description: 'Links lead to `localhost`, so they open on the machine of the service alone',
    }),
    supportContact: nullableText({
      description:
        'Where the people who use the service ask for help: `mailto:…`, `tel:…` or the address of a page; null where the ' +
        'operator has set none',
    }),
    organisation: optionalLook(
      'Name, logos and colours of the organisation that runs the service; null where it has set none',
    ),
  }),
  problems: [],
})

export const listTimeZones = endpoint({
  name: 'listTimeZones',
  method: 'GET',
  path: '/api/time-zones',
  tag: 'Service',
  summary: 'List the short zone codes',
  description: 'IANA names and offsets such as `+05:30` are taken as well.',
  access: 'anyone',
  cost: 'none',
  reply: Type.Object({
    timeZones: Type.Array(
      Type.Object({
        code: Type.String({ description: 'The code to send as `timeZone`', examples: ['IST'] }),
        timeZone: Type.String({ description: 'The IANA name that it stands for', examples: ['Asia/Kolkata'] }),
        settledAgainst: Type.String({ description: 'What else the code can mean, and does not here' }),
      }),
      { description: 'All short codes' },
    ),
  }),
  problems: [],
})

export const readProblem = endpoint({
  name: 'readProblem',
  method: 'GET',
  path: '/problems/:code',
  tag: 'Service',
  summary: 'What a problem code means: where the `type` of a problem leads',
  access: 'anyone',
  cost: 'none',
  params: Type.Object({ code: Type.String({ description: 'The `code` of a problem', examples: ['wrong_pin'] }) }),
  page: true,
  reply: Type.Object({
    code: Type.String({ description: 'The code', examples: ['wrong_pin'] }),
    status: Type.Integer({ description: 'The status of responses with this code', examples: [403] }),
    title: Type.String({ description: 'What the code means, as an English sentence' }),
  }),
  problems: ['not_found'],
})
