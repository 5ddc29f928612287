import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLetter } from './letter.ts'

test('one letter, as text and as HTML', () => {
  const { text, html } = writeLetter({
    to: 'bob@example.org',
    subject: 'Read & <reply>',
    paragraphs: ['First "this".', 'Then that.'],
    link: { label: 'Go <there>', address: 'https://parley.test/x#a=1&b=2' },
  })
  assert.equal(text, 'First "this".\n\nhttps://parley.test/x#a=1&b=2\n\nThen that.\n')
  assert.ok(html.includes('<title>Read &amp; &lt;reply&gt;</title>'))
  assert.ok(html.includes('<p>First &quot;this&quot;.</p>'))
  assert.ok(html.includes('<a href="https://parley.test/x#a=1&amp;b=2">Go &lt;there&gt;</a>'))
  assert.ok(html.indexOf('First') < html.indexOf('Go') && html.indexOf('Go') < html.indexOf('Then'))
})

test('without a link there are sentences only', () => {
  assert.equal(writeLetter({ to: 'b@e.org', subject: 's', paragraphs: ['One.', 'Two.'] }).text, 'One.\n\nTwo.\n')
})
