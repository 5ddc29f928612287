import type { Entering } from '@parley/contract'
import { useEffect } from 'react'
import { clearSecret, type JoinSecret, keepSecret } from '../session/kept-secrets.ts'

type Tried = { [Name in keyof JoinSecret]-?: string | undefined } & {
  code: string
  /** Undefined until the answer arrives. */
  answer: Entering | undefined
}

/** Keep an accepted secret for the next reload, and delete a wrong one. */
export function useKeptSecret({ code, pin, hostKey, answer }: Tried): void {
  useEffect(() => {
    if (answer?.state === 'pin_wrong') clearSecret(sessionStorage, code)
    else if (answer?.meeting !== undefined && (pin !== undefined || hostKey !== undefined)) {
      keepSecret(sessionStorage, code, { ...(pin !== undefined && { pin }), ...(hostKey !== undefined && { hostKey }) })
    }
  }, [code, pin, hostKey, answer])
}
