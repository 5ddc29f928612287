import { useState } from 'react'
import { ChooseNewPassword } from './ChooseNewPassword.tsx'
import { RequestPasswordReset } from './RequestPasswordReset.tsx'
import { useFragmentToken } from './use-fragment-token.ts'

/** Without the link of a mail, request one; with it, choose a new password. */
export function ResetPasswordPage() {
  const token = useFragmentToken()
  const [asksAgain, setAsksAgain] = useState(false)
  if (token === undefined || asksAgain) return <RequestPasswordReset />
  return <ChooseNewPassword token={token} onAskAgain={() => setAsksAgain(true)} />
}
