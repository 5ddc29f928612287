import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { usePerson } from '../../session/session.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'

/** Create a meeting that begins now. The code is fetched on use. */
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
