import { gunzipSync } from 'node:zlib'
import {
  JoinRequest,
  type SessionDescription,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol'

/** With an offer of many sections; a decompression bomb ends here. */
const maxJoinRequestLength = 1024 * 1024

export type Join = {
  autoSubscribe: boolean
  /** The session to go on with; undefined for a new one. */
  resumedSid: string | undefined
  offer: SessionDescription | undefined
}

/** Reads the `join_request` of an address: base64url of a protocol buffer, as a rule compressed. Undefined for anything else. */
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
