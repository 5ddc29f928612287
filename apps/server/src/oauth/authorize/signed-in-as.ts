import { type Html, html } from '../../platform/http/html.ts'
import type { PageTexts } from './page-texts/page-texts.ts'
import type { Visitor } from './visitor.ts'

/** Name the signed-in account in a sentence. */
export const signedInAs = (texts: PageTexts, { account }: Visitor): Html =>
  texts.signedInAs(
    html`<strong><bdi>${`${account.name} ${account.lname}`.trim()}</bdi></strong>`,
    html`<bdi>${account.email}</bdi>`,
  )
