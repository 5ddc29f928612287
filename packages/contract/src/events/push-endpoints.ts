import { languageCodes } from '@parley/texts/languages'
import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, noContent } from '../value.ts'

/** Addresses of push services have a few hundred characters. */
const maxEndpointLength = 2_000

/** 65 bytes in base64url, and 16. */
const maxReceiverKeyLength = 88
const maxAuthLength = 24

export const readPushSubscription = endpoint({
  name: 'readPushSubscription',
  method: 'GET',
  path: '/api/user/push-subscription',
  tag: 'Events',
  summary: 'Read whether notifications are pushed to this session',
  description:
    'For pages that offer notifications on the device: whether this session has a subscription, and the key with which ' +
    'the browser makes one (`applicationServerKey` of `PushManager.subscribe`).',
  access: 'session',
  cost: 'light',
  reply: Type.Object({
    publicKey: Type.String({ description: 'The public key of the service (RFC 8292), in base64url' }),
    subscribed: Type.Boolean({ description: 'Whether this session has a subscription' }),
  }),
  problems: [],
})

export const putPushSubscription = endpoint({
  name: 'putPushSubscription',
  method: 'PUT',
  path: '/api/user/push-subscription',
  tag: 'Events',
  summary: 'Have notifications pushed to the browser of this session',
  description:
    'Takes what the browser returns from `PushManager.subscribe`. Notifications `starting` and `waiting` are then sent to ' +
    'that address by Web Push (RFC 8030), encrypted for the browser (RFC 8291), in addition to the list. The subscription ' +
    'ends with the session, when the push service no longer knows the address, and when another session of any person ' +
    'takes the address. An account has 8; a further one replaces the oldest.',
  access: 'session',
  cost: 'light',
  body: Type.Object({
    endpoint: Type.String({ maxLength: maxEndpointLength, description: 'The address at the push service; https only' }),
    keys: Type.Object(
      {
        p256dh: Type.String({
          maxLength: maxReceiverKeyLength,
          description: 'The public key of the browser, in base64url',
        }),
        auth: Type.String({
          maxLength: maxAuthLength,
          description: 'The secret shared with the browser, in base64url',
        }),
      },
      { description: 'What messages are encrypted with' },
    ),
    language: choice(languageCodes, { description: 'The language of the texts' }),
  }),
  example: {
    endpoint: 'https://push.example.net/wpush/v2/gAAAAABk',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    language: 'en',
  },
  reply: noContent,
  replyStatuses: [204],
  problems: [],
})

export const deletePushSubscription = endpoint({
  name: 'deletePushSubscription',
  method: 'DELETE',
  path: '/api/user/push-subscription',
  tag: 'Events',
  summary: 'Stop pushing notifications to this session',
  description: 'Succeeds as well where there is none.',
  access: 'session',
  cost: 'light',
  reply: noContent,
  replyStatuses: [204],
  problems: [],
})
