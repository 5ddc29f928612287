import { deletePushSubscription, putPushSubscription, readPushSubscription } from '@parley/contract'
import { isLanguage, type Language } from '@parley/texts/languages'
import { queryOptions } from '@tanstack/react-query'
import { readClockMs } from '../ui/hooks/use-now.ts'
import { client } from './client.ts'
import { findServiceWorker, registerServiceWorker } from './service-worker-registration.ts'

/**
 * Notifications of the operating system. `pushed`: by the push service of the browser, also while no page is open.
 * `shown`: the browser has no push service that answers, and open pages show them. `refused` and `unasked`: the person, or
 * the browser without asking, has not allowed them.
 */
export type DevicePermission = 'unsupported' | 'refused' | 'unasked' | 'off' | 'shown' | 'pushed'

/** What this browser stores while they are on, for the person who has switched them on. */
type Stored = {
  accountId: string
  endpoint: string | null
  language: string
  /** Attempts in a row after which there was no endpoint, and when the last one was made. */
  failures: number
  triedAt: number
}

const storageKey = 'parley-device-notifications'

export const deviceStateKey = ['device-notifications']

/** A browser without a connection to its push service may not answer at all. */
const subscribeLimitMs = 10_000

/**
 * The time to the next attempt in a browser without a push service doubles each time: an attempt takes up to ten seconds,
 * and is logged by the browser.
 */
const firstPauseMs = 10 * 60_000
const maxPauseMs = 24 * 60 * 60_000

function isTooEarly({ endpoint, failures, triedAt }: Stored): boolean {
  const passedMs = readClockMs() - triedAt
  return endpoint === null && passedMs >= 0 && passedMs < Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs)
}

const isDeviceSupported = (): boolean => 'Notification' in window && 'serviceWorker' in navigator

function readStored(accountId: string): Stored | undefined {
  const text = localStorage.getItem(storageKey)
  const stored: Stored | null = text === null ? null : JSON.parse(text)
  return stored?.accountId === accountId ? stored : undefined
}

function store({ failures, ...attempt }: Omit<Stored, 'triedAt'>): void {
  const stored: Stored = { ...attempt, failures: attempt.endpoint === null ? failures + 1 : 0, triedAt: readClockMs() }
  localStorage.setItem(storageKey, JSON.stringify(stored))
}

/** Whether open pages have to show notifications, because none are pushed. */
export function showsOnDevice(accountId: string): boolean {
  const isGranted = isDeviceSupported() && Notification.permission === 'granted'
  return isGranted && readStored(accountId)?.endpoint === null
}

/** The state as it is now, without asking the person. */
function readDeviceState(accountId: string): DevicePermission {
  if (!isDeviceSupported()) return 'unsupported'
  const stored = readStored(accountId)
  if (Notification.permission === 'denied') return 'refused'
  if (stored === undefined || Notification.permission !== 'granted') return 'off'
  return stored.endpoint === null ? 'shown' : 'pushed'
}

/** The state for what shows it. The switch changes it, and `keepDevice` once after a page was loaded. */
export const deviceStateQuery = (accountId: string) =>
  queryOptions({ queryKey: deviceStateKey, staleTime: 0, queryFn: () => readDeviceState(accountId) })

/** Ask the browser's permission, which only a click may do, and have notifications shown. */
export async function switchDeviceOn(accountId: string, language: Language): Promise<DevicePermission> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'refused' : 'unasked'
  const registration = await registerServiceWorker()
  if (registration === undefined) return 'unsupported'
  const { publicKey } = await client.call(readPushSubscription)
  const endpoint = await subscribe(registration, publicKey, language)
  store({ accountId, endpoint, language, failures: 0 })
  return readDeviceState(accountId)
}

/** The address at the push service; null where the browser has none that answers. */
async function subscribe(registration: ServiceWorkerRegistration, publicKey: string, language: Language) {
  const subscription = await Promise.race([
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), subscribeLimitMs)),
  ])
  if (subscription === null) return null
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  await client.call(putPushSubscription, { body: { endpoint, keys: { p256dh, auth }, language } })
  return endpoint
}

/** Take everything back, here and at the server. */
export async function switchDeviceOff(): Promise<void> {
  await client.call(deletePushSubscription)
  await clearDevice()
}

/** Leave nothing in this browser: after the session has ended, the server has deleted its part. */
export async function clearDevice(): Promise<void> {
  if (localStorage.getItem(storageKey) === null) return
  localStorage.removeItem(storageKey)
  const registration = await findServiceWorker()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

/**
 * Register the service worker, and renew the subscription of a browser where they are on: for a new session, a new
 * address, or another language. Clear what another person has left.
 */
export async function keepDevice(accountId: string, language: string): Promise<void> {
  const registration = await registerServiceWorker()
  if (registration === undefined || localStorage.getItem(storageKey) === null) return
  const stored = readStored(accountId)
  if (stored === undefined) return clearDevice()
  if (!isDeviceSupported() || Notification.permission !== 'granted' || !isLanguage(language)) return
  if (isTooEarly(stored)) return
  const { publicKey, subscribed } = await client.call(readPushSubscription)
  const current = await registration.pushManager.getSubscription()
  const isCurrent = subscribed && current?.endpoint === stored.endpoint && stored.language === language
  if (isCurrent) return
  const endpoint = await subscribe(registration, publicKey, language)
  store({ accountId, endpoint, language, failures: stored.failures })
}
