import type { Activity, CountersignError, ListActivityInput } from '@countersign/react'
import { type Client, listActivity } from '@countersign/react/core'

const pageSize = 100
const mostPages = 100

/** Every entry that a filter finds, page after page, up to 10,000. */
export async function listAllActivity(client: Client, filter: ListActivityInput): Promise<Activity[]> {
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
    if (!page) throw failure ?? new Error('The activity could not be read.')
    all.push(...page)
    if (page.length < pageSize) break
  }
  return all
}
