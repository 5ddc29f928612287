import { preparePasskeySignIn } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import { fillHtml, html } from '../../platform/http/html.ts'
import { type TextsOf, textsIn, unfilled } from '../../platform/texts.ts'
import { createPageScript, type Page } from '../../server-pages/page.ts'
import type { AppInSentences } from './app-identity.ts'

type PageTexts = TextsOf<'oauth-pages'>

export type LoginRefusal = {
  status: number
  message: string
  /** The field to mark as invalid. */
  field?: 'email' | 'password'
}

type LoginForm = {
  language: Language
  requestId: string
  csrf: string
  /** The value of the email field. */
  email: string
  app: AppInSentences
  /** No reviewer has seen what the app says about itself. */
  isUnreviewed: boolean
  /** The name of the organisation's provider, if one is configured. */
  providerName: string | undefined
  /** Whether people may create accounts themselves. */
  signUpOpen: boolean
  /** Why the previous attempt was refused. */
  refusal?: LoginRefusal
}

/**
 * Render the sign-in form, with links to the other sign-in methods, which return to the same request. After a refusal
 * the error summary has the focus, so that screen readers read it first.
 */
export function loginPage(form: LoginForm): Page {
  const { language, requestId, csrf, email, app, isUnreviewed, refusal } = form
  const t = textsIn(language, 'oauth-pages')
  const signIn = textsIn(language, 'sign-in')
  const title = signIn('signIn')
  const marked = (field: 'email' | 'password') =>
    refusal?.field === field ? html` aria-invalid="true" aria-describedby="refusal"` : undefined
  return {
    status: refusal?.status ?? 200,
    title: refusal === undefined ? title : t('errorTitle', { title }),
    language,
    forms: true,
    script: passkeyScript,
    main: html`${refusal && summaryOf(t, refusal)}<h1>${title}</h1>
<p>${fillHtml(t('toContinueTo', unfilled), { app: html`<strong>${app.within}</strong>` })}</p>
${
  isUnreviewed
    ? html`<p class="muted small">${t('consent.notReviewed')}</p>
`
    : undefined
}<form method="post" action="/oauth2/login">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<div class="field">
<label for="email">${signIn('email')}</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" dir="ltr" required${marked('email')}>
</div>
<div class="field">
<label for="password">${signIn('password')}</label>
<input type="password" id="password" name="password" autocomplete="current-password" dir="ltr" required${marked('password')}>
</div>
<button class="primary wide">${title}</button>
${passkeyButton(language, t)}</form>
${otherMethods(form, t)}`,
  }
}

const summaryOf = (
  t: PageTexts,
  { message }: LoginRefusal,
) => html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>${t('signIn.refused')}</h2>
<p id="refusal">${message}</p>
</div>
`

/** The page's script shows this where the browser supports passkeys. */
const passkeyButton = (language: Language, t: PageTexts) => html`<div id="other-ways" hidden>
<p class="or">${textsIn(language, 'sign-in')('or')}</p>
<p id="passkey-failed" class="field-error" role="alert" data-text="${t('signIn.passkeyFailed')}"></p>
<button type="button" class="wide" id="passkey">${textsIn(language, 'sign-in')('signInWithPasskey')}</button>
</div>
`

/** Link to the other methods; each returns to the request. */
function otherMethods({ language, requestId, providerName, signUpOpen }: LoginForm, t: PageTexts) {
  const back = encodeURIComponent(`/oauth2/consent?request=${requestId}`)
  const provider =
    providerName &&
    html`<p><a class="button wide" href="/api/auth/provider-sign-in?returnTo=${back}">${t('signIn.provider', { name: providerName })}</a></p>
`
  const createAccount = signUpOpen
    ? html`
<li><a href="/sign-up?next=${back}">${textsIn(language, 'sign-in')('createAccount')}</a></li>`
    : undefined
  return html`${provider || undefined}<ul class="links">
<li><a href="/reset-password?next=${back}">${textsIn(language, 'sign-in')('forgotPassword')}</a></li>${createAccount}
</ul>`
}

/**
 * Show the passkey button where the browser supports it, and send the assertion in the sign-in form (WebAuthn Level 3,
 * 7.2). Without JavaScript the button stays hidden, and the form works without it.
 */
const passkeyScript = createPageScript(`
const button = document.getElementById('passkey')
const failed = document.getElementById('passkey-failed')
if (window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) {
  document.getElementById('other-ways').hidden = false
  button.addEventListener('click', async () => {
    button.disabled = true
    failed.textContent = ''
    try {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('${preparePasskeySignIn.path}', { method: 'POST', headers, body: '{}' })
      if (!answer.ok) throw new Error(String(answer.status))
      const { publicKey } = await answer.json()
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey)
      const credential = await navigator.credentials.get({ publicKey: options })
      const field = document.createElement('input')
      field.type = 'hidden'
      field.name = 'credential'
      field.value = JSON.stringify(credential)
      button.form.append(field)
      button.form.submit()
    } catch {
      button.disabled = false
      failed.textContent = failed.dataset.text
    }
  })
}
`)
