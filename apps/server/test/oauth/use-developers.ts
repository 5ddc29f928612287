import { useApp } from '../use-app.ts'
import { permit } from './apps.ts'

/**
 * Start one app for the tests of a file about apps. `developers` signs up people for a test who may offer apps; Rita
 * reviews them, as Olga does. People who only use apps are met by `meet`.
 */
export async function useDevelopers(options: Parameters<typeof useApp>[0] = {}) {
  const used = await useApp(options)
  return {
    ...used,
    async developers<Names extends readonly string[]>(...names: Names) {
      const people = await used.meet(...names)
      for (const person of people) {
        const reviewer = person.profile.name === 'Rita'
        await permit(used.olga, person, { oauthEnabled: true, ...(reviewer && { reviewer }) })
      }
      return people
    },
  }
}
