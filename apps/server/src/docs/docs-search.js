// The search of the documentation, for the browser and for tests: it knows neither the page nor the network. Its types
// are in docs-search.d.ts, because the browser runs this file as it is.

/** Words of a question that say nothing about its subject. */
const ignoredWords = new Set(
  'a about after an and are as at be by can do does for from get has have how i if in into is it its me my of on or our so that the their them then there this to use was what when where which who why will with you your'.split(
    ' ',
  ),
)

/** The most results that a reader looks through. */
const maxResults = 10
const excerptLength = 160

/** Reduce a word to what "cancel", "cancels", "cancelled" and "cancelling" have in common. */
function stemOf(word) {
  const lower = word.toLowerCase()
  if (ignoredWords.has(lower)) return null
  if (!/^[a-z]{5,}$/.test(lower)) return lower
  return lower.replace(/(?:ings?|ed|es|s|e)$/, '').replace(/([^aeiou])\1$/, '$1')
}

export function createDocSearch(MiniSearch, sections) {
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['path'],
    processTerm: stemOf,
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
      // A guide answers a question; the reference, the limits and the changes are looked up by name.
      boostDocument: (_id, _term, stored) =>
        stored?.path.match(/^\/(?:reference|docs\/(?:limits|changelog))/) ? 0.4 : 1,
    },
  })
  index.addAll(sections)
  return (words) =>
    index
      .search(words)
      .slice(0, maxResults)
      .map(({ id, match }) => {
        const { path, page, heading, text } = sections[id]
        return { path, page, heading, excerpt: excerptOf(text, Object.keys(match)) }
      })
}

/** Take the part of a text around the first word that was found. */
function excerptOf(text, stems) {
  const at = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => stems.includes(stemOf(word) ?? ''))?.index ?? 0
  const start = Math.max(0, text.lastIndexOf('. ', at) + 1)
  const part = text.slice(at - start > excerptLength / 2 ? at - excerptLength / 2 : start).trimStart()
  return part.length > excerptLength ? `${part.slice(0, excerptLength).replace(/\s+\S*$/, '')} …` : part
}
