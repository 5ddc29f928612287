import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** docs/mail-samples shows the emails that people receive; changes of templates and translations show in its diff. */
const folder = fileURLToPath(new URL('../../../docs/mail-samples/', import.meta.url))

/** One composer writes all HTML: a meeting's email, the same from right to left, a button, and a list of reasons. */
const samplesWithHtml = ['invitation.en', 'invitation.ar', 'account-reset-password.en', 'app-rejected.en']

/** Compare an email with its sample. With UPDATE_SNAPSHOTS=1 the sample is written first. */
export async function assertSample(name: string, { subject, text, html }: Record<'subject' | 'text' | 'html', string>) {
  const files = [
    [`${name}.txt`, `Subject: ${subject}\n\n${text}`],
    ...(samplesWithHtml.includes(name) ? [[`${name}.html`, html] as const] : []),
  ] as const
  for (const [file, made] of files) {
    const path = `${folder}${file}`
    if (process.env.UPDATE_SNAPSHOTS === '1') {
      await mkdir(folder, { recursive: true })
      await writeFile(path, made)
    }
    assert.equal(made, await readFile(path, 'utf8'))
  }
}
