import type { Activity } from '../core/Activity.ts'
import type { ListActivityInput } from '../core/actions/listActivity.ts'
import { getActivityReading } from '../core/readings/getActivityReading.ts'
import { type UseReading, useReading } from './useReading.ts'

/**
 * What happened to the user's account: the latest, or the page and the kinds that are asked for.
 *
 * @example
 * const activity = useActivity({ actions: ['signIn'] })
 * if (activity.status === 'success') return activity.data.map(({ id, action, at }) => <p key={id}>{`${action} ${at.toLocaleString()}`}</p>)
 */
export function useActivity(input: ListActivityInput = {}): UseReading<readonly Activity[]> {
  return useReading((client) => getActivityReading(client, input))
}
