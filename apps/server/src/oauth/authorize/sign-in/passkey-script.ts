import { preparePasskeySignIn } from '@parley/contract'
import { createPageScript } from '../../../server-pages/page.ts'

/**
 * Show the passkey button where the browser supports it, and send the assertion in the sign-in form (WebAuthn Level 3,
 * 7.2). Without JavaScript the button stays hidden, and the form works without it.
 */
export const passkeyScript = createPageScript(`
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
