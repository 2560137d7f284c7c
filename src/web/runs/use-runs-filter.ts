/** What is filtered by stands in the address. What is typed stands there at once and leaves no trail to go back through; a choice does. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { parseRunsFilter, type RunsFilter } from './runs.view.ts'

export type ChangeFilter = (filter: RunsFilter, how?: 'chosen' | 'typed') => void

export function useRunsFilter(): { readonly filter: RunsFilter; readonly change: ChangeFilter } {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const filter = useMemo(() => parseRunsFilter(search), [search])
  const change = useCallback<ChangeFilter>(
    (next, how = 'chosen') => void navigate({ to: '/runs', search: next, replace: how === 'typed' }),
    [navigate],
  )
  return { filter, change }
}
