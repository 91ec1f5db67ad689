import { fileURLToPath } from 'node:url'

const applicationId = 'bench'

/** @type {(name: string, about: string, extra: Record<string, string>) => import('../types.d.ts').Competitor} */
const variant = (name, about, extra) => ({
  name,
  about,
  wire: 'parse',
  packages: ['parse-server', 'express', 'pg-promise', '@node-rs/bcrypt', 'viem'],
  mount: '/parse',
  applicationId,
  readyPath: '/parse/health',
  program: ({ port, databaseUrl }) => ({
    file: fileURLToPath(new URL('../servers/parseServer.mjs', import.meta.url)),
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      APPLICATION_ID: applicationId,
      NODE_ENV: 'production',
      ...extra,
    },
  }),
})

export const parseServer = variant(
  'parse-server',
  'As shipped, its memory cache on; logs at error level, no rate limit, bcrypt cost 10 (native).',
  {},
)

export const parseServerUncached = variant(
  'parse-server-uncached',
  'The same with its cache off (its own NullCacheAdapter).',
  { SESSION_CACHE: 'off' },
)
