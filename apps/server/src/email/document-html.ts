import { readFileSync } from 'node:fs'
import { productColour } from '@parley/rules/accounts/accent-colours'
import { splitLinks } from '@parley/rules/text/text-links'
import { directionOf } from '@parley/texts/languages'
import { Html, html } from '../platform/http/html.ts'
import { productName } from '../platform/product-name.ts'
import { contentIdOf, type MailBrand } from './mail-brand.ts'
import type { Fact, Link, MailDocument, TimeOf } from './mail-document.ts'

/** Dark colours and small screens, for programs that support style sheets. Essential styles are inline as well. */
const style = new Html(readFileSync(new URL('document-style.css', import.meta.url), 'utf8'))

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
const ink = 'color:#1b2420'
const muted = 'color:#55615b'

const productShades = { accent: productColour, onAccent: '#ffffff' }
type Shades = typeof productShades

/**
 * Write the HTML of a mail: tables and inline styles, because mail programs support little else. Its only images are the
 * logos that it carries, because fetching others would reveal the reader. All text is escaped; people's text keeps its own
 * direction.
 */
export function documentHtml(document: MailDocument): string {
  const shades = document.brand?.colours?.light ?? productShades
  const { language, subject, title, lead, paragraphs, changes, facts, description, action, add, question } = document
  const { notes, footer, time, isOff, banner, asksFirst, message } = document
  const actions = [
    action &&
      section(
        asksFirst
          ? html`${linksHtml(shades, action, add)}`
          : html`${button(action, shades)}${shownAddress(action)}${linksHtml(shades, add)}`,
      ),
    question &&
      section(html`<p style="margin:0 0 12px;font-weight:600">${question.text}</p>${answersHtml(question.answers)}`),
  ]
  const direction = directionOf(language)
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
${style}${brandStyle(document.brand)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f5f3">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f3">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" dir="${direction}" style="width:100%;max-width:560px">
<tr><td style="padding:0 28px 12px;${font};font-size:18px;line-height:1.25;font-weight:700;letter-spacing:-0.2px">${brandHtml(document.brand, shades)}</td></tr>
</table>
<table role="presentation" class="surface" width="560" cellpadding="0" cellspacing="0" dir="${direction}" style="width:100%;max-width:560px;background:#ffffff;border:1px solid #d9deda">
${
  banner &&
  html`<tr><td class="off" style="padding:12px 28px;background:#fcedea;${font};color:#8f2116;font-size:16px;font-weight:600">${banner}</td></tr>
`
}<tr><td class="ink" style="padding:28px 28px 20px;${font};${ink};font-size:16px;line-height:1.5">
${
  lead === ''
    ? undefined
    : html`<p class="muted" style="margin:0 0 8px;${muted}">${lead}</p>
`
}<h1 dir="auto" style="margin:0;font-size:24px;line-height:1.25;font-weight:600;word-break:break-word">${isOff ? html`<s>${title}</s>` : title}</h1>${time && timeHtml(time)}${message && messageHtml(message, shades)}${paragraphsHtml(paragraphs, 12)}
</td></tr>
${changes.rows.length + changes.dates.length === 0 ? undefined : changesHtml(changes, shades)}
${facts.length === 0 ? undefined : factsHtml(facts)}
${asksFirst ? actions.toReversed() : actions[0]}${notes.length === 0 ? undefined : section(html`${paragraphsHtml(notes, 0)}`)}
${
  description &&
  section(html`<p class="muted" style="margin:0 0 4px;${muted};font-size:14px">${description.heading}</p>
<div dir="auto" style="word-break:break-word">${linesHtml(description.text, shades)}</div>`)
}
${asksFirst ? undefined : actions[1]}
</table>
<table role="presentation" width="560" cellpadding="0" cellspacing="0" dir="${direction}" style="width:100%;max-width:560px">
<tr><td class="muted" style="padding:16px 28px;${font};${muted};font-size:13px;line-height:1.5;word-break:break-word">${footer.map((line) => html`<p style="margin:0 0 4px">${line}</p>`)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.markup
}

/** What an organisation changes in the dark scheme, after the product's own style sheet. */
function brandStyle(brand: MailBrand | undefined): Html | undefined {
  const dark = brand?.colours?.dark
  if (dark === undefined && brand?.logos.light === undefined) return undefined
  return html`
@media (prefers-color-scheme: dark) {${
    dark &&
    html`
  .accent { color: ${dark.accent} !important; }
  .quote { border-color: ${dark.accent} !important; }
  .button { background: ${dark.accent} !important; color: ${dark.onAccent} !important; }`
  }${brand?.logos.light && logoStyle}
}
`
}

/** A logo for light ground alone keeps a light ground. */
const logoStyle = new Html(`
  .on-light { display: none !important; }
  .on-dark { display: inline !important; }
  .logo { padding: 4px 6px; border-radius: 6px; background: #ffffff; }`)

/** The logo and the name of the organisation; an organisation without both has the name of the product. */
function brandHtml(brand: MailBrand | undefined, { accent }: Shades): Html {
  const { light, dark } = brand?.logos ?? {}
  const name = brand?.name ?? ''
  const isNamed = name !== '' || light === undefined
  const alternative = isNamed ? '' : productName
  // Programs without a dark scheme, or without style sheets, show the first.
  const images = light && [
    logoHtml(light, alternative, dark === undefined ? 'logo' : 'on-light', ''),
    dark && logoHtml(dark, alternative, 'on-dark', 'display:none;mso-hide:all;'),
  ]
  const text = html`<span class="accent" dir="auto" style="color:${accent}">${name || productName}</span>`
  return html`${images}${isNamed ? text : undefined}`
}

const maxLogo = { width: 200, height: 32 }

function logoHtml(
  { digest, width, height }: NonNullable<MailBrand['logos']['light']>,
  alternative: string,
  className: string,
  hidden: string,
): Html {
  const scale = Math.min(maxLogo.height / height, maxLogo.width / width)
  const [shownWidth, shownHeight] = [width, height].map((length) => Math.max(1, Math.round(length * scale)))
  return html`<img class="${className}" src="cid:${contentIdOf(digest)}" alt="${alternative}" width="${shownWidth}" height="${shownHeight}" style="${hidden}vertical-align:middle;margin-inline-end:10px;border:0">`
}

const paragraphsHtml = (paragraphs: readonly string[], firstMargin: number) =>
  paragraphs.map(
    (text, at) => html`<p style="margin:${at === 0 ? firstMargin : 12}px 0 0;word-break:break-word">${text}</p>`,
  )

const messageHtml = ({ heading, text }: NonNullable<MailDocument['message']>, { accent }: Shades) => html`
<div class="quote" style="margin:16px 0 0;padding-block:4px;padding-inline-start:14px;border-inline-start:3px solid ${accent};word-break:break-word">
<p class="muted" style="margin:0 0 4px;${muted};font-size:14px">${heading}</p>
<div dir="auto">${text.split(/\r?\n/).map((line, at) => html`${at === 0 ? undefined : new Html('<br>')}${line}`)}</div>
</div>`

const shownAddress = ({ address, isShown }: Link) =>
  isShown
    ? html`<p class="muted" style="margin:12px 0 0;${muted};font-size:13px;word-break:break-all"><bdo dir="ltr">${address}</bdo></p>`
    : undefined

const section = (inner: Html) =>
  html`<tr><td class="ink line" style="padding:16px 28px 20px;border-top:1px solid #d9deda;${font};${ink};font-size:16px;line-height:1.5">${inner}</td></tr>`

const factsHtml = (facts: readonly Fact[]) =>
  section(html`<table role="presentation" cellpadding="0" cellspacing="0" width="100%">${facts.map(factHtml)}</table>`)

const factHtml = ({ label, lines, code }: Fact) => html`
<tr>
<td class="ink muted label" valign="top" width="120" style="padding:4px 0;padding-inline-end:16px;${font};${muted};font-size:14px;line-height:1.6">${label}</td>
<td class="ink" valign="top" style="padding:4px 0;${font};${ink};font-size:16px;line-height:1.5;word-break:break-word">${lines.map(
  (line, at) =>
    html`<div${at === 0 ? undefined : new Html(` class="muted" style="${muted};font-size:14px"`)}>${code ? html`<bdo dir="ltr">${line}</bdo>` : line}</div>`,
)}</td>
</tr>`

const changesHtml = ({ heading, rows, dates }: MailDocument['changes'], shades: Shades) =>
  section(html`<p style="margin:0 0 8px;font-weight:600">${heading}</p>
<table role="presentation" cellpadding="0" cellspacing="0" width="100%">${rows.map(
    ({ label, before, after, beforeLabel, afterLabel }) => html`
<tr>
<td class="ink muted label" valign="top" width="120" style="padding:6px 0;padding-inline-end:16px;${font};${muted};font-size:14px;line-height:1.6">${label}</td>
<td class="ink" valign="top" style="padding:6px 0;${font};${ink};font-size:16px;line-height:1.5;word-break:break-word">
<div class="muted" style="${muted};font-size:14px">${beforeLabel}: <s dir="auto">${linesHtml(before, shades)}</s></div>
<div>${afterLabel}: <strong dir="auto" style="font-weight:600">${linesHtml(after, shades)}</strong></div>
</td>
</tr>`,
  )}${dates.map(factHtml)}</table>`)

const linesHtml = (text: string, shades: Shades) =>
  text
    .split(/\r?\n/)
    .map(
      (line, at) =>
        html`${at === 0 ? undefined : new Html('<br>')}${splitLinks(line).map((part) => partHtml(part, shades))}`,
    )

const partHtml = ({ text, href }: ReturnType<typeof splitLinks>[number], { accent }: Shades) =>
  href === undefined ? text : html`<a class="accent" href="${href}" rel="nofollow" style="color:${accent}">${text}</a>`

const timeHtml = ({ day, hours, zone, elsewhere, isOff }: TimeOf) => html`
<p style="margin:12px 0 0;font-size:20px;line-height:1.35;font-weight:600">${isOff ? html`<s>${day}</s>` : day}${
  hours === ''
    ? undefined
    : html`<br><span style="font-variant-numeric:tabular-nums">${isOff ? html`<s>${hours}</s>` : hours}</span>`
} <span class="muted" style="${muted};font-size:14px;font-weight:400">${zone}</span></p>${
  elsewhere === undefined
    ? undefined
    : html`
<p class="muted" style="margin:4px 0 0;${muted};font-size:14px">${elsewhere}</p>`
}`

const button = ({ label, address }: Link, { accent, onAccent }: Shades) =>
  html`<a class="button" href="${address}" style="display:inline-block;padding:12px 22px;background:${accent};color:${onAccent};text-decoration:none;font-weight:600;border-radius:6px">${label}</a>`

/** Links without a button, where a question above is what the reader should act on. */
const linksHtml = (shades: Shades, ...links: (Link | undefined)[]) =>
  links
    .filter((link) => link !== undefined)
    .map((link) => html`<p style="margin:12px 0 0">${plainLink(link, shades)}</p>`)

const plainLink = ({ label, address }: Link, { accent }: Shades) =>
  html`<a class="accent" href="${address}" style="color:${accent}">${label}</a>`

const answersHtml = (answers: readonly Link[]) =>
  answers.map(
    ({ label, address }) =>
      html`<a class="answer" href="${address}" style="display:inline-block;margin:0 0 8px;margin-inline-end:8px;padding:10px 18px;border:1px solid #7c8882;border-radius:6px;${ink};text-decoration:none;font-weight:600">${label}</a>`,
  )
