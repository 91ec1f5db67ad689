// npm run soak -- [--minutes 60] [--people 24] [--sockets 10]: mixed traffic at 70 % of the capacity with a fault every few
// seconds. Writes the figures into docs/reliability.md.
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { runSoak } from './steps/faults/runSoak.mjs'
import { writeSoak } from './steps/faults/writeReliability.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'

const known = { minutes: 60, people: 24, sockets: 10 }

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { minutes: text, people: text, sockets: text } })
  const options = { ...known }
  for (const name of /** @type {(keyof typeof known)[]} */ (Object.keys(known))) {
    options[name] = Number(values[name] ?? known[name])
    if (!(options[name] > 0)) throw new StepError(`--${name} takes a number above 0.`, `Without it: ${known[name]}.`)
  }
  await buildUnits()
  const report = await runSoak({ ...options, say: console.log })
  console.log(JSON.stringify(report, null, 2))
  writeSoak(report)
  process.exit(report.lost + report.doubled + report.undead + report.faults.length === 0 ? 0 : 1)
})
