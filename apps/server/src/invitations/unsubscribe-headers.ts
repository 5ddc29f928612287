/**
 * Headers with which mail programs offer to unsubscribe by posting to the link (RFC 8058). That needs an https address;
 * with another one they only open the page (RFC 2369).
 */
export const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})
