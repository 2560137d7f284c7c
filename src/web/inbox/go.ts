/** To a decision, or to the list where there is none. */
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Go = (id: string | null, why?: 'done') => void

/** `done`: what is left behind is dealt with, and nobody wants to go back to it. */
export function useGo(): Go {
  const navigate = useNavigate()
  return useCallback(
    (id, why) => {
      if (id === null) void navigate({ to: '/inbox', search: true })
      else
        void navigate({
          to: '/inbox/$decision',
          params: { decision: id },
          search: true,
          replace: why === 'done',
        })
    },
    [navigate],
  )
}
