import type { Activity, CountersignError, ListActivityInput } from '@countersign/react'
import { type Client, listActivity } from '@countersign/react/core'
import { say } from './say.ts'

const pageSize = 100
const mostPages = 100

/** Every entry that a filter finds, page after page, up to 10,000; `onRead` hears how many there are so far. */
export async function listAllActivity(
  client: Client,
  filter: ListActivityInput,
  onRead: (count: number) => void,
): Promise<Activity[]> {
  const all: Activity[] = []
  for (let count = 0; count < mostPages; count++) {
    const before = all.at(-1)?.at
    let failure: CountersignError | undefined
    const page = await listActivity(
      client,
      { ...filter, limit: pageSize, ...(before && { before }) },
      {
        onError: (error) => {
          failure = error
        },
      },
    )
    if (!page) throw failure ?? new Error(say('Your activity could not be loaded'))
    all.push(...page)
    onRead(all.length)
    if (page.length < pageSize) break
  }
  return all
}
