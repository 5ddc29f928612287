import type { Fact, Link, MailDocument, TimeOf } from './mail-document.ts'

/** Write the plain text of a mail, with everything that the HTML shows and links to. */
export function documentText(document: MailDocument): string {
  const { title, lead, time, message, paragraphs, changes, facts, description, action, add, question, notes, footer } =
    document
  const asked = question === undefined ? '' : [question.text, ...question.answers.map(linkText)].join('\n')
  const blocks = [
    lead,
    title,
    message === undefined
      ? ''
      : `${message.heading}:\n${message.text.replaceAll('\r\n', '\n').replaceAll(/^/gm, '> ')}`,
    ...paragraphs,
    changes.rows.length + changes.dates.length === 0
      ? ''
      : [changes.heading, ...changes.rows.flatMap(changeLines), ...changes.dates.map(factText)].join('\n'),
    [...(time === undefined ? [] : [timeText(time)]), ...facts.map(factText)].join('\n'),
    document.asksFirst ? asked : '',
    linkText(action),
    linkText(add),
    description === undefined ? '' : `${description.heading}:\n${description.text}`,
    document.asksFirst ? '' : asked,
    ...notes,
    footer.length === 0 ? '' : `-- \n${footer.join('\n')}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

const changeLines = ({ label, before, after, beforeLabel, afterLabel }: MailDocument['changes']['rows'][number]) => [
  `${label}`,
  `  ${beforeLabel}: ${before.replaceAll('\n', '\n    ')}`,
  `  ${afterLabel}: ${after.replaceAll('\n', '\n    ')}`,
]

const timeText = ({ label, text, elsewhere }: TimeOf) =>
  factText({ label, lines: elsewhere === undefined ? [text] : [text, elsewhere] })

const factText = ({ label, lines }: Fact) => `${label}: ${lines.join('\n  ')}`

const linkText = (link: Link | undefined) => (link === undefined ? '' : `${link.label}: ${link.address}`)
