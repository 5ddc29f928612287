import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { usePerson } from '../../session/session.ts'

/** Makes a meeting that begins at once; what it takes is fetched by those who press the button, not by every reader. */
export function useStartNow() {
  const { name } = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { startNow } = await import('./start-now.ts')
      await startNow({ name, navigate, queryClient })
    },
  })
}
