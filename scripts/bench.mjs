// npm run bench [-- --help]
import { join } from 'node:path'
import { help } from '../bench/readOptions.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { ensurePostgres } from './steps/programs/ensurePostgres.mjs'
import { root } from './steps/root.mjs'
import { runForeground } from './steps/run/runForeground.mjs'
import { runMain } from './steps/run/runMain.mjs'

/** Benchmarks that are not a request and response have a program of their own. @type {Record<string, string[]>} */
const programs = {
  indexing: ['chain/run.mjs', '--mode', 'contracts', '--with-ponder'],
  portfolio: ['chain/portfolio.mjs'],
  start: ['start/run.mjs'],
  import: ['import/run.mjs'],
  growth: ['growth/run.mjs'],
  scale: ['scale/run.mjs'],
  lists: ['lists/run.mjs'],
  sizes: ['sizes/run.mjs'],
  paint: ['paint/run.mjs'],
}

await runMain(async () => {
  checkNode()
  const parameters = process.argv.slice(2)
  if (parameters.includes('--help')) return console.log(help)
  await installDependencies()
  await buildUnits()
  // The competitors' packages are large and nobody's but the benchmark's.
  await installDependencies(join(root, 'bench'))
  await ensurePostgres()
  const only = parameters.indexOf('--only')
  const [program, ...fixed] = programs[only < 0 ? '' : (parameters[only + 1] ?? '')] ?? ['run.mjs']
  const rest = program === 'run.mjs' ? parameters : parameters.toSpliced(only, 2)
  process.exitCode = await runForeground(process.execPath, [join(root, 'bench', String(program)), ...fixed, ...rest])
})
