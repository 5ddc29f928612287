/**
 * Every page address, once. The router has a route for each (router.ts does not compile otherwise); the server answers
 * 200 for these and 404 for all others. One group per noun, which avoids merge conflicts.
 */
export const addresses = [
  // Joining and signing in
  '/',
  '/welcome',
  '/sign-in',
  '/sign-up',
  '/reset-password',
  '/verify-email',

  // Meetings
  '/meetings',
  '/meetings/$meetingId',
  '/calendar',
  '/add/$code',
  '/j/$code',
  '/start',
  '/join',
  '/meetings/new',
  '/meetings/$meetingId/edit',

  // Profile and security
  '/profile',
  '/security',
  '/security/webhooks',
  '/connected-apps',

  // Webhooks of people, apps and the organisation
  '/webhooks/$webhookId',

  // Developers
  '/developers',
  '/developers/new',
  '/developers/playground/callback',
  '/developers/$appId',
  '/developers/$appId/edit',
  '/developers/$appId/playground',

  // Reviewers and administrators
  '/reviews',
  '/reviews/$appId',
  '/administration/accounts',
  '/administration/apps',
  '/administration/apps/$appId',
  '/administration/audit-log',
  '/administration/webhooks',
] as const

export type Address = (typeof addresses)[number]
