import { useState } from 'react'
import { ChooseNewPassword } from './ChooseNewPassword.tsx'
import { RequestPasswordReset } from './RequestPasswordReset.tsx'
import { useFragmentToken } from './use-fragment-token.ts'

/** Without the link of a mail one asks for it here; with it, one chooses. */
export function ResetPasswordPage() {
  const token = useFragmentToken()
  const [asksAgain, setAsksAgain] = useState(false)
  if (token === undefined || asksAgain) return <RequestPasswordReset />
  return <ChooseNewPassword token={token} onAskAgain={() => setAsksAgain(true)} />
}
