import { docPages } from './doc-pages.ts'

/**
 * Where programs that read text begin (https://llmstxt.org): ten lines, without what operators read. Each page is linked
 * as Markdown, with its whole address.
 */
export function llmsText(baseUrl: string): string {
  const pages = docPages.filter(({ audience }) => audience !== 'operators')
  return [
    '# Parley',
    `> A service for meetings at ${baseUrl}, with an API ([OpenAPI 3.1](${baseUrl}/openapi.json)), OAuth 2.0 for apps, and tools for assistants at ${baseUrl}/mcp.`,
    ...pages.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`),
    '',
  ].join('\n')
}
