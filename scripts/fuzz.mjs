// npm run fuzz -- [--cases 1000000] [--seed 7] [--endpoint findObjects,live] [--database embedded] [--rights user]: random
// requests from the contract to a server of its own; every response, private row and write is checked.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { root } from './steps/root.mjs'
import { runMain } from './steps/run/runMain.mjs'

await runMain(async () => {
  const given = process.argv.slice(2)
  const at = given.indexOf('--database')
  const [, database = 'postgres'] = at < 0 ? [] : given.splice(at, 2)
  await buildUnits()
  const postgres = database === 'embedded' ? undefined : await startPostgres()
  const server = join(root, 'packages/server')
  const flags = ['--expose-gc', '--import', join(server, 'src/testing/cheapHashes.mjs'), '--import', 'jiti/register']
  const child = spawn(process.execPath, [...flags, join(server, 'src/testing/fuzz/main.ts'), ...given], {
    cwd: server,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE: database, ...(postgres && { TEST_POSTGRES_URL: postgres.url }) },
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  await postgres?.stop()
  process.exit(Number(code ?? 1))
})
