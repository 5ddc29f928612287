import { gunzipSync } from 'node:zlib'
import {
  JoinRequest,
  type SessionDescription,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol'

/** Large enough for an offer of many sections, small enough to stop a decompression bomb. */
const maxJoinRequestLength = 1024 * 1024

export type Join = {
  autoSubscribe: boolean
  /** The session to resume; undefined for a new one. */
  resumedSid: string | undefined
  offer: SessionDescription | undefined
}

/**
 * Read the query parameter `join_request`: a protocol buffer in base64url, usually compressed. Undefined for anything
 * else.
 */
export function readJoinRequest(parameter: string | null): Join | undefined {
  if (parameter === null || parameter === '') return undefined
  try {
    const wrapped = WrappedJoinRequest.fromBinary(Buffer.from(parameter, 'base64url'))
    const octets =
      wrapped.compression === WrappedJoinRequest_Compression.GZIP
        ? gunzipSync(wrapped.joinRequest, { maxOutputLength: maxJoinRequestLength })
        : wrapped.joinRequest
    const request = JoinRequest.fromBinary(octets)
    return {
      autoSubscribe: request.connectionSettings?.autoSubscribe ?? false,
      resumedSid: request.reconnect ? request.participantSid : undefined,
      offer: request.publisherOffer,
    }
  } catch {
    return undefined
  }
}
