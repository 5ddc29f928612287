import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The code blocks of a page of docs/ under a heading of the second or third level, those of its subheadings included. */
export function docBlocks(page: string, heading: string, language: string): string[] {
  const parts = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8').split(/^(?=#{2,3} )/m)
  const start = parts.findIndex((part) => /^#{2,3} (.*)\n/.exec(part)?.[1] === heading)
  assert.ok(start >= 0, `docs/${page}.md has no section ${heading}`)
  const isEnd = parts[start]?.startsWith('### ') ? /^###? / : /^## /
  const end = parts.findIndex((part, at) => at > start && isEnd.test(part))
  const section = parts.slice(start, end < 0 ? parts.length : end).join('')
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, named, block = '']) =>
    named === language ? [block] : [],
  )
}
