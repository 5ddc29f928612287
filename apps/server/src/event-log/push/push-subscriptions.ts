import { deletePushSubscription, putPushSubscription, readPushSubscription } from '@parley/contract'
import { combine, type Parsed, readRequired, refuseAt, refusedBySchema } from '@parley/rules/text/parsed'
import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Platform } from '../../platform/platform.ts'
import { encryptReceiver, findPushKey } from './push-key.ts'
import { publicKeyOf, type ReceiverKeys, readReceiverKeys } from './push-message.ts'
import { deleteSubscriptionOfSession, findSubscription, replaceSubscription } from './push-store.ts'

type Dependencies = Pick<Platform, 'clock' | 'random' | 'encryption'> & Pick<Access, 'serve'>

/** Register the endpoints by which a browser has its person's notifications pushed. */
export function registerPushSubscriptions({ serve, clock, random, encryption }: Dependencies): void {
  serve(readPushSubscription, {
    handle: async ({ caller, database }) => ({
      publicKey: publicKeyOf(await findPushKey(database, encryption)).toString('base64url'),
      subscribed: (await findSubscription(database, sessionOf(caller))) !== undefined,
    }),
  })
  serve(putPushSubscription, {
    read: ({ body }) =>
      combine({
        endpoint: readRequired(body.endpoint, readEndpoint),
        keys: readRequired(body.keys, readKeys),
        language: readRequired(body.language, (language) => ({ value: language })),
      }),
    handle: async ({ caller, input: { endpoint, keys, language }, database }) => {
      const now = clock.now()
      const id = random.uuid(now)
      const encryptedReceiver = encryptReceiver(encryption, { endpoint, ...keys }, id)
      const { accountId } = caller
      const sessionId = sessionOf(caller)
      const isStored = await inTransaction(database, (tx) =>
        replaceSubscription(tx, { id, sessionId, accountId, endpoint, encryptedReceiver, language, now }),
      )
      if (!isStored) throw problem('unauthorized')
    },
  })
  serve(deletePushSubscription, {
    handle: async ({ caller, database }) => {
      await deleteSubscriptionOfSession(database, sessionOf(caller))
    },
  })
}

/** The endpoints are for sessions alone. */
function sessionOf({ credential }: Caller): string {
  if (credential.kind !== 'session') throw problem('session_required')
  return credential.sessionId
}

/** The guarded fetch checks the host when a message is sent, because names change what they resolve to. */
function readEndpoint(text: string): Parsed<string> {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return { value: url.href }
  return refuseAt('/endpoint', 'bad_format', 'must be an https address of a push service')
}

/** Either is undefined where the schema refuses it. */
function readKeys({ p256dh, auth }: { p256dh: string | undefined; auth: string | undefined }): Parsed<ReceiverKeys> {
  if (p256dh === undefined || auth === undefined) return refusedBySchema
  const keys = readReceiverKeys({ p256dh, auth })
  return keys === undefined
    ? refuseAt('/keys', 'bad_format', 'must be the keys of a browser: a point of P-256, and 16 bytes')
    : { value: keys }
}
