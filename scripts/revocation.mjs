// node scripts/revocation.mjs [--rounds 30]: milliseconds until three servers refuse a revoked token. Needs `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startPostgres } from './postgres.mjs'
import { root } from './steps/root.mjs'
import { runMain } from './steps/run/runMain.mjs'

await runMain(async () => {
  const postgres = await startPostgres()
  const server = join(root, 'packages/server')
  const flags = ['--import', join(server, 'src/testing/cheapHashes.mjs'), '--import', 'jiti/register']
  const main = join(server, 'src/testing/revocation/main.ts')
  const child = spawn(process.execPath, [...flags, main, ...process.argv.slice(2)], {
    cwd: server,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE: 'postgres', TEST_POSTGRES_URL: postgres.url },
  })
  const [code] = await once(child, 'exit')
  await postgres.stop()
  process.exit(Number(code ?? 1))
})
