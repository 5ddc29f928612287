import type { AppEmailTexts } from './email-texts.ts'

export const english: AppEmailTexts = {
  decisions: {
    approved: {
      subject: (app) => `Your app ${app} is approved`,
      lead: (app) => `Your app ${app} passed its review and is live.`,
      next: 'Its client ID is on the app’s page, where you also create its secrets.',
    },
    rejected: {
      subject: (app) => `Your app ${app} is rejected`,
      lead: (app) => `Your app ${app} did not pass its review.`,
      next: 'Fix what is wrong on the app’s page and submit it again. The live version stays as it is.',
    },
    on_hold: {
      subject: (app) => `Your app ${app} is on hold`,
      lead: (app) => `Your app ${app} is on hold: its review is not finished.`,
      next: 'Fix what is wrong on the app’s page and submit it again, or wait for the reviewer. The live version stays as it is.',
    },
    suspended: {
      subject: (app) => `Your app ${app} is suspended`,
      lead: (app) => `An administrator suspended your app ${app}: no one can use it, and its tokens are refused.`,
      next: 'Ask the administrator what needs to happen before it can be resumed.',
    },
    resumed: {
      subject: (app) => `Your app ${app} is back`,
      lead: (app) => `An administrator resumed your app ${app}: everything works again.`,
      next: 'There is nothing you need to do.',
    },
  },
  reasons: {
    invalid_url: 'An address is wrong: its format, a character in it, or a page that is broken or missing.',
    malicious_url: 'An address leads to malware, phishing or other harmful content.',
    suspicious_url: 'An address looks suspicious: a new or frequently sold domain, or hidden content.',
    misleading: 'The name, the logo or the description misleads people.',
    scopes_not_justified: 'The app asks for more scopes than it needs.',
    other: 'Another reason.',
  },
  reason: (field, sentence) => `Reason${field === '' ? '' : `, ${field}`}: ${sentence}`,
  open: 'Open the app’s page',
  clientWaits: {
    subject: (client) => `${client} waits for your review`,
    lead: (client, service) =>
      `A person wants to connect ${client} at ${service}. No developer has registered it here, so that no one can use it before it is reviewed.`,
    next: 'Read what it says about itself, then approve or reject it. You can connect it yourself before, to try it.',
    changed: {
      lead: (client, service) =>
        `The document of ${client} at ${service} has changed. What was approved stays in force until you decide.`,
      next: 'Read what is different, then approve or reject it.',
    },
    open: 'Open the review',
    itself: 'An assistant that registered itself',
  },
  clientsWait: {
    subject: (waiting) => `Assistants that wait for your review: ${waiting}`,
    lead: (service) => `More assistants wait at ${service} than are announced in an email each.`,
    next: 'The page of reviews lists all of them, the one that has waited longest first.',
    open: 'Open the reviews',
  },
}
