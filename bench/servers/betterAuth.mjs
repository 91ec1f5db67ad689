import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { generateRandomString } from 'better-auth/crypto'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { siwe } from 'better-auth/plugins'
import pg from 'pg'
import { verifyMessage } from 'viem'

const { PORT, DATABASE_URL } = process.env
const port = Number(PORT)
const pool = new pg.Pool({ connectionString: DATABASE_URL })

/** @type {import('better-auth').BetterAuthOptions} */
const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'bench-secret-never-used-elsewhere-0123456789',
  database: pool,
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: false } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [
    siwe({
      domain: `127.0.0.1:${port}`,
      getNonce: async () => generateRandomString(32, 'a-z', 'A-Z', '0-9'),
      verifyMessage: ({ address, message, signature }) =>
        verifyMessage({
          address: /** @type {`0x${string}`} */ (address),
          message,
          signature: /** @type {`0x${string}`} */ (signature),
        }),
    }),
  ],
  logger: { level: 'error' },
}
const { runMigrations } = await getMigrations(options)
await runMigrations()

const server = createServer(toNodeHandler(betterAuth(options))).listen(port, '127.0.0.1')

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await pool.end()
  process.exit(0)
})
