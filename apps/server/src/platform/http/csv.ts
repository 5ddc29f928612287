/**
 * One line of a CSV file (RFC 4180): every cell in quotes. A cell that a spreadsheet would take for a formula begins with
 * an apostrophe instead, because what strangers typed must compute nothing on an administrator's machine.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

const computes = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

function cellOf(text: string): string {
  const harmless = computes.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
