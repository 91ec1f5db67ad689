import type { Activity } from '../core/Activity.ts'
import { getActivityQuery } from '../core/queries/getActivityQuery.ts'
import { type UseQuery, useQuery } from './useQuery.ts'

/**
 * The latest that happened to the user's account; `listActivity` gives older pages.
 *
 * @example
 * const activity = useActivity()
 * if (activity.status === 'success') return activity.data.map(({ id, action, at }) => <p key={id}>{`${action} ${at.toLocaleString()}`}</p>)
 */
export function useActivity(): UseQuery<readonly Activity[]> {
  return useQuery(getActivityQuery)
}
