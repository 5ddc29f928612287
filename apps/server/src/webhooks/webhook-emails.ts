import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Email } from '../accounts/email-links/queue-email.ts'
import { textsIn } from '../platform/texts.ts'

type WebhookFailure = {
  baseUrl: string
  to: string
  language: Language
  /** The host of its URL; a path may be a secret. */
  receiver: string
  state: 'failing' | 'disabled'
}

/** Compose the email to the owner of a webhook that has failed for a day, or was switched off after three. */
export function webhookFailureEmail({ baseUrl, to, language, receiver, state }: WebhookFailure): Email {
  const t = textsIn(language, 'webhook-emails')
  const host = { receiver: isolated(language, receiver) }
  return {
    to,
    language,
    subject: t(`states.${state}.subject`, host),
    paragraphs: [t(`states.${state}.lead`, host), t(`states.${state}.next`)],
    link: { label: t('open'), address: `${baseUrl}/docs/webhooks` },
  }
}

type SwitchedOff = {
  baseUrl: string
  to: string
  language: Language
  /** The hosts of their URLs. */
  receivers: readonly string[]
}

/** An owner of many apps may have hundreds of receivers. The page of webhooks lists all. */
const maxReceiversNamed = 20

/** Compose the email to a person whose webhooks were switched off because their sign-ins have ended. */
export function webhooksSwitchedOffEmail({ baseUrl, to, language, receivers }: SwitchedOff): Email {
  const t = textsIn(language, 'webhook-emails')
  const named = receivers.slice(0, maxReceiversNamed).map((host) => isolated(language, host))
  const hosts = [...named, ...(receivers.length > named.length ? ['…'] : [])].join(', ')
  return {
    to,
    language,
    subject: t('switchedOff.subject'),
    paragraphs: [t('switchedOff.lead'), t('switchedOff.receivers', { hosts }), t('switchedOff.next')],
    link: { label: t('open'), address: `${baseUrl}/docs/webhooks` },
  }
}
