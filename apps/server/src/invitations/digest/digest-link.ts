export const digestStopPath = '/digest/:accountId/:token'
export const digestResumePath = `${digestStopPath}/resume`

/** GET asks for confirmation; POST, by the button or a mail program, switches the digest off. */
export const digestStopLink = (baseUrl: string, accountId: string, token: string) =>
  `${baseUrl}/digest/${accountId}/${token}`
