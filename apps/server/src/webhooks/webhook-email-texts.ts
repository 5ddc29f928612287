import type { Language } from '@parley/texts/languages'

/** The emails about webhooks in one language. */
type WebhookEmailTexts = {
  states: Record<'failing' | 'disabled', { subject: Of; lead: Of; next: string }>
  /** All webhooks of a person were switched off, because the sign-ins have ended. */
  switchedOff: { subject: string; lead: string; receivers: (hosts: string) => string; next: string }
  open: string
}

/** `receiver` is the host of its URL. */
type Of = (receiver: string) => string

const english: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `Your webhook at ${receiver} has taken no events for a day`,
      lead: (receiver) => `Every event that was sent to ${receiver} in the last 24 hours was refused.`,
      next: 'Look at its deliveries to see why. If it takes none for two more days, it will be switched off.',
    },
    disabled: {
      subject: (receiver) => `Your webhook at ${receiver} was switched off`,
      lead: (receiver) => `${receiver} has taken no events for three days, so none are sent any more.`,
      next: 'For five days a test event is sent each hour, and if one is taken, the webhook is switched on again. You can also switch it on yourself. Events that were missed can be read from the event log for 30 days.',
    },
  },
  switchedOff: {
    subject: 'Your webhooks were switched off',
    lead: 'All sign-ins of your account have ended, so the webhooks that were created with it were switched off: another person who was signed in may have created them.',
    receivers: (hosts) => `Their receivers: ${hosts}`,
    next: 'Look at each of them, switch on those that are yours, and delete the others. A program that you do not know may have received events until now. Webhooks that were created with tokens and by connected apps have ended.',
  },
  open: 'How webhooks work',
}

const german: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `Ihr Webhook bei ${receiver} hat seit einem Tag keine Ereignisse angenommen`,
      lead: (receiver) =>
        `Jedes Ereignis, das in den letzten 24 Stunden an ${receiver} gesendet wurde, wurde abgelehnt.`,
      next: 'Sehen Sie in seinen Zustellungen nach dem Grund. Nimmt er zwei weitere Tage keines an, wird er ausgeschaltet.',
    },
    disabled: {
      subject: (receiver) => `Ihr Webhook bei ${receiver} wurde ausgeschaltet`,
      lead: (receiver) =>
        `${receiver} hat seit drei Tagen keine Ereignisse angenommen, deshalb werden keine mehr gesendet.`,
      next: 'Fünf Tage lang wird jede Stunde ein Testereignis gesendet; wird eines angenommen, wird der Webhook wieder eingeschaltet. Sie können ihn auch selbst einschalten. Versäumte Ereignisse lassen sich 30 Tage lang im Ereignisprotokoll lesen.',
    },
  },
  switchedOff: {
    subject: 'Ihre Webhooks wurden ausgeschaltet',
    lead: 'Alle Anmeldungen Ihres Kontos sind beendet. Deshalb wurden die Webhooks ausgeschaltet, die damit erstellt wurden: Eine andere angemeldete Person kann sie erstellt haben.',
    receivers: (hosts) => `Ihre Empfänger: ${hosts}`,
    next: 'Prüfen Sie jeden, schalten Sie die ein, die Ihnen gehören, und löschen Sie die anderen. Ein Programm, das Sie nicht kennen, kann bis jetzt Ereignisse erhalten haben. Webhooks, die mit Token oder von verbundenen Apps erstellt wurden, sind beendet.',
  },
  open: 'So funktionieren Webhooks',
}

const hindi: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `${receiver} पर आपके वेबहुक ने एक दिन से कोई ईवेंट नहीं लिया`,
      lead: (receiver) => `पिछले 24 घंटों में ${receiver} को भेजा गया हर ईवेंट अस्वीकार हुआ।`,
      next: 'कारण जानने के लिए उसकी डिलीवरी देखें। अगर वह दो दिन और कोई ईवेंट नहीं लेता, तो उसे बंद कर दिया जाएगा।',
    },
    disabled: {
      subject: (receiver) => `${receiver} पर आपका वेबहुक बंद कर दिया गया`,
      lead: (receiver) => `${receiver} ने तीन दिन से कोई ईवेंट नहीं लिया, इसलिए अब कोई नहीं भेजा जाता।`,
      next: 'पाँच दिन तक हर घंटे एक टेस्ट ईवेंट भेजा जाता है; अगर कोई लिया जाए, तो वेबहुक फिर से चालू हो जाता है। आप उसे ख़ुद भी चालू कर सकते हैं। छूटे हुए ईवेंट 30 दिन तक ईवेंट लॉग से पढ़े जा सकते हैं।',
    },
  },
  switchedOff: {
    subject: 'आपके वेबहुक बंद कर दिए गए',
    lead: 'आपके खाते के सभी साइन-इन समाप्त हो गए हैं, इसलिए उससे बनाए गए वेबहुक बंद कर दिए गए: हो सकता है कि साइन इन किए हुए किसी और व्यक्ति ने उन्हें बनाया हो।',
    receivers: (hosts) => `उनके प्राप्तकर्ता: ${hosts}`,
    next: 'हर एक को देखें, जो आपके हैं उन्हें चालू करें और बाकी को मिटाएँ। हो सकता है कि अब तक किसी अनजान प्रोग्राम को ईवेंट मिले हों। टोकन से या जुड़े हुए ऐप्स से बनाए गए वेबहुक समाप्त हो गए हैं।',
  },
  open: 'वेबहुक कैसे काम करते हैं',
}

const arabic: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `لم يستقبل خطاف الويب لديك على ${receiver} أي حدث منذ يوم`,
      lead: (receiver) => `رُفض كل حدث أُرسل إلى ${receiver} خلال آخر 24 ساعة.`,
      next: 'راجع عمليات التسليم لمعرفة السبب. إذا لم يستقبل أي حدث ليومين آخرين فسيُوقف.',
    },
    disabled: {
      subject: (receiver) => `أُوقف خطاف الويب لديك على ${receiver}`,
      lead: (receiver) => `لم يستقبل ${receiver} أي حدث منذ ثلاثة أيام، لذلك لم تعد تُرسل إليه أحداث.`,
      next: 'يُرسل حدث تجريبي كل ساعة لمدة خمسة أيام، وإذا استُقبل أحدها شُغّل خطاف الويب من جديد. يمكنك أيضًا تشغيله بنفسك. يمكن قراءة الأحداث الفائتة من سجل الأحداث لمدة 30 يومًا.',
    },
  },
  switchedOff: {
    subject: 'أُوقفت خطافات الويب لديك',
    lead: 'انتهت جميع عمليات تسجيل الدخول إلى حسابك، لذلك أُوقفت خطافات الويب التي أُنشئت به: ربما أنشأها شخص آخر كان مسجّل الدخول.',
    receivers: (hosts) => `مستقبلوها: ${hosts}`,
    next: 'راجع كلًا منها، وشغّل ما يخصك واحذف غيره. ربما تلقى برنامج لا تعرفه أحداثًا حتى الآن. أما خطافات الويب التي أُنشئت برموز أو بتطبيقات متصلة فقد انتهت.',
  },
  open: 'كيف تعمل خطافات الويب',
}

export const webhookEmailTexts: Record<Language, WebhookEmailTexts> = { en: english, de: german, hi: hindi, ar: arabic }
