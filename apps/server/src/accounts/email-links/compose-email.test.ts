import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeEmail } from './compose-email.ts'

test('one mail, as text and as HTML: the address stands below its button, too', () => {
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

test('without a link there are sentences only', () => {
  assert.equal(
    composeEmail({ to: 'b@e.org', language: 'en', subject: 'S', paragraphs: ['One.', 'Two.'] }).text,
    'S\n\nOne.\n\nTwo.\n',
  )
})

test('a mail in Arabic is written from the right', () => {
  const { html } = composeEmail({ to: 'b@e.org', language: 'ar', subject: 'س', paragraphs: ['مرحبًا'] })
  assert.match(html, /<html lang="ar" dir="rtl">/)
})
