/** Write bytes in base64. `Uint8Array.toBase64` is too new for some browsers. */
export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Fetch an image of the service in base64, as its endpoints take it back. */
export const fetchImage = async (url: string): Promise<string> => toBase64(await (await fetch(url)).blob())
