import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitLinks } from './text-links.ts'

/** The links of a text. */
const rows: [string, string[]][] = [
  ['Nothing to open', []],
  ['https://example.org', ['https://example.org']],
  ['See https://example.org/a?b=c#d.', ['https://example.org/a?b=c#d']],
  ['(https://example.org/a)', ['https://example.org/a']],
  ['https://en.wikipedia.org/wiki/Room_(disambiguation)', ['https://en.wikipedia.org/wiki/Room_(disambiguation)']],
  ['http://a.example, https://b.example!', ['http://a.example', 'https://b.example']],
  ['HTTPS://EXAMPLE.ORG', ['HTTPS://EXAMPLE.ORG']],
  ['"https://example.org"', ['https://example.org']],
  ['<https://example.org>', ['https://example.org']],
  ['line\nhttps://example.org\nline', ['https://example.org']],
  ['هنا https://example.org، شكرا', ['https://example.org']],
  ['javascript:alert(1)', []],
  ['JavaScript://https.example/%0aalert(1)', []],
  ['data:text/html,<script>alert(1)</script>', []],
  ['file:///etc/passwd ftp://example.org tel:123', []],
  ['xhttps://example.org', []],
  ['Ask mailto:bob@example.org.', ['mailto:bob@example.org']],
  ['mailto:bob@example.org?bcc=eve@example.org', []],
  ['mailto:bob@example.org,eve@example.org', []],
  ['mailto:bob@example.org%2Ceve@example.org', []],
  ['mailto:', []],
  ['https://', []],
  ['https://[broken', []],
]

for (const [message, links] of rows) {
  test(JSON.stringify(message), () => {
    const parts = splitLinks(message)
    assert.equal(parts.map(({ text }) => text).join(''), message, 'nothing is lost')
    assert.deepEqual(
      parts.filter(({ href }) => href !== undefined).map(({ text }) => text),
      links,
    )
    for (const { href = 'https:' } of parts) assert.match(href, /^(https?|mailto):/)
  })
}

test('opens a link at the address that the browser parses, even if its text can be read differently', () => {
  const [link] = splitLinks('https://example.org\\@evil.example/')
  assert.equal(link?.href, 'https://example.org/@evil.example/')
})

test('removes any number of brackets and full stops at the end', () => {
  const [link] = splitLinks(`https://example.org${').'.repeat(20_000)}`)
  assert.equal(link?.text, 'https://example.org')
})
