import type { WebhookEmailTexts } from './email-texts.ts'

export const arabic: WebhookEmailTexts = {
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
  open: 'كيف تعمل خطافات الويب',
}
