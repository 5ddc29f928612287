import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './docs-document.ts'

test('escapes markup in a page, and allows no link to run a script', () => {
  const { body } = renderMarkdown(
    '# One\n\n<script>alert(1)</script> <b onclick="x">\n\n[a](javascript:alert(1)) [b](data:text/html,x) ![c](javascript:x)\n\n```js"><script>\n</code><script>\n```\n',
  )
  assert.doesNotMatch(body.markup, /<script|<b |href="(?:javascript|data):|src="javascript/)
  assert.match(body.markup, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
})

test('gives headings unique anchors like those of common viewers', () => {
  const { title, headings } = renderMarkdown(
    '# A `code` title\n\n## What went wrong?\n\n## What went wrong?\n\n### Über *alles*\n',
  )
  assert.equal(title, 'A code title')
  assert.deepEqual(
    headings.map(({ anchor }) => anchor),
    ['a-code-title', 'what-went-wrong', 'what-went-wrong-1', 'über-alles'],
  )
})

test('links between files become links between pages; wide content can be scrolled by keyboard', () => {
  const { body } = renderMarkdown(
    '# T\n\n[x](oauth.md#errors) [y](web-sdk.md) [z](https://example.org/a.md)\n\n| a |\n|---|\n| b |\n\n```sh\nls\n```\n',
  )
  assert.match(body.markup, /href="\/docs\/oauth#errors".*href="\/docs\/web-sdk".*href="https:\/\/example\.org\/a\.md"/)
  assert.match(body.markup, /<div [^>]*tabindex="0"[^>]*><table>/)
  assert.match(body.markup, /<pre tabindex="0"/)
})
