/** What a receiver's response means. */
export type DeliveryOutcome =
  | { kind: 'taken' }
  | { kind: 'gone' }
  /** `retryAfterMs`: how long it asks to wait. */
  | { kind: 'refused'; retryAfterMs: number | undefined }

/**
 * Classify a response: 2xx takes the event, 410 switches the webhook off (Standard Webhooks 1.0, "Delivery"), and
 * everything else, redirects included, is a refusal.
 */
export function classifyResponse(status: number, retryAfter: string | undefined, now: Date): DeliveryOutcome {
  if (status >= 200 && status <= 299) return { kind: 'taken' }
  if (status === 410) return { kind: 'gone' }
  return { kind: 'refused', retryAfterMs: retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now) }
}

/** RFC 9110, 10.2.3: seconds, or an HTTP date. Anything else counts as absent. */
function readRetryAfter(text: string, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = /GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
