import type { Reason, ReasonCode } from '@parley/contract'
import type { Letter } from '../accounts/letter.ts'

/** What a developer is written when somebody decides about their app. */
export type AppDecision = 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'

export type DecidedApp = {
  baseUrl: string
  to: string
  appId: string
  name: string
  decision: AppDecision
  reasons: readonly Reason[]
}

const decisions: Record<AppDecision, { subject: string; said: string; next: string }> = {
  approved: {
    subject: 'is approved',
    said: 'passed its review and is live.',
    next: 'Its client id is on the page of the app, and its secrets are made there.',
  },
  rejected: {
    subject: 'is rejected',
    said: 'did not pass its review.',
    next: 'Change what is wrong on the page of the app and submit it again. What was live before stays live.',
  },
  on_hold: {
    subject: 'is on hold',
    said: 'is on hold: its review is not finished.',
    next: 'Change what is wrong on the page of the app and submit it again, or wait for the reviewer. What was live before stays live.',
  },
  suspended: {
    subject: 'is suspended',
    said: 'was suspended by an administrator: nobody can use it, and its tokens are refused.',
    next: 'Ask the administrator what has to happen before it can be resumed.',
  },
  resumed: {
    subject: 'is back',
    said: 'was resumed by an administrator: what it held works again.',
    next: 'There is nothing for you to do.',
  },
}

/** service.md 3.2. */
const sentences: Record<ReasonCode, string> = {
  invalid_url: 'An address is wrong: its form, a character in it, or a page that is broken or not there.',
  malicious_url: 'An address leads to malware, phishing or other harmful content.',
  suspicious_url: 'An address looks suspicious: a new or often sold domain, or hidden content.',
  misleading: 'The name, the logo or the description misleads people.',
  scopes_not_justified: 'The app asks for more than what it does needs.',
  other: 'Another reason.',
}

export function appDecisionLetter({ baseUrl, to, appId, name, decision, reasons }: DecidedApp): Letter {
  const { subject, said, next } = decisions[decision]
  return {
    to,
    subject: `Your app ${name} ${subject}`,
    paragraphs: [`Your app ${name} ${said}`, ...reasons.map(reasonSentence), next],
    link: { label: 'Open the page of the app', address: `${baseUrl}/developers/${appId}` },
  }
}

const reasonSentence = ({ code, field, text }: Reason) => {
  const sentence = code === 'other' && text !== undefined ? text : `${sentences[code]}${text ? ` ${text}` : ''}`
  return `Reason${field ? `, ${field}` : ''}: ${sentence}`
}
