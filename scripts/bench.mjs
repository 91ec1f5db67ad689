// npm run bench [-- --help]
import { join } from 'node:path'
import { help } from '../bench/readOptions.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { checkNode } from './steps/checkNode.mjs'
import { ensurePostgres } from './steps/ensurePostgres.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { root } from './steps/root.mjs'
import { runForeground } from './steps/runForeground.mjs'
import { runMain } from './steps/runMain.mjs'

await runMain(async () => {
  checkNode()
  const parameters = process.argv.slice(2)
  if (parameters.includes('--help')) return console.log(help)
  await installDependencies()
  await buildUnits()
  // The contestants' packages are large and nobody's but the benchmark's.
  await installDependencies(join(root, 'bench'))
  await ensurePostgres()
  process.exitCode = await runForeground(process.execPath, [join(root, 'bench', 'run.mjs'), ...parameters])
})
