/** The emails about webhooks in one language. */
export type WebhookEmailTexts = {
  states: Record<'failing' | 'disabled', { subject: Of; lead: Of; next: string }>
  /** All webhooks that the person has made, because their sign-ins have ended. */
  switchedOff: { subject: string; lead: string; receivers: (hosts: string) => string; next: string }
  open: string
}

/** Names the receiver by its host. */
type Of = (receiver: string) => string
