export const stopPath = '/reminders/:meetingId/:token'
export const resumePath = `${stopPath}/resume`

/** Opened it asks; posted to, by a button or a mail program, it stops the reminders. */
export const stopLink = (baseUrl: string, meetingId: string, token: string) =>
  `${baseUrl}/reminders/${meetingId}/${token}`

/**
 * RFC 8058: a mail program offers to unsubscribe, and posts to the link by itself. That needs an https address; with
 * another one it can only open the page (RFC 2369).
 */
export const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})
