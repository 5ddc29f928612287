import { createTransport } from 'nodemailer'

/** Send a mail as it is to a mail server on this machine. */
export async function sendRawMail(port: number, envelope: { from: string; to: string }, raw: string): Promise<void> {
  const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    await client.sendMail({ envelope, raw })
  } finally {
    client.close()
  }
}
