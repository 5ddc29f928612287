import { readFileSync } from 'node:fs'
import { splitLinks } from '@parley/rules/text/text-links'
import { directionOf } from '@parley/texts/languages'
import { Html, html } from '../platform/http/html.ts'
import type { Fact, Link, MailDocument, TimeOf } from './mail-document.ts'

/** Dark colours and small screens, for programs that support style sheets. Essential styles are inline as well. */
const style = new Html(readFileSync(new URL('document-style.css', import.meta.url), 'utf8'))

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
const ink = 'color:#1b2420'
const muted = 'color:#55615b'

/**
 * Write the HTML of a mail: tables and inline styles, because mail programs support little else, and no images, because
 * loading them reveals the reader: the name of the product is text. All text is escaped; people's text keeps its own direction.
 */
export function documentHtml(document: MailDocument): string {
  const { language, subject, title, lead, paragraphs, changes, facts, description, action, add, question } = document
  const { notes, footer, time, isOff, banner, asksFirst, message } = document
  const actions = [
    action &&
      section(
        asksFirst ? html`${linksHtml(action, add)}` : html`${button(action)}${shownAddress(action)}${linksHtml(add)}`,
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
${style}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f5f3">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f3">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" dir="${direction}" style="width:100%;max-width:560px">
<tr><td style="padding:0 28px 12px;${font};font-size:18px;line-height:1.25;font-weight:700;letter-spacing:-0.2px"><span class="accent" dir="ltr" style="color:#14655a">Parley</span></td></tr>
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
}<h1 dir="auto" style="margin:0;font-size:24px;line-height:1.25;font-weight:600;word-break:break-word">${isOff ? html`<s>${title}</s>` : title}</h1>${time && timeHtml(time)}${message && messageHtml(message)}${paragraphsHtml(paragraphs, 12)}
</td></tr>
${changes.rows.length + changes.dates.length === 0 ? undefined : changesHtml(changes)}
${facts.length === 0 ? undefined : factsHtml(facts)}
${asksFirst ? actions.toReversed() : actions[0]}${notes.length === 0 ? undefined : section(html`${paragraphsHtml(notes, 0)}`)}
${
  description &&
  section(html`<p class="muted" style="margin:0 0 4px;${muted};font-size:14px">${description.heading}</p>
<div dir="auto" style="word-break:break-word">${linesHtml(description.text)}</div>`)
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

const paragraphsHtml = (paragraphs: readonly string[], firstMargin: number) =>
  paragraphs.map(
    (text, at) => html`<p style="margin:${at === 0 ? firstMargin : 12}px 0 0;word-break:break-word">${text}</p>`,
  )

const messageHtml = ({ heading, text }: NonNullable<MailDocument['message']>) => html`
<div class="quote" style="margin:16px 0 0;padding-block:4px;padding-inline-start:14px;border-inline-start:3px solid #14655a;word-break:break-word">
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

const changesHtml = ({ heading, rows, dates }: MailDocument['changes']) =>
  section(html`<p style="margin:0 0 8px;font-weight:600">${heading}</p>
<table role="presentation" cellpadding="0" cellspacing="0" width="100%">${rows.map(
    ({ label, before, after, beforeLabel, afterLabel }) => html`
<tr>
<td class="ink muted label" valign="top" width="120" style="padding:6px 0;padding-inline-end:16px;${font};${muted};font-size:14px;line-height:1.6">${label}</td>
<td class="ink" valign="top" style="padding:6px 0;${font};${ink};font-size:16px;line-height:1.5;word-break:break-word">
<div class="muted" style="${muted};font-size:14px">${beforeLabel}: <s dir="auto">${linesHtml(before)}</s></div>
<div>${afterLabel}: <strong dir="auto" style="font-weight:600">${linesHtml(after)}</strong></div>
</td>
</tr>`,
  )}${dates.map(factHtml)}</table>`)

const linesHtml = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line, at) => html`${at === 0 ? undefined : new Html('<br>')}${splitLinks(line).map(partHtml)}`)

const partHtml = ({ text, href }: ReturnType<typeof splitLinks>[number]) =>
  href === undefined ? text : html`<a class="accent" href="${href}" rel="nofollow" style="color:#14655a">${text}</a>`

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

const button = ({ label, address }: Link) =>
  html`<a class="button" href="${address}" style="display:inline-block;padding:12px 22px;background:#14655a;color:#ffffff;text-decoration:none;font-weight:600;border-radius:6px">${label}</a>`

/** Links without a button, where a question above is what the reader should act on. */
const linksHtml = (...links: (Link | undefined)[]) =>
  links.filter((link) => link !== undefined).map((link) => html`<p style="margin:12px 0 0">${plainLink(link)}</p>`)

const plainLink = ({ label, address }: Link) =>
  html`<a class="accent" href="${address}" style="color:#14655a">${label}</a>`

const answersHtml = (answers: readonly Link[]) =>
  answers.map(
    ({ label, address }) =>
      html`<a class="answer" href="${address}" style="display:inline-block;margin:0 0 8px;margin-inline-end:8px;padding:10px 18px;border:1px solid #7c8882;border-radius:6px;${ink};text-decoration:none;font-weight:600">${label}</a>`,
  )
