import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import pg from 'pg'

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
