import { getServerSession } from '@countersign/react/server'
import { headers } from 'next/headers'
import { cache } from 'react'

/** Session of the page's request. Cached: many components cause one request. */
export const getSession = cache(async () =>
  getServerSession({
    appId: '{{name}}',
    serverUrl: `${process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'}/server`,
    headers: await headers(),
    onError: (error) => console.warn(error.message),
  }),
)
