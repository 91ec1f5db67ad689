import { fileURLToPath } from 'node:url'

/** @type {import('../types.d.ts').Competitor} */
export const betterAuth = {
  name: 'better-auth',
  about: 'Its Kysely adapter on a pg pool, its node handler on node:http, cookie cache off, rate limit off, scrypt.',
  wire: 'better-auth',
  packages: ['better-auth', 'kysely', 'pg', 'viem'],
  mount: '/api/auth',
  applicationId: '',
  readyPath: '/api/auth/ok',
  program: ({ port, databaseUrl }) => ({
    file: fileURLToPath(new URL('../servers/betterAuth.mjs', import.meta.url)),
    env: {
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      NODE_ENV: 'production',
      BETTER_AUTH_TELEMETRY: '0',
    },
  }),
}
