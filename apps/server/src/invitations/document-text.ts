import type { Link, MailDocument } from './mail-document.ts'

/** The plain text of a mail: whatever the HTML shows and leads to, is here too. */
export function documentText(document: MailDocument): string {
  const { title, lead, changes, facts, description, join, add, question, footer } = document
  const blocks = [
    lead,
    title,
    changes.rows.length === 0 ? '' : [changes.heading, ...changes.rows.flatMap(changeLines)].join('\n'),
    facts.map(({ label, lines }) => `${label}: ${lines.join('\n  ')}`).join('\n'),
    linkText(join),
    linkText(add),
    description === undefined ? '' : `${description.heading}:\n${description.text}`,
    question === undefined ? '' : [question.text, ...question.answers.map(linkText)].join('\n'),
    `-- \n${footer.join('\n')}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

const changeLines = ({ label, before, after, beforeLabel, afterLabel }: MailDocument['changes']['rows'][number]) => [
  `${label}`,
  `  ${beforeLabel}: ${before.replaceAll('\n', '\n    ')}`,
  `  ${afterLabel}: ${after.replaceAll('\n', '\n    ')}`,
]

const linkText = (link: Link | undefined) => (link === undefined ? '' : `${link.label}: ${link.address}`)
