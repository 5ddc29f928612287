import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html } from '../platform/http/html.ts'

/** An inline style sheet, and the source that allows it in a content security policy. */
type PageStyle = { sheet: Html; source: string }

const readSheet = (file: URL) => readFileSync(file, 'utf8')
const baseSheet = readSheet(new URL('base-style.css', import.meta.url))

/** Read a style sheet and put it behind the one that all pages share. */
export function readPageStyle(file: URL): PageStyle {
  const sheet = baseSheet + readSheet(file)
  return { sheet: new Html(sheet), source: `'sha256-${hash('sha256', sheet, 'base64')}'` }
}
