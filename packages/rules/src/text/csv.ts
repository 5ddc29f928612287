/**
 * Format one line of a CSV file (RFC 4180) with all cells quoted. A cell that a spreadsheet would read as a formula
 * gets a leading apostrophe: users' input must not run on an administrator's machine.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

const computes = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

function cellOf(text: string): string {
  const harmless = computes.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
