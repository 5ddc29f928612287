import type { StoredPhoto } from '../../../migrations/column-values.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import type { ServedImage } from '../../platform/served-image.ts'

/** With 128 random bits, no one finds the photo of a person whose profile they may not read. */
const idBytes = 16

/** Replace the bytes of an account's photo. Return what `account.photo` says of it: a new photo has a new address. */
export async function replacePhotoBytes(
  tx: Tx,
  random: Random,
  accountId: string,
  { bytes, mediaType }: ServedImage,
  now: Date,
): Promise<StoredPhoto> {
  const values = { id: random.bytes(idBytes).toString('base64url'), mediaType, bytes, createdAt: now }
  await tx
    .insertInto('accountPhoto')
    .values({ accountId, ...values })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
    .execute()
  return { id: values.id, setOn: now.toISOString() }
}

export const deletePhotoBytes = (tx: Tx, accountId: string) =>
  tx.deleteFrom('accountPhoto').where('accountId', '=', accountId).execute()

/** Find the bytes of a photo. That of a deleted account is not found before it is erased. */
export const findPhotoBytes = (database: Database, id: string) =>
  database
    .selectFrom('accountPhoto')
    .innerJoin('account', 'account.id', 'accountPhoto.accountId')
    .select(['accountPhoto.mediaType', 'accountPhoto.bytes'])
    .where('accountPhoto.id', '=', id)
    .where('account.deletedAt', 'is', null)
    .executeTakeFirst()

/** Find the bytes of an account's photo, for its owner. */
export const findOwnPhoto = (database: Database, accountId: string) =>
  database
    .selectFrom('accountPhoto')
    .select(['mediaType', 'bytes'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

export const photoPath = (id: string) => `/people/photos/${id}`

/** The field `photoUrl`, by which pages show a photo; nothing without one. */
export const viewPhotoUrl = (photo: Pick<StoredPhoto, 'id'> | null) =>
  photo === null ? {} : { photoUrl: photoPath(photo.id) }

/** The account of an image: `createdAt` may be text from a JSON column. */
type PhotographedAccount = { createdAt: Date | string; photo: StoredPhoto | null }

/** The `imageMeta` of an account; without a photo, the complete object with empty fields. */
export function imageMetaOf({ createdAt, photo }: PhotographedAccount, baseUrl: string) {
  if (photo === null) return { baseurl: '', filePath: '', mOn: new Date(createdAt).toISOString(), path: '' }
  const filePath = photoPath(photo.id)
  return { baseurl: baseUrl, filePath, mOn: photo.setOn, path: `${baseUrl}${filePath}` }
}
