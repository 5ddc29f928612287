import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Html, html } from './html.ts'

const cases: readonly (readonly [string, Html, string])[] = [
  ['nothing to put in', html`<p>a & b</p>`, '<p>a & b</p>'],
  ['text', html`<p>${'<script>alert(1)</script>'}</p>`, '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['an attribute', html`<a title="${'" onclick="x'}">`, '<a title="&quot; onclick=&quot;x">'],
  ['an attribute in single quotes', html`<a title='${"' onclick='x"}'>`, "<a title='&#39; onclick=&#39;x'>"],
  ['a reference', html`${'&lt;'}`, '&amp;lt;'],
  ['a number', html`${0}`, '0'],
  ['markup', html`<p>${html`<b>${'<'}</b>`}</p>`, '<p><b>&lt;</b></p>'],
  ['a list', html`${[html`<i></i>`, '<', [1, 2]]}`, '<i></i>&lt;12'],
  ['nothing', html`<p>${undefined}${''}${[]}</p>`, '<p></p>'],
  ['a replacement pattern', html`<p>${'$& $1'}</p>`, '<p>$&amp; $1</p>'],
]
for (const [name, made, markup] of cases) {
  test(`html with ${name}`, () => assert.equal(made.markup, markup))
}
