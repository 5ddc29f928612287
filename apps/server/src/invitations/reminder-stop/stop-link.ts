export const stopPath = '/reminders/:meetingId/:token'
export const resumePath = `${stopPath}/resume`

/** GET asks for confirmation; POST, by the button or a mail program, stops the reminders. */
export const stopLink = (baseUrl: string, meetingId: string, token: string) =>
  `${baseUrl}/reminders/${meetingId}/${token}`

/**
 * Headers with which mail programs offer to unsubscribe by posting to the link (RFC 8058). That needs an https address;
 * with another one they only open the page (RFC 2369).
 */
export const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})
