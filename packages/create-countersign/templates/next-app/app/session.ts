import { getServerSession } from '@countersign/react/server'
import { headers } from 'next/headers'
import { cache } from 'react'

/** Who asks for the page. However many components want to know, the server is asked once. */
export const getSession = cache(async () =>
  getServerSession({
    appId: '{{name}}',
    serverUrl: `${process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'}/server`,
    headers: await headers(),
    onError: (error) => console.warn(error.message),
  }),
)
