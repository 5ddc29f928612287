/** The emails about webhooks in one language. */
export type WebhookEmailTexts = {
  states: Record<'failing' | 'disabled', { subject: Of; lead: Of; next: string }>
  open: string
}

/** Names the receiver by its host. */
type Of = (receiver: string) => string
