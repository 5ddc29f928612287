import { type Static, Type } from 'typebox'

/**
 * Every problem of the API: the stable code, its HTTP status, and a sentence for people (RFC 9457). A code never
 * changes its meaning; a new meaning gets a new code.
 */
export const problems = {
  invalid_request: { status: 400, title: 'Some fields of the request are not as they should be.' },
  malformed_body: { status: 400, title: 'The body is not valid JSON.' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP for this service.' },
  invalid_idempotency_key: { status: 400, title: 'The Idempotency-Key header must hold 1 to 255 visible characters.' },
  passkey_refused: { status: 400, title: 'This passkey could not be added. Begin again.' },
  invalid_token: { status: 400, title: 'This link is not valid, was used before, or has expired. Ask for a new one.' },
  unauthorized: { status: 401, title: 'Sign in, or send a valid token in the Authorization header.' },
  wrong_credentials: { status: 401, title: 'The email address or the password is wrong.' },
  wrong_passkey: { status: 401, title: 'This passkey opens no account here. Sign in another way.' },
  insufficient_scope: { status: 403, title: 'This token does not carry the scope that this request needs.' },
  forbidden: { status: 403, title: 'You may see this, but not do what you asked for.' },
  wrong_pin: { status: 403, title: 'The PIN is wrong.' },
  not_invited: { status: 403, title: 'This meeting is for the people who are invited to it.' },
  session_required: { status: 403, title: 'Only a signed-in person can do this; a personal or app token cannot.' },
  confirmation_required: { status: 403, title: 'Send your password as well, or confirm with a passkey.' },
  recent_sign_in_required: { status: 403, title: 'Send your password as well, or sign in again before you do this.' },
  host_required: { status: 403, title: 'Only the host or a cohost can do this.' },
  app_token_refused: { status: 403, title: 'An app cannot do this in your name; only you can.' },
  app_token_required: { status: 403, title: 'Only an app can do this, with the token of its user.' },
  embed_ticket_refused: {
    status: 403,
    title: 'This ticket was used, has expired, or is for another meeting, app or page.',
  },
  reviewer_required: { status: 403, title: 'Only a reviewer can do this.' },
  own_app: { status: 403, title: 'Another reviewer has to decide about your own app.' },
  oauth_not_enabled: {
    status: 403,
    title: 'OAuth is not enabled for your account yet. Ask for it with POST /api/oauth2/access.',
  },
  administrator_required: { status: 403, title: 'Only an administrator can do this.' },
  cross_origin: { status: 403, title: 'Only our own pages may make this request from a browser.' },
  email_not_verified: { status: 403, title: 'Confirm your email address first: we have sent you a link.' },
  sign_up_closed: { status: 403, title: 'This service does not take new accounts.' },
  set_up_code_required: {
    status: 403,
    title: 'The first account is the administrator: send the set-up code that the service has printed at its start.',
  },
  wrong_set_up_code: {
    status: 403,
    title: 'This is not the set-up code that the service has printed at its start.',
  },
  invitation_required: { status: 403, title: 'An administrator has to invite you before you can sign up.' },
  not_found: { status: 404, title: 'There is nothing at this address.' },
  calendar_not_found: { status: 404, title: 'There is no calendar at this address.' },
  template_not_found: { status: 404, title: 'You have no such template.' },
  sender_not_blocked: { status: 404, title: 'You have not blocked this sender.' },
  meeting_not_found: { status: 404, title: 'There is no such meeting, or it is not yours to see.' },
  admission_not_found: { status: 404, title: 'There is no request with this id to enter this meeting.' },
  participant_not_found: { status: 404, title: 'There is no such person in this meeting.' },
  cohost_of_meeting: {
    status: 409,
    title: 'This person is a cohost of the meeting itself. To change that, change the meeting.',
  },
  call_without_end: { status: 409, title: 'There is no call with a planned end that could be extended.' },
  call_end_final: {
    status: 409,
    title: 'The call cannot be extended any further: the next date of the meeting opens then, or this one closes.',
  },
  call_not_in_progress: { status: 409, title: 'No one is in a call of this meeting.' },
  breakout_rooms_open: { status: 409, title: 'Breakout rooms are open in this meeting already.' },
  breakout_rooms_not_open: { status: 409, title: 'No breakout rooms are open in this meeting.' },
  breakout_rooms_not_supported: {
    status: 409,
    title: 'The media servers of this service cannot keep breakout rooms apart.',
  },
  breakout_room_not_found: { status: 404, title: 'There is no such breakout room.' },
  right_not_controllable: {
    status: 409,
    title: 'The media servers of this service cannot take this right from participants.',
  },
  session_not_found: { status: 404, title: 'You have no such session.' },
  passkey_not_found: { status: 404, title: 'You have no such passkey.' },
  token_not_found: { status: 404, title: 'You have no such personal token.' },
  app_not_found: { status: 404, title: 'There is no such app, or it is not yours to see.' },
  webhook_not_found: { status: 404, title: 'There is no such webhook, or it is not yours to see.' },
  delivery_not_found: { status: 404, title: 'This event was not sent to this webhook, or it is too long ago.' },
  secret_not_found: { status: 404, title: 'This app has no such secret.' },
  grant_not_found: { status: 404, title: 'You have connected no such app.' },
  proposal_not_found: { status: 404, title: 'There is no such proposal.' },
  occurrence_not_found: { status: 404, title: 'The series has no occurrence at this time.' },
  hand_over_not_found: { status: 404, title: 'You are not offered to host this meeting.' },
  account_invitation_not_found: { status: 404, title: 'This invitation is used, revoked or expired.' },
  tester_invitation_not_found: { status: 404, title: 'You are not invited to test this app.' },
  review_not_found: { status: 404, title: 'There is no such review.' },
  account_not_found: { status: 404, title: 'There is no such account.' },
  oauth_request_not_found: { status: 404, title: 'This account has no request for OAuth that waits for an answer.' },
  method_not_allowed: { status: 405, title: 'This address does not take this method.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  meeting_cancelled: { status: 409, title: 'This meeting is cancelled and cannot be changed.' },
  undo_over: {
    status: 409,
    title: 'This cancellation can no longer be undone: guests are told of it, or the meeting was changed since.',
  },
  meeting_over: { status: 409, title: 'This meeting is over.' },
  webhook_disabled: { status: 409, title: 'This webhook is switched off. Switch it on first.' },
  too_many_webhooks: { status: 409, title: 'There are as many webhooks as there can be. Delete one first.' },
  too_many_templates: { status: 409, title: 'You have as many templates as one account can. Delete one first.' },
  templates_too_large: {
    status: 409,
    title: 'Your templates would take more room than one account’s may. Shorten this one, or delete another.',
  },
  too_many_blocked: { status: 409, title: 'You have blocked as many senders as one account can. Unblock one first.' },
  too_many_added: { status: 409, title: 'You have added as many meetings as one list can hold. Take one off first.' },
  quota_exceeded: {
    status: 409,
    title: 'This account keeps as much as one account may: meetings, participants, texts, or stored replies.',
  },
  occurrence_cancelled: { status: 409, title: 'This occurrence is cancelled. Restore it before you change it.' },
  occurrence_over: { status: 409, title: 'This occurrence is over.' },
  too_many_changed: { status: 409, title: 'Too many single dates of this series are changed; change the series.' },
  too_many_responses: {
    status: 409,
    title: 'You have answered too many single dates of this series; answer for the whole series.',
  },
  too_many_skipped: { status: 409, title: 'Too many single dates of this series are cancelled; cancel the series.' },
  key_in_flight: { status: 409, title: 'A request with this Idempotency-Key is still being answered. Try again soon.' },
  email_taken: { status: 409, title: 'There is an account with this email address already. Sign in instead.' },
  last_administrator: { status: 409, title: 'The last administrator cannot give up the role or be disabled.' },
  reviewers_elsewhere: {
    status: 409,
    title: 'Apps are reviewed by the organisation that runs this service; another one has no reviewers.',
  },
  too_many_tokens: {
    status: 409,
    title: 'You have as many personal tokens as one account can have. Delete one first.',
  },
  too_many_passkeys: { status: 409, title: 'You have as many passkeys as one account can have. Remove one first.' },
  passkey_taken: { status: 409, title: 'This passkey is in use already.' },
  export_too_large: { status: 409, title: 'There is more than one file should hold. Narrow the range.' },
  app_name_taken: { status: 409, title: 'Another app has this name. Choose one that tells yours apart.' },
  too_many_apps: { status: 409, title: 'You have as many apps as one account can have. Delete one first.' },
  too_many_secrets: { status: 409, title: 'An app has two active secrets at most. Retire one first.' },
  public_client: { status: 409, title: 'Native and single-page apps have no secrets; they use PKCE.' },
  app_not_approved: { status: 409, title: 'This app has not passed its review yet; only sandbox secrets can be made.' },
  nothing_to_submit: { status: 409, title: 'Nothing of this app has changed since its last review.' },
  nothing_to_decide: {
    status: 409,
    title: 'This app does not wait for a review, or another reviewer has just decided.',
  },
  review_changed: { status: 409, title: 'This app was changed after you read it. Read it again, then decide.' },
  testers_not_allowed: {
    status: 409,
    title:
      'Reviewers have rejected this app or put it on hold: its developer alone can use it until it is submitted again.',
  },
  wrong_app_state: { status: 409, title: 'This app is not in a state in which this can be done.' },
  cursor_expired: {
    status: 410,
    title: 'Events after this cursor have been deleted: they are kept for 30 days.',
  },
  stale_version: {
    status: 412,
    title: 'This was changed in the meantime. Read it again, then repeat your change.',
  },
  precondition_failed: { status: 412, title: 'What is at this address is not what the request expects.' },
  body_too_large: { status: 413, title: 'The body is larger than 1 MiB.' },
  address_too_long: { status: 414, title: 'The address of this request is too long.' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON (Content-Type: application/json).' },
  invalid_app: { status: 422, title: 'Some fields of the app break a rule.' },
  key_reused: { status: 422, title: 'This Idempotency-Key was used before with another body.' },
  too_many_invitations: {
    status: 429,
    title:
      'You have had as many invitations mailed as one account may in a day. sendUpdates=none sends no invitations.',
  },
  mail_limited: {
    status: 429,
    title: 'No more mail may go to this address at the moment. Retry-After says when it may.',
  },
  too_many_requests: { status: 429, title: 'Too many tries. Wait for as long as Retry-After says.' },
  headers_too_large: { status: 431, title: 'The headers of this request are too large.' },
  internal_error: { status: 500, title: 'Something went wrong on our side. The request id finds it in the log.' },
  media_unavailable: { status: 503, title: 'Audio and video are unavailable right now. Try again soon.' },
  unavailable: { status: 503, title: 'The service is not available right now. Try again soon.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** One error in a request: where, a stable code, and a sentence. */
const violationSchema = Type.Object({
  path: Type.String({
    description:
      'JSON Pointer (RFC 6901) to the field or, as `/name`, the query parameter; empty for the whole of the body',
    examples: ['/repeatOptions/interval'],
  }),
  code: Type.String({ description: 'What is wrong, for programs: stable', examples: ['required'] }),
  message: Type.String({ description: 'What is wrong, as an English sentence; its wording may change' }),
})

/** The body of every error answer: application/problem+json (RFC 9457). */
export const problemSchema = Type.Object({
  type: Type.String({
    description: 'The address of a page about this code, with advice for developers',
    examples: ['{base_url}/problems/invalid_request'],
  }),
  title: Type.String({ description: 'What the code means, as an English sentence; its wording may change' }),
  status: Type.Integer({ description: 'The status of the response' }),
  detail: Type.String({ description: 'What was wrong with this request, as English text; its wording may change' }),
  code: Type.String({
    description:
      'For programs: stable, and never used with another meaning. New codes can be added; treat one that you do not know ' +
      'by its status. Each response lists its codes in `x-codes`',
    'x-codes': Object.keys(problems),
    examples: ['invalid_request'],
  }),
  requestId: Type.String({ description: 'The `X-Request-Id` of the response, which finds the request in the log' }),
  errors: Type.Optional(
    Type.Array(violationSchema, {
      description: 'All errors in the request at once; with `invalid_request` and `invalid_app` only',
    }),
  ),
})
export type Problem = Static<typeof problemSchema>
