import type { Mailer } from '../../email/mail.ts'
import { contentIdOf } from '../../email/mail-brand.ts'
import type { Database } from '../../platform/database/database.ts'
import { findLogo } from '../organisation-store.ts'

/**
 * Create a mailer that adds the logos to each mail when it is sent: a queued mail names them only. A mail whose logo was
 * removed meanwhile is sent without.
 */
export const attachLogos = (mailer: Mailer, database: Database): Mailer => ({
  ...mailer,
  async deliver(mail) {
    const { logos = [], ...rest } = mail
    if (logos.length === 0) return mailer.deliver(rest)
    const found = await Promise.all(logos.map(async (digest) => ({ digest, logo: await findLogo(database, digest) })))
    const images = found.flatMap(({ digest, logo }) =>
      logo === undefined ? [] : [{ ...logo, contentId: contentIdOf(digest) }],
    )
    const missing = new Set(found.flatMap(({ digest, logo }) => (logo === undefined ? [contentIdOf(digest)] : [])))
    await mailer.deliver({ ...rest, html: withoutImages(mail.html, missing), images })
  },
})

/** Drop images by their Content-IDs. The texts of a mail are escaped, so that only images match. */
const withoutImages = (html: string, contentIds: ReadonlySet<string>) =>
  html.replaceAll(/<img [^>]*src="cid:([^"]+)"[^>]*>/g, (image, contentId) => (contentIds.has(contentId) ? '' : image))
