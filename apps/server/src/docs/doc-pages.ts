/** Who a page is written for; the pages are listed in this order. */
export const audiences = ['people', 'developers', 'operators'] as const
export type Audience = (typeof audiences)[number]

export type DocPage = {
  /** Its address below `/docs`, and the name of its file in docs/. */
  name: string
  audience: Audience
  /** As short as the row of links above every page needs it. */
  label: string
  /** What one finds there, in the list of all pages. */
  about: string
  /** Its examples call the service: they show the address at which this one is reached. */
  showsOwnAddress?: true
  /** It is made of the contract's catalogue of problems, and has no file. */
  isCatalogue?: true
}

/** What is served of docs/, and nothing else is. Decisions and the architecture are for those who have the source. */
export const docPages: readonly DocPage[] = [
  {
    name: 'oauth',
    audience: 'developers',
    label: 'OAuth 2.0',
    about: 'Write an app that schedules and reads meetings for people: register it, try it, go live. Programs to copy.',
    showsOwnAddress: true,
  },
  {
    name: 'api-conventions',
    audience: 'developers',
    label: 'API conventions',
    about: 'What all endpoints have in common: tokens, errors, versions, retries, paging, time zones.',
    showsOwnAddress: true,
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
    showsOwnAddress: true,
  },
  {
    name: 'operations',
    audience: 'operators',
    label: 'Operations',
    about: 'Install, configure, back up, scale out, and the commands for all of it.',
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
]

/** Where the examples of docs/ say that Parley is served. */
export const exampleAddress = 'http://localhost:3000'
