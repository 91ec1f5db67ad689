import type { Activity } from '../core/Activity.ts'
import { getActivityReading } from '../core/readings/getActivityReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * The latest that happened to the user's account; `listActivity` gives older pages.
 *
 * @example
 * const activity = useActivity()
 * if (activity.status === 'success') return activity.data.map(({ id, action, at }) => <p key={id}>{`${action} ${at.toLocaleString()}`}</p>)
 */
export function useActivity(): UseReading<readonly Activity[]> {
  return useReading(getActivityReading)
}
