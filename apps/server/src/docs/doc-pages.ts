/** The audiences of pages, in the order of the navigation. */
export const audiences = [
  { name: 'people', title: 'Use Parley' },
  { name: 'developers', title: 'Build an app' },
  { name: 'operators', title: 'Run Parley' },
] as const

export type DocPage = {
  /** The path below `/docs`, and the file name in docs/. */
  name: string
  audience: (typeof audiences)[number]['name']
  /** Short, for the navigation above every page. */
  label: string
  /** A description for the list of all pages. */
  about: string
  /** Its file from docs/, where it has another name there. */
  file?: string
  /** Whether it is generated from the contract's problems instead of a file. */
  isCatalogue?: true
  /** Whether it has programs that can show the values of an app. */
  hasPrograms?: true
}

/** The page at `/docs` itself. */
export const startPage: DocPage = {
  name: 'get-started',
  audience: 'people',
  label: 'Get started',
  about: 'Where to begin, by what you want to do.',
}

/** The other served pages of docs/. Decisions and the architecture are for people with the source code. */
export const docPages: readonly DocPage[] = [
  {
    name: 'assistants',
    audience: 'people',
    label: 'Assistants',
    about: 'Let Claude, ChatGPT, VS Code or a script of yours schedule meetings for you, and take it back.',
  },
  {
    name: 'oauth',
    audience: 'developers',
    label: 'OAuth 2.0',
    about: 'Write an app that acts for people who consent: register it, try it in the sandbox, go live.',
  },
  {
    name: 'quick-starts',
    audience: 'developers',
    label: 'Quick starts',
    about: 'Programs to copy, in curl, Node, Python, Go, PHP and Java, for servers, devices and pages.',
    hasPrograms: true,
  },
  {
    name: 'oauth-reference',
    audience: 'developers',
    label: 'OAuth reference',
    about: 'Endpoints, scopes, lifetimes, refreshing, errors and limits of OAuth.',
  },
  {
    name: 'meetings',
    audience: 'developers',
    label: 'Meetings',
    about: 'Schedule, change and cancel meetings, series and single dates; who is mailed; calendars.',
  },
  {
    name: 'rooms',
    audience: 'developers',
    label: 'Rooms',
    about: 'Enter a meeting, wait, and host it, by the API.',
  },
  {
    name: 'keep-a-copy',
    audience: 'developers',
    label: 'Keep a copy',
    about: 'Mirror the meetings of a person without missing a change.',
  },
  {
    name: 'events',
    audience: 'developers',
    label: 'Events',
    about:
      'Follow what happens to meetings, grants and apps: reading the log, every type of event, what each contains.',
  },
  {
    name: 'webhooks',
    audience: 'developers',
    label: 'Webhooks',
    about: 'Have events posted to your program: verify them, answer them, catch up. Receivers in Node, Python and Go.',
  },
  {
    name: 'api-conventions',
    audience: 'developers',
    label: 'API conventions',
    about: 'What all endpoints have in common: tokens, errors, retries, paging, streams.',
  },
  {
    name: 'client',
    audience: 'developers',
    label: 'Clients',
    about: 'Call the API from TypeScript with the typed client, or by hand with the Bruno collection.',
  },
  {
    name: 'problems',
    audience: 'developers',
    label: 'Problem codes',
    about: 'Each code of an error: what it means, and what to do.',
    isCatalogue: true,
  },
  {
    name: 'web-sdk',
    audience: 'developers',
    label: 'Web SDK',
    about: 'Bring meetings into a page of your own.',
  },
  {
    name: 'embedding',
    audience: 'developers',
    label: 'Embed meetings',
    about: 'Show a meeting of the service in a frame (iframe) of your page, and control it.',
  },
  {
    name: 'operations',
    audience: 'operators',
    label: 'Install',
    about: 'Install and configure: domain, certificate, calls, containers, systemd, Kubernetes.',
  },
  {
    name: 'maintenance',
    audience: 'operators',
    label: 'Maintain',
    about: 'Commands, backups, upgrades, health, metrics, logs, personal data.',
  },
  {
    name: 'move',
    audience: 'operators',
    label: 'Move to Parley',
    about: 'Take over meetings and people from Zoom, Google, Outlook, Apple and Cal.com.',
  },
  {
    name: 'email',
    audience: 'operators',
    label: 'Email',
    about: 'What is sent, and how answers from calendar programs come in.',
  },
  {
    name: 'scaling',
    audience: 'operators',
    label: 'Scale out',
    about: 'Sizing, your own PostgreSQL with failover, LiveKit on several machines, relays.',
  },
  {
    name: 'limits',
    audience: 'operators',
    label: 'Limits',
    about: 'Every limit of the service, with its value.',
  },
  {
    name: 'performance',
    audience: 'operators',
    label: 'Performance',
    about: 'What was measured, and how to repeat it on your machine.',
  },
  {
    name: 'reliability',
    audience: 'operators',
    label: 'Reliability',
    about: 'Which failures were tried, and what holds.',
  },
  {
    name: 'releases',
    audience: 'operators',
    label: 'Versions and support',
    about:
      'What stays from one version to the next, deprecation, support, and what a product needs that contains Parley.',
  },
  {
    name: 'changelog',
    audience: 'operators',
    label: 'Changes',
    about: 'What each version brings.',
    file: '../CHANGELOG.md',
  },
]
