import type { IncomingMessage } from 'node:http'
import { getServerSession } from '@countersign/react/server'

/** Session of the page's request, for `getServerSideProps`. */
export function getSession({ headers }: IncomingMessage) {
  return getServerSession({
    appId: process.env.COUNTERSIGN_APP_ID ?? 'example',
    serverUrl: `${process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'}/server`,
    headers,
    onError: (error) => console.warn(error.message),
  })
}
