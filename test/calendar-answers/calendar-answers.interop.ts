import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import { appleReply, googleReply, outlookReply } from '../../apps/server/test/meetings/calendar-replies.ts'
import { expectAnswer } from '../../apps/server/test/one-connection.ts'
import { detailsPath, standUp } from '../../apps/server/test/people.ts'
import { createTestDatabase } from '../../apps/server/test/postgres/test-database.ts'
import { dataFolderOf, runService } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import { sendRawMail } from '../../apps/server/test/send-raw-mail.ts'
import { freePorts } from '../helpers/free-port.ts'
import { missingForPostfix, startPostfix } from './postfix.ts'

/** The lines of main.cf that docs/email.md shows, for another port. */
async function documentedLines(port: number): Promise<string[]> {
  const docs = await readFile(new URL('../../docs/email.md', import.meta.url), 'utf8')
  const [, lines = ''] = /```\n# \/etc\/postfix\/main\.cf\n([\s\S]*?)```/.exec(docs) ?? []
  assert.ok(lines.includes(':2525'))
  return lines.replaceAll(':2525', `:${port}`).split('\n')
}

/** The organizer and the UID of the invitation in the service's folder. */
async function findInvitation(folder: string) {
  for (;;) {
    const [name] = await readdir(folder).catch(() => [])
    const mail = name === undefined ? undefined : await simpleParser(await readFile(join(folder, name)))
    const text = mail?.attachments[0]?.content.toString().replaceAll('\r\n ', '') ?? ''
    const [, to] = /^ORGANIZER.*:mailto:(\S+)/m.exec(text) ?? []
    const [, uid] = /^UID:(\S+)/m.exec(text) ?? []
    if (to !== undefined && uid !== undefined) return { to, uid }
    await sleep(100)
  }
}

const missing = missingForPostfix()
if (missing !== undefined) console.error(`NOT TESTED: ${missing}.`)

test('Debian’s Postfix, configured as documented, hands over the answers of calendar programs', async (t) => {
  assert.equal(missing, undefined)
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const [port = 0] = await freePorts(1)
  const environment = {
    SECRET_KEY: '0f'.repeat(32),
    DATA_DIR: await dataFolderOf(t),
    DATABASE_URL: database.url,
    REPLY_ADDRESS: 'rsvp@meet.example.org',
    INBOUND_MAIL_PORT: String(port),
  }
  const service = await runService(t, { environment })
  await using postfix = await startPostfix(await documentedLines(port))
  const alice = await signUp(service.base, 'Alice')
  const meeting = await alice.schedule(standUp({ participants: ['bob@example.org'] }))
  const replyFields = { ...(await findInvitation(join(environment.DATA_DIR, 'mail'))), from: 'bob@example.org' }
  const responseOf = async () => {
    const { body } = await expectAnswer(service.base, 200, 'GET', detailsPath(meeting), { token: alice.token })
    return body[0].participants[0].response
  }
  const send = (to: string, raw: string) => sendRawMail(postfix.smtpPort, { from: 'bob@example.org', to }, raw)
  const answers = [
    [googleReply, 'ACCEPTED', 'accepted'],
    [outlookReply, 'TENTATIVE', 'tentative'],
    [appleReply, 'DECLINED', 'declined'],
  ] as const
  for (const [form, partstat, response] of answers) {
    const stamp = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    await send(replyFields.to, form({ ...replyFields, partstat, stamp }))
    for (let tries = 0; (await responseOf()) !== response && tries < 100; tries++) await sleep(200)
    assert.equal(await responseOf(), response, await postfix.log())
  }
  await send(replyFields.to, 'Subject: Hello\r\n\r\nHow are you?\r\n')
  const delivered = async () => [...(await postfix.log()).matchAll(/status=sent/g)].length
  for (let tries = 0; (await delivered()) < 4 && tries < 100; tries++) await sleep(200)
  assert.equal(await delivered(), 4, await postfix.log())
  assert.doesNotMatch(await postfix.log(), /status=(?:bounced|deferred)/)
  await assert.rejects(send('nobody@meet.example.org', 'Subject: Hello\r\n\r\n'), 'Postfix knows rsvp alone')
})
