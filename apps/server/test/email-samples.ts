import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** docs/mail-samples shows the emails that people receive; changes of templates and translations show in its diff. */
const folder = fileURLToPath(new URL('../../../docs/mail-samples/', import.meta.url))

/** Compare an email with its sample. With UPDATE_SNAPSHOTS=1 the sample is written first. */
export async function assertSample(name: string, { subject, text, html }: Record<'subject' | 'text' | 'html', string>) {
  for (const [ending, made] of [
    ['txt', `Subject: ${subject}\n\n${text}`],
    ['html', html],
  ] as const) {
    const path = `${folder}${name}.${ending}`
    if (process.env.UPDATE_SNAPSHOTS === '1') {
      await mkdir(folder, { recursive: true })
      await writeFile(path, made)
    }
    assert.equal(made, await readFile(path, 'utf8'))
  }
}
