/** The PIN stands in the fragment, so that no server, proxy or referrer log ever holds it (meetings.md 1). */
export const joinLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/j/${code}#pin=${pin}`

export const addLink = (baseUrl: string, code: string, pin: string) => `${baseUrl}/add/${code}#pin=${pin}`
