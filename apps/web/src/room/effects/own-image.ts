/** A person's own image for the background. It stays on the device: in IndexedDB, or, where that is closed, in memory. */

/** As large as a picture of a call. */
const [maxWidth, maxHeight] = [1280, 720]
/** A photograph of a camera; larger ones may exhaust the memory of a phone. */
const maxImageBytes = 30 * 1024 * 1024
const quality = 0.9

/** The image of this visit, where the browser keeps none. */
const memory: { image?: Blob | undefined } = {}

class UnreadableImage extends Error {}

/** Keep an image, made as small as a call needs it. @throws UnreadableImage */
export async function keepOwnImage(file: Blob): Promise<Blob> {
  if (file.size > maxImageBytes) throw new UnreadableImage('too large')
  const image = await shrink(file).catch((error) => {
    throw new UnreadableImage('not an image', { cause: error })
  })
  memory.image = image
  await inStore('readwrite', (store) => store.put(image, key)).catch(() => {})
  return image
}

export async function findOwnImage(): Promise<Blob | undefined> {
  const kept: unknown = await inStore('readonly', (store) => store.get(key)).catch(() => undefined)
  return kept instanceof Blob ? kept : memory.image
}

export async function removeOwnImage(): Promise<void> {
  memory.image = undefined
  await inStore('readwrite', (store) => store.delete(key)).catch(() => {})
}

async function shrink(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, Math.max(maxWidth / image.width, maxHeight / image.height))
  const canvas = new OffscreenCanvas(Math.ceil(image.width * scale), Math.ceil(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

const [name, table, key] = ['parley-background', 'images', 'own'] as const

function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(table)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(table, mode)
      const request = act(transaction.objectStore(table))
      transaction.oncomplete = () => {
        database.close()
        resolve(request.result)
      }
      transaction.onabort = () => {
        database.close()
        reject(transaction.error)
      }
    }
  })
}
