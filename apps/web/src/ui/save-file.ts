/** Long enough for the browser to begin the download. */
const revokeAfterMs = 60_000

/** Offer a text to the browser as a file download. */
export function saveFile(text: string, fileName: string, mediaType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), revokeAfterMs)
}
