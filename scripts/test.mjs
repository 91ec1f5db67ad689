// npm test [-- --only lint,unit]: the checks for most changes. npm run test:ci: more of them, as CI runs them. npm run
// test:all: every check.
import { parseArgs } from 'node:util'
import { checks } from './steps/checks.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'

/** @type {import('./steps/checks.mjs').Extent[]} each has the checks of the one before */
const extents = ['quick', 'ci', 'all']
const names = checks.map(({ name }) => name).join(', ')

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      ci: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return printHelp()
  const wanted = values.only?.flatMap((value) => value.split(','))
  const unknown = wanted?.find((name) => !checks.some((check) => check.name === name))
  if (unknown !== undefined) throw new StepError(`There is no check "${unknown}".`, `There are: ${names}`)

  checkNode()
  await installDependencies()
  const rows = []
  const extent = values.all ? 'all' : values.ci ? 'ci' : 'quick'
  const isMeant = (/** @type {import('./steps/checks.mjs').Check} */ { name, from = 'quick' }) =>
    wanted ? wanted.includes(name) : extents.indexOf(extent) >= extents.indexOf(from)
  for (const check of checks.filter(isMeant)) {
    console.log(`\n━━ ${check.title}`)
    const start = performance.now()
    const outcome = await attempt(check, extent)
    rows.push({ ...outcome, name: check.name, seconds: (performance.now() - start) / 1000 })
  }
  printSummary(rows)
  process.exit(rows.some(({ failed }) => failed > 0) ? 1 : 0)
})

/**
 * A check that cannot run has failed; the ones after it still tell what they know.
 *
 * @param {import('./steps/checks.mjs').Check} check
 * @param {import('./steps/checks.mjs').Extent} extent
 * @returns {Promise<import('./steps/checks.mjs').Outcome>}
 */
async function attempt(check, extent) {
  try {
    return await check.run(extent)
  } catch (error) {
    if (error instanceof StepError) console.error(`\n✗ ${error.message}\n\n${error.remedy}`)
    else console.error(error)
    return { passed: 0, failed: 1 }
  }
}

/** @param {(import('./steps/checks.mjs').Outcome & { name: string, seconds: number })[]} rows */
function printSummary(rows) {
  console.log('\n━━ Summary')
  for (const { name, passed, failed, note, seconds } of rows) {
    const mark = failed > 0 ? '✗' : passed > 0 ? '✓' : '–'
    const numbers = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`
    console.log(`${mark} ${name.padEnd(16)} ${numbers} ${seconds.toFixed(1).padStart(7)} s  ${note ?? ''}`.trimEnd())
  }
  const total = (/** @type {'passed' | 'failed'} */ key) => rows.reduce((amount, row) => amount + row[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  for (const { test, reason } of rows.flatMap(({ faults = [] }) => faults)) console.log(`✗ ${test}: ${reason}`)
}

function printHelp() {
  console.log('npm test                      the checks for most changes')
  console.log('npm run test:ci               more of them, as CI runs them')
  console.log('npm run test:all              every check, in full, as it runs each night')
  console.log('npm test -- --only lint,unit  some of them\n')
  for (const { name, title, from } of checks)
    console.log(`  ${name.padEnd(16)} ${title}${from ? ` (from test:${from} on)` : ''}`)
}
