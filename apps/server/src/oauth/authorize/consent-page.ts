import type { Scope } from '@parley/contract'
import { isLoopback } from '@parley/rules/oauth/loopback'
import type { Resource } from '@parley/rules/oauth/resource'
import { isPlainHttp } from '@parley/rules/oauth-apps/app-url'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import { clientHostOf, shownPageOf } from '../../access/shown-app.ts'
import type { ClientRevision, OAuthClient } from '../../oauth-apps/client-store.ts'
import { fillHtml, type Html, html } from '../../platform/http/html.ts'
import { type TextsOf, textsIn, unfilled, wholeKey } from '../../platform/texts.ts'
import type { Page } from '../../server-pages/page.ts'
import { type AppIdentity, nameApp } from './app-identity.ts'
import { type SignedInUser, signedInAs } from './signed-in-user.ts'

type PageTexts = TextsOf<'oauth-pages'>

type ConsentForm = {
  language: Language
  requestId: string
  csrf: string
  user: SignedInUser
  client: OAuthClient
  identity: AppIdentity
  redirectUri: string
  /** Requested scopes that the user consented to before. */
  known: readonly Scope[]
  added: readonly Scope[]
  resource: Resource
  /** Other resources that the user allowed this app to use before. */
  otherResources: readonly Resource[]
  /** New scopes that the user may leave out. */
  optional: readonly Scope[]
  /** The form was sent with none of its scopes selected. */
  nothingSelected: boolean
}

/**
 * Render the consent page: the requested scopes in the sentences of GET /api/oauth2/scopes, with a checkbox for each
 * that may be left out, and Deny and Allow side by side with equal weight.
 */
export function consentPage(form: ConsentForm): Page {
  const { language, requestId, csrf, user, client, identity, redirectUri, nothingSelected } = form
  const { sandbox } = client
  const t = textsIn(language, 'oauth-pages')
  const app = appOf(form)
  const title = t('consent.title', { app: app.startText })
  return {
    status: nothingSelected ? 422 : 200,
    title: nothingSelected ? t('errorTitle', { title }) : title,
    language,
    forms: true,
    main: html`${nothingSelected ? nothingSelectedSummary(t) : undefined}${sandbox ? banner(t('consent.sandboxTitle'), t('consent.sandbox')) : undefined}${isPlainHttp(redirectUri) ? banner(t('consent.httpTitle'), t('consent.http')) : undefined}${client.unreviewed ? banner(t('consent.trialTitle'), t('consent.trial')) : undefined}<div class="app">
${identity.hasLogo ? logo(client) : html`<span class="initials" aria-hidden="true">${initialsOf(app.startText)}</span>`}
<p>${identityOf(form, t)}</p>
</div>
<h1>${fillHtml(t('consent.heading', unfilled), { app: app.start })}</h1>
<div class="account">
<p>${signedInAs(t, user)}</p>
<a href="/oauth2/account?request=${requestId}">${t('notYou')}</a>
</div>
${newUse(form, t)}${scopeLists(form, t)}
<dl class="facts">
${pagesOf(client, t)}<dt>${t('consent.afterwards')}</dt><dd>${destinationOf(form, t)}</dd>
</dl>
<form method="post" action="/oauth2/consent" id="consent">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<fieldset class="choices">
<legend class="hidden">${t('consent.answer')}</legend>
<button name="decision" value="deny">${t('consent.deny')}</button>
<button name="decision" value="allow">${t('consent.allow')}</button>
</fieldset>
</form>
<p class="muted small">${t('consent.revoke')}</p>`,
  }
}

/** Render a notice that the app could use another resource so far, and now asks for this resource. */
function newUse(form: ConsentForm, t: PageTexts): Html | undefined {
  const { known, resource, otherResources } = form
  if (known.length > 0 || otherResources.length === 0) return undefined
  return html`<div class="banner"><strong>${fillHtml(t(`consent.newUse.${resource}`, unfilled), { app: appOf(form).actor })}</strong></div>
`
}

/** List the new scopes; when others were allowed before, these can be opened below. */
function scopeLists(form: ConsentForm, t: PageTexts): Html {
  const { language, known, added, optional } = form
  const { actor } = appOf(form)
  const leaveOut =
    optional.length > 0
      ? html`<p class="muted">${t('consent.leaveOut')}</p>
`
      : undefined
  const item = (scope: Scope) => (optional.includes(scope) ? checkbox(form, scope) : plainItem(form, scope))
  if (known.length === 0 || added.length === 0) {
    return html`<h2>${fillHtml(t('consent.willBeAble', unfilled), { app: actor })}</h2>
${leaveOut}<ul class="scopes">${[...known, ...added].map(item)}</ul>`
  }
  return html`<h2>${fillHtml(t('consent.willAlsoBeAble', unfilled), { app: actor })}</h2>
${leaveOut}<ul class="scopes">${added.map(item)}</ul>
<details>
<summary>${t('consent.alreadyAllowed')}</summary>
<ul class="scopes">${known.map((scope) => html`<li class="known">${scopeText(language, scope)}</li>`)}</ul>
</details>`
}

const scopeText = (language: Language, scope: Scope) => textsIn(language, 'scopes')(scope, wholeKey)

const plainItem = ({ language }: ConsentForm, scope: Scope) => html`<li>${scopeText(language, scope)}</li>`

/** Selected, unless the person has just cleared all of them; sent with the form below. */
const checkbox = ({ language, nothingSelected }: ConsentForm, scope: Scope) =>
  html`<li class="optional"><label><input type="checkbox" name="scope" value="${scope}" form="consent"${nothingSelected ? undefined : html` checked`}> ${scopeText(language, scope)}</label></li>`

const nothingSelectedSummary = (t: PageTexts) => html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>${t('consent.nothingSelectedTitle')}</h2>
<p>${t('consent.nothingSelected')}</p>
</div>
`

/** The page is shown to owner and testers of a sandbox alone. */
const appOf = ({ language, client, redirectUri }: ConsentForm) =>
  nameApp(client, redirectUri, { language, isTester: client.sandbox })

/** Name where the browser continues: the host of a native app's redirect URI means nothing to its user. */
function destinationOf({ language, client, redirectUri }: ConsentForm, t: PageTexts): string {
  if (client.clientType !== 'native' || /^https:/i.test(redirectUri)) {
    return t('consent.goOnTo', { host: isolated(language, hostOf(redirectUri)) })
  }
  return client.registration !== 'portal' && isLoopback(redirectUri) ? t('consent.runsHere') : t('consent.goOnToDevice')
}

const banner = (title: string, text: string) => html`<div class="banner">
<h2>${title}</h2>
<p>${text}</p>
</div>
`

const logo = ({ appId, revision }: { appId: string; revision: ClientRevision }) =>
  html`<img src="/oauth2/logos/${appId}/${revision.number}" alt="" width="56" height="56">`

/**
 * Identify the app. The host of a client that is named by its document is larger than the name, because people can rely
 * on the host: the document chooses the name, and a reviewer has only seen it.
 */
function identityOf(form: ConsentForm, t: PageTexts): Html {
  const {
    client,
    identity: { owner },
  } = form
  const { clientHost } = clientHostOf(client)
  const isUnknown = owner === undefined && !client.isReviewed
  const name = isUnknown ? html`${t('consent.notReviewed')}` : appOf(form).start
  if (clientHost !== undefined) {
    return html`<strong class="host"><bdi dir="ltr">${clientHost}</bdi></strong><span class="muted">${name}</span>`
  }
  if (isUnknown) {
    return html`<strong>${t('consent.unknownProgram')}</strong><span class="muted">${name}</span><span class="muted">${destinationOf(form, t)}</span>`
  }
  if (owner === undefined)
    return html`<strong>${name}</strong><span class="muted">${t('consent.registeredItself')}</span>`
  const by = html`<span class="muted">${fillHtml(t('consent.by', unfilled), { owner: html`<bdi>${owner.name}</bdi>` })}</span>`
  return html`<strong>${name}</strong>${by}${organisationOf(owner.organisation, t)}`
}

/** A client that no developer has registered may name no pages. Before a review none is shown. */
function pagesOf(client: OAuthClient, t: PageTexts): Html {
  const known = { isReviewed: client.isReviewed || client.sandbox }
  const { revision } = client
  const [homepageUrl, policyUrl] = [revision.homepageUrl, revision.policyUrl].map((address) =>
    shownPageOf(known, address),
  )
  const homePage =
    homepageUrl &&
    html`<dt>${t('consent.homePage')}</dt><dd>${link(homepageUrl, hostOf(homepageUrl), t)}</dd>
`
  const policy =
    policyUrl &&
    html`<dt>${t('consent.privacy')}</dt><dd>${link(policyUrl, t('consent.policy'), t)}</dd>
`
  return html`${homePage || undefined}${policy || undefined}`
}

/** On a line of its own with a label, so that no person's name can be read as an organisation. */
const organisationOf = (organisation: string | null, t: PageTexts): Html | undefined =>
  organisation === null
    ? undefined
    : html`<span class="muted">${fillHtml(t('consent.organisation', unfilled), { name: html`<bdi>${organisation}</bdi>` })}</span>`

/** The address comes from the app; link only http and https. */
function link(address: string, text: string, t: PageTexts): Html {
  if (!/^https?:\/\//i.test(address)) return html`${text}`
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${text}<span class="hidden"> ${t('consent.newTab')}</span></a>`
}

const hostOf = (address: string) => new URL(address).host

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0]?.toUpperCase() ?? '')
    .join('')
