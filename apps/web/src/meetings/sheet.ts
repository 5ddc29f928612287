import { csvLine } from '@parley/rules/text/csv'

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'

/** Write lines of cells as CSV for a spreadsheet. No cell is computed there. */
export const writeSheet = (lines: readonly (readonly string[])[]): string => byteOrderMark + lines.map(csvLine).join('')

/** A time of day in the reader's zone: in 24 hours with plain digits, which every spreadsheet reads. */
export const writeSheetTime = (instant: string): string =>
  new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Characters that file systems refuse. */
const refused = /[\s\\/:*?"<>|\p{Cc}]+/gu

export const sheetFileName = (...words: readonly string[]): string =>
  `${words.join(' ').replaceAll(refused, ' ').trim()}.csv`
