import { type AccentColours, deriveAccentColours } from '@parley/rules/accounts/accent-colours'
import type { StoredBrand, StoredLogo } from '../../migrations/column-values.ts'

/** The look of the organisation in whose name a mail is written. */
export type MailBrand = {
  /** Empty: that of the product. */
  name: string
  colours: AccentColours | undefined
  /** Logos whose bytes the mail carries: an image that is fetched would reveal its reader. */
  logos: { light: StoredLogo | undefined; dark: StoredLogo | undefined }
}

/** Each mail carries the logo, a thousand guests' mails a thousand times. A logo of the size that mails show is smaller. */
export const maxMailLogoBytes = 32 * 1024

/** Some mail programs, Outlook among them, show no WebP. */
const shownTypes = ['image/png', 'image/jpeg']

export const isShownInMail = (logo: StoredLogo | undefined): logo is StoredLogo =>
  logo !== undefined && logo.size <= maxMailLogoBytes && shownTypes.includes(logo.mediaType)

export function mailBrandOf({ name = '', colour, logos }: StoredBrand): MailBrand {
  const [light, dark] = [logos?.light, logos?.dark].map((logo) => (isShownInMail(logo) ? logo : undefined))
  return {
    name,
    colours: colour === undefined ? undefined : deriveAccentColours(colour),
    logos: { light, dark: light && dark },
  }
}

/** The digests of the logos that a mail of this brand carries. */
export const logosOf = ({ logos }: MailBrand): string[] => [
  ...new Set([logos.light, logos.dark].flatMap((logo) => logo?.digest ?? [])),
]

/** The Content-ID by which the HTML refers to a logo (RFC 2392). */
export const contentIdOf = (digest: string) => `${digest}@logo`
