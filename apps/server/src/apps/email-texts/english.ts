import type { AppEmailTexts } from './email-texts.ts'

export const english: AppEmailTexts = {
  decisions: {
    approved: {
      subject: (app) => `Your app ${app} is approved`,
      lead: (app) => `Your app ${app} passed its review and is live.`,
      next: 'Its client id is on the page of the app, and its secrets are made there.',
    },
    rejected: {
      subject: (app) => `Your app ${app} is rejected`,
      lead: (app) => `Your app ${app} did not pass its review.`,
      next: 'Change what is wrong on the page of the app and submit it again. What was live before stays live.',
    },
    on_hold: {
      subject: (app) => `Your app ${app} is on hold`,
      lead: (app) => `Your app ${app} is on hold: its review is not finished.`,
      next: 'Change what is wrong on the page of the app and submit it again, or wait for the reviewer. What was live before stays live.',
    },
    suspended: {
      subject: (app) => `Your app ${app} is suspended`,
      lead: (app) =>
        `Your app ${app} was suspended by an administrator: nobody can use it, and its tokens are refused.`,
      next: 'Ask the administrator what has to happen before it can be resumed.',
    },
    resumed: {
      subject: (app) => `Your app ${app} is back`,
      lead: (app) => `Your app ${app} was resumed by an administrator: what it held works again.`,
      next: 'There is nothing for you to do.',
    },
  },
  reasons: {
    invalid_url: 'An address is wrong: its form, a character in it, or a page that is broken or not there.',
    malicious_url: 'An address leads to malware, phishing or other harmful content.',
    suspicious_url: 'An address looks suspicious: a new or often sold domain, or hidden content.',
    misleading: 'The name, the logo or the description misleads people.',
    scopes_not_justified: 'The app asks for more scopes than it needs.',
    other: 'Another reason.',
  },
  reason: (field, sentence) => `Reason${field === '' ? '' : `, ${field}`}: ${sentence}`,
  open: 'Open the page of the app',
}
