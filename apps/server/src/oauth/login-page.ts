import type { Page } from '../pages/page.ts'
import { html } from '../platform/html.ts'

export type LoginForm = {
  requestId: string
  csrf: string
  /** What the field holds. */
  email: string
  appName: string
  /** What the organisation's own provider is called, where there is one. */
  providerName: string | undefined
  /** Why the last try did not succeed; where a field is named, it is marked. */
  refusal?: { status: number; message: string; field?: 'email' | 'password' }
}

/** The sign-in form (oauth.md 6.4). After a refusal the summary has the focus, and is read out first. */
export function loginPage({ requestId, csrf, email, appName, providerName, refusal }: LoginForm): Page {
  const title = 'Sign in'
  const marked = (field: 'email' | 'password') =>
    refusal?.field === field ? html` aria-invalid="true" aria-describedby="refusal"` : undefined
  return {
    status: refusal?.status ?? 200,
    title: refusal === undefined ? title : `Error: ${title}`,
    forms: true,
    main: html`${
      refusal &&
      html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
<h2>You are not signed in</h2>
<p id="refusal">${refusal.message}</p>
</div>
`
    }<h1>${title}</h1>
<p>to continue to <strong><bdi>${appName}</bdi></strong></p>
<form method="post" action="/oauth2/login">
<input type="hidden" name="request" value="${requestId}">
<input type="hidden" name="csrf" value="${csrf}">
<div class="field">
<label for="email">E-mail address</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required${marked('email')}>
</div>
<div class="field">
<label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${marked('password')}>
</div>
<button class="primary wide">Sign in</button>
</form>
${
  providerName &&
  html`<p><a class="button" href="/api/auth/provider-sign-in?returnTo=${encodeURIComponent(`/oauth2/consent?request=${requestId}`)}">Sign in with ${providerName}</a></p>`
}`,
  }
}
