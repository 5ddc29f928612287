import { Unreadable } from './found-entry.ts'

/** A row with the line on which it begins, from 1 on. */
export type Row = { line: number; cells: readonly string[] }

/**
 * Parse CSV (RFC 4180). Spreadsheets separate by semicolons where the comma is the decimal sign, and by tabs: the first
 * line decides. Empty rows are left out. @throws Unreadable
 */
export function parseCsv(text: string): readonly Row[] {
  const separator = separatorOf(text)
  const rows: Row[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  let begin = 1
  let at = 0
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: begin, cells })
    cells = []
    begin = line
  }
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"' && cell === '') {
      const opened = line
      for (at += 1; text.charAt(at) !== '"' || text.charAt(at + 1) === '"'; at += 1) {
        if (at >= text.length) throw new Unreadable(`The quotation mark on line ${opened} is never closed.`)
        if (text.charAt(at) === '"') at += 1
        if (text.charAt(at) === '\n') line += 1
        cell += text.charAt(at)
      }
    } else if (character === separator) endCell()
    else if (character === '\n') {
      line += 1
      endRow()
    } else if (character !== '\r') cell += character
    at += 1
  }
  if (cell !== '' || cells.length > 0) endRow()
  return rows
}

function separatorOf(text: string): string {
  const [head = ''] = text.split('\n', 1)
  const counted = [',', ';', '\t'].map((one) => ({ one, count: head.split(one).length }))
  return counted.reduce((best, other) => (other.count > best.count ? other : best)).one
}
