import { useState } from 'react'
import { AskForReset } from './AskForReset.tsx'
import { ChooseNewPassword } from './ChooseNewPassword.tsx'
import { useFragmentToken } from './use-fragment-token.ts'

/** Without the link of a mail one asks for it here; with it, one chooses. */
export function ResetPasswordPage() {
  const token = useFragmentToken()
  const [asksAgain, setAsksAgain] = useState(false)
  if (token === undefined || asksAgain) return <AskForReset />
  return <ChooseNewPassword token={token} onAskAgain={() => setAsksAgain(true)} />
}
