import { type Html, html } from '../../platform/http/html.ts'
import type { PageTexts } from './page-texts/page-texts.ts'
import type { SignedInUser } from './signed-in-user.ts'

/** Name the signed-in account in a sentence. */
export const signedInAs = (texts: PageTexts, { account }: SignedInUser): Html =>
  texts.signedInAs(
    html`<strong><bdi>${`${account.name} ${account.lname}`.trim()}</bdi></strong>`,
    html`<bdi>${account.email}</bdi>`,
  )
