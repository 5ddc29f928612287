import { type DocPage, docPages } from './doc-pages.ts'

/**
 * The list of all pages for programs that read text (https://llmstxt.org): each as Markdown, with its whole address. A
 * program with little room may leave out what is under “Optional”.
 */
export function llmsText(baseUrl: string): string {
  const { operators = [], others = [] } = Object.groupBy(docPages, ({ audience }) =>
    audience === 'operators' ? audience : 'others',
  )
  const entryOf = ({ name, label, about }: DocPage) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`
  return [
    '# Parley',
    `> A service for meetings at ${baseUrl}, with an API, OAuth 2.0 for apps, and tools for assistants at ${baseUrl}/mcp.`,
    [
      '## Documentation',
      ...others.map(entryOf),
      `- [API reference](${baseUrl}/openapi.json): Every endpoint, as OpenAPI 3.1.`,
    ].join('\n'),
    ['## Optional', ...operators.map(entryOf)].join('\n'),
    '',
  ].join('\n\n')
}
