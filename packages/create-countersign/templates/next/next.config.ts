import type { NextConfig } from 'next'

const server = process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'

const config: NextConfig = {
  // Requests and live queries reach the server under the address of the page, so that the session cookie is its own.
  rewrites: async () => [
    { source: '/server', destination: `${server}/server` },
    { source: '/server/:path*', destination: `${server}/server/:path*` },
  ],
}

export default config
