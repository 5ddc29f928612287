import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Email } from '../accounts/email-links/queue-email.ts'

type TesterInvitation = {
  baseUrl: string
  to: string
  language: Language
  appName: string
  owner: { name: string; email: string }
  /** What would be tested is what reviewers have approved. */
  isApproved: boolean
}

type InvitationTexts = {
  subject(owner: string, app: string): string
  invites(owner: string, app: string, service: string): string
  notApproved: string
  accept: string
  ignore: string
  link: string
}

const texts: Record<Language, InvitationTexts> = {
  en: {
    subject: (owner, app) => `${owner} asks you to test the app ${app}`,
    invites: (owner, app, service) =>
      `${owner} asks you to test the app ${app} with your account at ${service}. Accept or decline on the page “Connected apps”:`,
    notApproved: 'No reviewer has approved what you are asked to test.',
    accept: 'Accepting gives the app no access: you are asked again before you connect it.',
    ignore: 'If you do not know who this is, you can ignore this email.',
    link: 'Answer the invitation',
  },
  de: {
    subject: (owner, app) => `${owner} bittet Sie, die App ${app} zu testen`,
    invites: (owner, app, service) =>
      `${owner} bittet Sie, die App ${app} mit Ihrem Konto bei ${service} zu testen. Nehmen Sie auf der Seite „Verbundene Apps“ an, oder lehnen Sie ab:`,
    notApproved: 'Was Sie testen sollen, ist nicht genehmigt.',
    accept: 'Wenn Sie annehmen, erhält die App nichts: Bevor Sie sie verbinden, werden Sie noch einmal gefragt.',
    ignore: 'Wenn Sie nicht wissen, wer das ist, beachten Sie diese E-Mail nicht: Es geschieht nichts.',
    link: 'Auf die Einladung antworten',
  },
  hi: {
    subject: (owner, app) => `${owner} आपसे ऐप ${app} को परखने का अनुरोध करते हैं`,
    invites: (owner, app, service) =>
      `${owner} आपसे ${service} पर अपने खाते से ऐप ${app} को परखने का अनुरोध करते हैं। “जुड़े हुए ऐप” पृष्ठ पर स्वीकार या अस्वीकार करें:`,
    notApproved: 'जिसे परखने को कहा गया है, उसे किसी समीक्षक ने स्वीकृत नहीं किया है।',
    accept: 'स्वीकार करने से ऐप को कुछ नहीं मिलता: उसे जोड़ने से पहले आपसे फिर पूछा जाएगा।',
    ignore: 'यदि आप इन्हें नहीं जानते, तो इस मेल पर ध्यान न दें: कुछ नहीं होगा।',
    link: 'निमंत्रण का उत्तर दें',
  },
  ar: {
    subject: (owner, app) => `يطلب منك ${owner} تجربة التطبيق ${app}`,
    invites: (owner, app, service) =>
      `يطلب منك ${owner} تجربة التطبيق ${app} بحسابك في ${service}. اقبل أو ارفض في صفحة «التطبيقات المرتبطة»:`,
    notApproved: 'ما يُطلب منك تجربته لم يوافق عليه أي مراجع.',
    accept: 'لا يحصل التطبيق على شيء عند قبولك: ستُسأل مرة أخرى قبل أن تربطه.',
    ignore: 'إن كنت لا تعرف صاحب الدعوة فتجاهل هذه الرسالة: لن يحدث شيء.',
    link: 'الرد على الدعوة',
  },
}

/**
 * Compose the invitation of a tester. It contains no text chosen by others but two names and the sender's address, so
 * that it cannot be used for messages.
 */
export function testerInvitationEmail({ baseUrl, to, language, appName, owner, isApproved }: TesterInvitation): Email {
  const { subject, invites, notApproved, accept, ignore, link } = texts[language]
  const [name, app] = [isolated(language, owner.name), isolated(language, appName)]
  const sender = `${name} (${isolated(language, owner.email)})`
  return {
    to,
    language,
    subject: subject(name, app),
    paragraphs: [invites(sender, app, baseUrl), isApproved ? accept : `${notApproved} ${accept}`, ignore],
    link: { label: link, address: `${baseUrl}/connected-apps` },
  }
}
