import type { StoredBrand } from '../../migrations/column-values.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { type TopicSubscriptions, topicOf } from '../platform/database/topics.ts'
import { findLogo, findServiceBrand } from './organisation-store.ts'

/** The name and the icon under which browsers keep the pages; undefined where Parley's own stand. */
type ServiceFace = { name: string | undefined; icon: FaceIcon | undefined }

/** An SVG, which browsers scale to the sizes that they need. `version` changes with it. */
type FaceIcon = { svg: string; version: string }

/** Published by each change of a brand. */
export const brandTopic = topicOf('brand', 'any')

/** The notification of a change may be lost. */
const keptForMs = 5 * 60_000

type Given = { database: Database; clock: Clock; topicSubscriptions: TopicSubscriptions }

/**
 * Return a function that finds the face of the organisation that runs the service. It is kept in memory until a brand
 * changes, because browsers request the icon and the manifest with every page.
 */
export function createFindServiceFace({ database, clock, topicSubscriptions }: Given): () => Promise<ServiceFace> {
  let kept: { face: Promise<ServiceFace>; until: number } | undefined
  let isSubscribed = false
  const drop = () => {
    kept = undefined
  }
  return () => {
    if (!isSubscribed) topicSubscriptions.subscribe([brandTopic], { published: drop, mayHaveMissed: drop })
    isSubscribed = true
    const now = clock.now().getTime()
    if (kept !== undefined && now < kept.until) return kept.face
    const face = readFace(database)
    kept = { face, until: now + keptForMs }
    face.catch(drop)
    return face
  }
}

async function readFace(database: Database): Promise<ServiceFace> {
  const { name, logos = {} } = await findServiceBrand(database)
  return { name, icon: await readIcon(database, logos) }
}

/** A wider logo is a line of letters, illegible at 16 pixels. */
const widestRatio = 1.5

async function readIcon(database: Database, { light }: NonNullable<StoredBrand['logos']>) {
  if (light === undefined || Math.max(light.width / light.height, light.height / light.width) > widestRatio) return
  const logo = await findLogo(database, light.digest)
  if (logo === undefined) return
  const image = `data:${logo.mediaType};base64,${logo.bytes.toString('base64')}`
  return { svg: renderIcon(image), version: light.digest }
}

/** The logo for light pages on a light plate, which dark tabs and home screens need as well. */
const renderIcon = (image: string) =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#fff"/>' +
  `<image x="3" y="3" width="26" height="26" href="${image}"/></svg>`
