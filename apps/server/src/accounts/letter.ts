/** A mail of plain sentences to one person, with at most one thing to do. Written once, sent as text and as HTML. */
export type Letter = {
  to: string
  subject: string
  paragraphs: readonly string[]
  /** Stands after the first paragraph. */
  link?: { label: string; address: string }
}

export type LetterBodies = { text: string; html: string }

export function writeLetter({ subject, paragraphs: [first = '', ...others], link }: Letter): LetterBodies {
  const linkText = link === undefined ? [] : [link.address]
  const linkHtml =
    link === undefined
      ? []
      : [`<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.label)}</a></p>`, paragraph(link.address)]
  return {
    text: `${[first, ...linkText, ...others].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      '<body style="font-family: sans-serif; max-width: 40em; line-height: 1.5">',
      ...[paragraph(first), ...linkHtml, ...others.map(paragraph)],
      '</body></html>',
      '',
    ].join('\n'),
  }
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
