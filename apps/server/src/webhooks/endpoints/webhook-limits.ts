/** Each event is sent once to each webhook: a person with more would multiply what the service sends. */
export const maxWebhooksOfPerson = 10

/** In its sandbox, and apart from it: receivers for several environments, and one to move to. */
export const maxWebhooksOfApp = 10

/** Programs such as Zapier make one for each workflow of a user; all of an app's users together have many. */
export const maxWebhooksOfGrant = 5

/** All apps of one person together, however many the person has connected: each event is sent to all of them. */
export const maxWebhooksOfAllGrants = 30

/** Each gets the events of all accounts. */
export const maxWebhooksOfOrganisation = 10

/** A receiver is deployed with the new secret within a day. */
export const previousSecretMs = 24 * 60 * 60 * 1_000
