import { isolated } from '@parley/rules/text/isolated-text'
import { directionOf } from '@parley/texts/languages'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { createGuardedFetch, type GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import type { Platform } from '../../platform/platform.ts'
import { sha256 } from '../../platform/sha256.ts'
import { textsIn } from '../../platform/texts.ts'
import { decryptReceiver, findPushKey } from './push-key.ts'
import { encryptPushMessage, privateKeyBytes, saltBytes, vapidAuthorization } from './push-message.ts'
import { countFailure, deleteSubscription, findPush, type Push, pushJob, resetFailures } from './push-store.ts'

const minuteMs = 60_000

/** After this time, a person who waits or a call that has begun is no news. */
const happenedLifetimeMs = 5 * minuteMs

/** Push services answer within a fraction of a second; a slow address holds up the pushes to others. */
const pushFetchLimits = { timeMs: 3_000, redirects: 0, bodyBytes: 1_024 }

/** A message reaches push services at public addresses over https alone: a subscription names any address. */
export const createPushFetch = ({ baseUrl }: Pick<Config, 'baseUrl'>): GuardedFetch =>
  createGuardedFetch({ baseUrl, limits: pushFetchLimits, isAllowedPort: (port) => port === 443 })

type PushDependencies = Pick<Platform, 'config' | 'clock' | 'random' | 'encryption' | 'log' | 'database'> & {
  pushFetch: GuardedFetch
}

/**
 * Create the job that pushes a notification to a browser. A job that runs twice sends the same message twice, of which
 * the browser shows one: they have the same tag.
 */
export const createPushTasks = (dependencies: PushDependencies): Tasks =>
  pushJob.handle(async (payload) => {
    const { database, clock, log, pushFetch } = dependencies
    const now = clock.now()
    const push = await findPush(database, { ...payload, now })
    if (push === undefined || !isDue(push, now, dependencies.config)) return
    const { subscriptionId } = push
    const { status } = await pushFetch(...(await composeRequest(dependencies, push, now))).catch(async (error) => {
      await countFailure(database, subscriptionId)
      throw error
    })
    // RFC 8030, 7.3: the subscription has expired.
    if (status === 404 || status === 410) return void (await deleteSubscription(database, subscriptionId))
    if (status >= 200 && status < 300) return void (await resetFailures(database, subscriptionId))
    await countFailure(database, subscriptionId)
    if (status === 429 || status >= 500) throw new Error(`The push service answers ${status}.`)
    log.warn({ subscriptionId, status }, 'a push service refuses a message')
  })

/** Whether it is still worth showing, to this person. */
function isDue(push: Push, now: Date, config: Config): boolean {
  const { readAt, isInside, code, byAddress, isVerified } = push
  if (readAt !== null || isInside || code === null || expiryOf(push) <= now) return false
  return !byAddress || isVerified || trustsEveryAddress(config)
}

const expiryOf = ({ kind, occurredAt, data }: Push): Date =>
  kind === 'starting' ? new Date(data.startsAt ?? occurredAt) : new Date(occurredAt.getTime() + happenedLifetimeMs)

async function composeRequest(
  { database, config, random, encryption }: PushDependencies,
  push: Push,
  now: Date,
): Promise<Parameters<GuardedFetch>> {
  const receiver = decryptReceiver(encryption, push.encryptedReceiver, push.subscriptionId)
  const { endpoint } = receiver
  const serviceKey = await findPushKey(database, encryption)
  const message = Buffer.from(JSON.stringify(composeMessage(push, now)))
  const ephemeral = { privateKey: random.bytes(privateKeyBytes), salt: random.bytes(saltBytes) }
  const vapid = { privateKey: serviceKey, contact: contactOf(config) }
  const headers = {
    authorization: vapidAuthorization(endpoint, vapid, now),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    // A browser that comes online later is not told of what is over.
    ttl: String(Math.ceil((expiryOf(push).getTime() - now.getTime()) / 1000)),
    // Of several that wait at the push service, the last one is delivered (RFC 8030, 5.4).
    topic: topicOf(push),
    urgency: 'high',
  }
  return [
    endpoint,
    { method: 'POST', headers, body: encryptPushMessage(message, receiver, ephemeral), readBody: false },
  ]
}

/** At most 32 characters of base64url. The push service learns nothing of the meeting. */
const topicOf = ({ kind, code, subscriptionId }: Push) =>
  sha256(`${kind} ${code} ${subscriptionId}`).toString('base64url').slice(0, 32)

/** Whom an operator of a push service writes to (RFC 8292, 2.1). */
const contactOf = ({ baseUrl }: Pick<Config, 'baseUrl'>) =>
  baseUrl.startsWith('https:') ? baseUrl : `mailto:postmaster@${new URL(baseUrl).hostname}`

/** What the service worker shows (apps/web/src/app/service-worker): no PIN, no link that lets in, no address. */
type PushMessage = {
  title: string
  body: string
  language: string
  direction: string
  /** The page to open. */
  path: string
  /** A second notification with the same tag takes the place of the first. */
  tag: string
  /** Shown in the zone of the device. */
  startsAt?: string
}

function composeMessage({ kind, code, data, isOwnRoom, language, ...push }: Push, now: Date): PushMessage {
  const t = textsIn(language, 'push')
  const startsAt = kind === 'starting' ? data.startsAt : undefined
  const minutes = Math.round((new Date(startsAt ?? now).getTime() - now.getTime()) / minuteMs)
  const person = data.person ? isolated(language, data.person) : t('guest')
  const starting = minutes < 1 ? t('startingNow') : t('starting', { count: minutes })
  return {
    title: isOwnRoom ? t('ownRoom') : (data.subject ?? ''),
    body: kind === 'starting' ? starting : kind === 'started' ? t('started') : t('waiting', { person }),
    language,
    direction: directionOf(language),
    path: `/j/${code}`,
    tag: push.notificationId,
    ...(startsAt !== undefined && { startsAt: new Date(startsAt).toISOString() }),
  }
}
