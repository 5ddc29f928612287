import { type Scope, scopes as scopeSentences } from '@parley/contract'
import { isPlainHttp } from '@parley/rules/app-url'
import type { Client, ClientRevision } from '../apps/client-store.ts'
import type { Page } from '../pages/page.ts'
import { type Html, html } from '../platform/html.ts'
import type { AppFacts } from './app-facts.ts'
import type { Visitor } from './visitor.ts'

export type ConsentForm = {
  requestId: string
  csrf: string
  visitor: Visitor
  client: Client
  facts: AppFacts
  redirectUri: string
  /** What the person has consented to before. */
  known: readonly Scope[]
  added: readonly Scope[]
}

/** What an app asks for, in the sentences of GET /api/oauth2/scopes, with both answers side by side (oauth.md 3.8, 6.4). */
export function consentPage(form: ConsentForm): Page {
  const { requestId, csrf, visitor, client, facts, redirectUri } = form
  const { revision, sandbox } = client
  const { account } = visitor
  const name = html`<bdi>${revision.name}</bdi>`
  return {
    status: 200,
    title: `Allow ${revision.name}?`,
    forms: true,
    main: html`${sandbox ? sandboxBanner : undefined}${isPlainHttp(redirectUri) ? httpBanner : undefined}<div class="app">
${facts.hasLogo ? logo(client) : html`<span class="initials" aria-hidden="true">${initialsOf(revision.name)}</span>`}
<p><strong>${name}</strong><span class="muted">by <bdi>${facts.owner.name}</bdi></span>${organisationOf(facts)}</p>
</div>
<h1>Allow ${name} to use your account?</h1>
<div class="account">
<p>You are signed in as <strong><bdi>${`${account.name} ${account.lname}`.trim()}</bdi></strong> (<bdi>${account.email}</bdi>).</p>
<a href="/oauth2/account?request=${requestId}">Not you? Switch account</a>
</div>
${wishes(form)}
<dl class="facts">
<dt>Home page</dt><dd>${link(revision.homepageUrl, hostOf(revision.homepageUrl))}</dd>
<dt>Privacy</dt><dd>${link(revision.policyUrl, 'Policy of this app')}</dd>
<dt>Afterwards</dt><dd>You go on to ${hostOf(redirectUri)}</dd>
</dl>
<form method="post" action="/oauth2/consent">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset class="choices">
<legend class="hidden">Your answer</legend>
<button name="decision" value="deny">Deny</button>
<button name="decision" value="allow">Allow</button>
</fieldset>
</form>
<p class="muted small">You can revoke this any time under connected apps.</p>`,
  }
}

/** What is new is told from what was allowed before, when there is both. */
function wishes({ known, added, client: { revision } }: ConsentForm): Html {
  if (known.length === 0 || added.length === 0) {
    return html`<h2><bdi>${revision.name}</bdi> will be able to:</h2>
<ul class="scopes">${[...known, ...added].map((scope) => html`<li>${scopeSentences[scope]}</li>`)}</ul>`
  }
  return html`<h2>New: <bdi>${revision.name}</bdi> will also be able to:</h2>
<ul class="scopes">${added.map((scope) => html`<li>${scopeSentences[scope]}</li>`)}</ul>
<h2>You have already allowed it to:</h2>
<ul class="scopes">${known.map((scope) => html`<li class="known">${scopeSentences[scope]}</li>`)}</ul>`
}

const sandboxBanner = html`<div class="banner">
<h2>This app is being tested</h2>
<p>It uses its sandbox. What you allow ends by itself after 7 days.</p>
</div>
`

const httpBanner = html`<div class="banner">
<h2>The way back is not encrypted</h2>
<p>This app takes your answer over plain http. Others on the network may read it on the way.</p>
</div>
`

const logo = ({ appId, revision }: { appId: string; revision: ClientRevision }) =>
  html`<img src="/oauth2/logos/${appId}/${revision.number}" alt="" width="56" height="56">`

/** On a line of its own with its label: no name of a person can be read as it. */
const organisationOf = ({ owner: { organisation } }: AppFacts): Html | undefined =>
  organisation === null ? undefined : html`<span class="muted">Organisation: <bdi>${organisation}</bdi></span>`

/** The address is the app's; only the web's own schemes are followed. */
function link(address: string, text: string): Html {
  if (!/^https?:\/\//i.test(address)) return html`${text}`
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${text}<span class="hidden"> (opens in a new tab)</span></a>`
}

const hostOf = (address: string) => new URL(address).host

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')
