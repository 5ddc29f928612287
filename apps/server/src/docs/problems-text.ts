import { type Endpoint, endpoints, type ProblemCode, problems } from '@parley/contract'
import { problemAdvice } from '@parley/contract/problem-advice'

const codes = Object.keys(problems) as ProblemCode[]
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)

/** Write all problems as Markdown, grouped by status. */
export function problemsText(): string {
  const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)]
  const sections = byStatus.map(([status, some]) =>
    [`## ${status} ${statusNames[status] ?? ''}`.trimEnd(), ...some.map(entryText)].join('\n\n'),
  )
  return [`# Problem codes`, introduction, ...sections, ''].join('\n\n')
}

const introduction =
  'Every error of the API is `application/problem+json` (RFC 9457). Its `code` is stable: a program decides by it, and never ' +
  'by the sentences. Its `type` is the address of the page about the code. What all errors have in common is in the ' +
  '[API conventions](api-conventions.md#answers); those of the token address are [OAuth’s own](oauth.md#errors).'

const entryText = (code: ProblemCode) =>
  `### [${code}](/problems/${code})\n\n${problems[code].title} ${problemAdvice[code]}`

/** Write the page of one problem as Markdown. */
export function problemText(code: ProblemCode): string {
  const { status, title } = problems[code]
  const answering = endpoints.filter((endpoint) => endpoint.problems.includes(code)).map(addressOf)
  return [
    `# ${code}`,
    `**HTTP status ${status}${statusNames[status] === undefined ? '' : ` ${statusNames[status]}`}**`,
    '## What it means',
    title,
    '## What to do',
    problemAdvice[code],
    '## Who answers it',
    answering.length === 0 ? 'Any address of the service.' : answering.join('\n'),
    '`detail` in the answer says more about the case at hand, and `requestId` finds the request in the log of the service.',
    '[All problem codes](/docs/problems)',
    '',
  ].join('\n\n')
}

const addressOf = ({ method, path }: Endpoint) => `- \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``

/** RFC 9110, 15, and RFC 6585. */
const statusNames: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
