/**
 * Format one line of a CSV file (RFC 4180) with all cells quoted. What a spreadsheet would read as a formula gets a leading
 * apostrophe: users' input must not run on the reader's machine. That includes a formula after a semicolon, because Excel
 * separates cells by semicolons where the comma is the decimal sign, and quotation marks protect only the first of them.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

const formulas = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|(?<=;"*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g

function cellOf(text: string): string {
  return `"${text.replaceAll(formulas, "'$&").replaceAll('"', '""')}"`
}
