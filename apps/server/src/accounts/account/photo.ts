import { deletePhoto, maxPhotoBytes, maxPhotoPixels, updatePhoto } from '@parley/contract'
import { type Parsed, readRequired, refuseAt } from '@parley/rules/text/parsed'
import type { StoredPhoto } from '../../../migrations/column-values.ts'
import type { Caller } from '../../access/caller.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { readImageField, type ServedImage, serveImages } from '../../platform/served-image.ts'
import type { Dependencies } from '../dependencies.ts'
import { lockAccount } from './account-store.ts'
import { deletePhotoBytes, findPhotoBytes, photoPath, replacePhotoBytes } from './photo-store.ts'
import { viewOwnProfile } from './profile.ts'

/** Register the endpoints of a person's own photo, and the address of photos. */
export function registerPhoto(dependencies: Dependencies): void {
  const { serve, http, database, random } = dependencies
  serve(updatePhoto, {
    read: ({ body }) => readRequired(body.image, readSquare),
    handle: ({ caller, input: image, database }) =>
      changePhoto(dependencies, database, caller, (tx, now) =>
        replacePhotoBytes(tx, random, caller.accountId, image, now),
      ),
  })
  serve(deletePhoto, {
    handle: ({ caller, database }) =>
      changePhoto(dependencies, database, caller, async (tx) => {
        await deletePhotoBytes(tx, caller.accountId)
        return null
      }),
  })
  serveImages(http, photoPath(':id'), {
    find: (id) => findPhotoBytes(database, id),
    // A photo that its owner has removed is gone from browsers the next day.
    cacheControl: `private, max-age=${cacheSeconds}`,
  })
}

const cacheSeconds = 24 * 60 * 60

function readSquare(text: string): Parsed<ServedImage> {
  const read = readImageField(text, maxPhotoBytes)
  if (read.value === undefined) return read
  const { width, height } = read.value
  if (width === height && width <= maxPhotoPixels) return read
  return refuseAt(
    '/image',
    'bad_image',
    `is ${width} × ${height} pixels; a square of at most ${maxPhotoPixels} is taken`,
  )
}

/** Change the photo of the caller, and show the profile with it. */
const changePhoto = (
  service: Dependencies,
  database: Database,
  caller: Caller,
  change: (tx: Tx, now: Date) => Promise<StoredPhoto | null>,
) =>
  inTransaction(database, async (tx) => {
    const now = service.clock.now()
    const account = await lockAccount(tx, caller.accountId)
    if (account === undefined) throw problem('unauthorized')
    const photo = await change(tx, now)
    await tx
      .updateTable('account')
      .set({ photo: photo && JSON.stringify(photo), modifiedAt: now })
      .where('id', '=', account.id)
      .execute()
    return viewOwnProfile(service, tx, caller, { ...account, photo })
  })
