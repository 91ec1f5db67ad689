import { type NextRequest, NextResponse } from 'next/server'

/**
 * The API is reached under the address of the pages themselves. The cookie that holds the session is then this site's
 * own: browsers send it along with every page that is asked for, and no script can read it.
 */
export function proxy({ nextUrl }: NextRequest) {
  const server = process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'
  return NextResponse.rewrite(new URL(nextUrl.pathname + nextUrl.search, server))
}

export const config = { matcher: '/server/:path*' }
