import type { Fault } from '../pages/fault-page.ts'

const anotherWay = 'Sign in another way, or try again later.'

/** Where a sign-in with the provider ends on a page of ours. `{name}` is what the operator calls the provider. */
export const providerFaults = {
  provider_away: {
    status: 503,
    title: '{name} does not answer',
    happened: 'You were to sign in with {name}, but it does not answer, or not as it should.',
    fixer: 'administrator',
    advice: anotherWay,
  },
  provider_refused: {
    status: 403,
    title: 'You are not signed in',
    happened: '{name} has not let you sign in here, or you have not wanted to.',
    fixer: 'visitor',
    advice: anotherWay,
  },
  sign_in_unknown: {
    status: 400,
    title: 'This sign-in cannot go on',
    happened: 'It took longer than ten minutes, began in another browser, or this browser keeps no cookies.',
    fixer: 'visitor',
    advice: 'Begin again.',
  },
  answer_unsound: {
    status: 502,
    title: '{name} has answered something that cannot be trusted',
    happened: 'What came back from {name} does not belong to this sign-in. You are not signed in.',
    fixer: 'administrator',
    advice: 'Begin again. If this page comes back, tell the administrator what it says.',
  },
  address_unverified: {
    status: 403,
    title: 'Your address is not confirmed',
    happened: '{name} does not say that your e-mail address is yours, so no account can be found or made for it.',
    fixer: 'administrator',
    advice: 'Ask the administrator of {name} to confirm your address, or sign in another way.',
  },
  set_up_code_required: {
    status: 403,
    title: 'This service is not set up yet',
    happened: 'The first account of this service is its administrator, and it cannot be made with {name} from here.',
    fixer: 'administrator',
    advice:
      'Open the start page of this service and make the first account with the set-up code that was printed at its start. Then sign in with {name}.',
  },
  sign_up_closed: {
    status: 403,
    title: 'There is no account for you yet',
    happened: 'You are known to {name}, but this service makes accounts only for people who are invited.',
    fixer: 'administrator',
    advice: 'Ask an administrator of this service to invite your e-mail address.',
  },
  account_disabled: {
    status: 403,
    title: 'Your account is disabled',
    happened: 'An administrator of this service has disabled the account that belongs to you.',
    fixer: 'administrator',
    advice: 'Ask an administrator of this service.',
  },
} as const satisfies Record<string, Fault>

export type ProviderFaultName = keyof typeof providerFaults

/** A sign-in that ends here; the cause is for the log. */
export class ProviderFault extends Error {
  readonly fault: ProviderFaultName

  constructor(fault: ProviderFaultName, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export function faultOf(name: ProviderFaultName, providerName: string): Fault {
  const fault = providerFaults[name]
  const named = (text: string) => text.replaceAll('{name}', providerName)
  return { ...fault, title: named(fault.title), happened: named(fault.happened), advice: named(fault.advice) }
}
