/** The PIN is in the fragment, so that it never appears in logs of servers and proxies or in a Referer header. */
export const joinLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/j/${code}#pin=${pin}`

export const addLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/add/${code}#pin=${pin}`
