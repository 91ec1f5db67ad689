import { getServerSession } from '@countersign/react/server'
import { headers } from 'next/headers'
import { cache } from 'react'

export const appId = process.env.COUNTERSIGN_APP_ID ?? 'example'

/** Session of the page's request. Cached: many components cause one request. */
export const getSession = cache(async () =>
  getServerSession({
    appId,
    serverUrl: `${process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'}/server`,
    headers: await headers(),
    onError: (error) => console.warn(error.message),
  }),
)
