// npm run faults -- [--seconds 10] [--people 8] [--only clock,disk]: faults under load, and what was acknowledged afterwards.
// Writes the table into docs/reliability.md, if no --only is given. COUNTERSIGN_EARLIER names a built checkout of an earlier
// version.
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { runFaults } from './steps/faults/runFaults.mjs'
import { writeFaults } from './steps/faults/writeReliability.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { seconds: text, people: text, only: text } })
  const [seconds, people] = [Number(values.seconds ?? 10), Number(values.people ?? 8)]
  if (!(seconds > 0 && people > 0)) throw new StepError('--seconds and --people take numbers above 0.', '')
  await buildUnits()
  const earlier = process.env.COUNTERSIGN_EARLIER
  const { rows, leftOut } = await runFaults({ seconds, people, only: values.only, earlier, say: console.log })
  for (const reason of leftOut) console.log(`left out: ${reason}`)
  if (!values.only) writeFaults(rows, leftOut)
  const isRight = rows.every(({ lost, doubled, undead, faults }) => lost + doubled + undead + faults.length === 0)
  process.exit(isRight ? 0 : 1)
})
