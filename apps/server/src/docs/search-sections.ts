import { endpoints } from '@parley/contract'
import { type DocPage, startPage } from './doc-pages.ts'
import { readSections } from './docs-document.ts'
import type { Section } from './docs-search.d.ts'

/** Divide all pages at their headings, for the search; each endpoint of the reference is a section, too. */
export function searchSections(texts: ReadonlyMap<DocPage, string>): Section[] {
  const ofPages = [...texts].flatMap(([{ name, label }, text]) =>
    readSections(text).map(({ anchor, isTitle, heading, text: words }) => ({
      path: `/docs${name === startPage.name ? '' : `/${name}`}${isTitle ? '' : `#${anchor}`}`,
      page: label,
      heading,
      text: words,
    })),
  )
  const ofReference = endpoints.map(({ method, path, tag, summary, description }) => {
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    return {
      // As Scalar names its operations.
      path: `/reference#tag/${tag.toLowerCase()}/${method}${address}`,
      page: 'API reference',
      heading: `${summary}: ${method} ${address}`,
      text: (description ?? '').replaceAll('`', ''),
    }
  })
  return [...ofPages, ...ofReference].map((section, id) => ({ id, ...section }))
}
