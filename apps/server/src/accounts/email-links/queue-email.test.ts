import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeEmail } from './queue-email.ts'

test('composes one email as text and as HTML, with the address below its button', () => {
  const { text, html } = composeEmail({
    language: 'en',
    to: 'bob@example.org',
    subject: 'Read & <reply>',
    paragraphs: ['First "this".', 'Then that.'],
    link: { label: 'Go <there>', address: 'https://parley.test/x#a=1&b=2' },
  })
  const written = 'Read & <reply>\n\nFirst "this".\n\nGo <there>: https://parley.test/x#a=1&b=2\n\nThen that.\n'
  assert.equal(text, written)
  assert.ok(html.includes('<title>Read &amp; &lt;reply&gt;</title>'))
  assert.ok(html.includes('>First &quot;this&quot;.</p>'))
  assert.match(html, /<a class="button" href="https:\/\/parley\.test\/x#a=1&amp;b=2"[^>]*>Go &lt;there&gt;<\/a>/)
  assert.ok(html.includes('<bdo dir="ltr">https://parley.test/x#a=1&amp;b=2</bdo>'))
  assert.ok(html.indexOf('First') < html.indexOf('Go') && html.indexOf('Go') < html.indexOf('Then'))
})

test('composes sentences only when there is no link', () => {
  assert.equal(
    composeEmail({ to: 'b@e.org', language: 'en', subject: 'S', paragraphs: ['One.', 'Two.'] }).text,
    'S\n\nOne.\n\nTwo.\n',
  )
})

test('composes an Arabic email from right to left', () => {
  const { html } = composeEmail({ to: 'b@e.org', language: 'ar', subject: 'س', paragraphs: ['مرحبًا'] })
  assert.match(html, /<html lang="ar" dir="rtl">/)
})
