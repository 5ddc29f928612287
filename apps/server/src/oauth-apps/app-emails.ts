import type { Reason } from '@parley/contract'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Email } from '../accounts/email-links/compose-email.ts'
import type { AppDecision } from './email-texts/email-texts.ts'
import { appEmailTexts } from './email-texts/in-language.ts'

export type { AppDecision } from './email-texts/email-texts.ts'

type DecidedApp = {
  baseUrl: string
  to: string
  language: Language
  appId: string
  name: string
  decision: AppDecision
  reasons: readonly Reason[]
}

export function appDecisionEmail({ baseUrl, to, language, appId, name, decision, reasons }: DecidedApp): Email {
  const { decisions, open } = appEmailTexts(language)
  const { subject, lead, next } = decisions[decision]
  const app = isolated(language, name)
  return {
    to,
    language,
    subject: subject(app),
    paragraphs: [lead(app), ...reasons.map((reason) => reasonSentence(language, reason)), next],
    link: { label: open, address: `${baseUrl}/developers/${appId}` },
  }
}

/** The reviewer's own text is quoted as written. */
function reasonSentence(language: Language, { code, field, text }: Reason): string {
  const { reason, reasons } = appEmailTexts(language)
  const written = text === undefined || text === '' ? [] : [isolated(language, text)]
  const sentence = code === 'other' && written.length > 0 ? written : [reasons[code], ...written]
  return reason(field === undefined ? '' : isolated(language, field), sentence.join(' '))
}
