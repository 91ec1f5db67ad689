// node scripts/promotions.mjs [--sockets 200] [--promotions 3] [--seconds 10] [--proxy haproxy]: the primary of PostgreSQL crashes, its
// standby takes over, and nothing is lost.
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'
import { runPromotions } from './steps/servers/runPromotions.mjs'

const known = { sockets: 200, promotions: 3, seconds: 10, writers: 16 }

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({
    options: { sockets: text, promotions: text, seconds: text, writers: text, proxy: text },
  })
  const { proxy } = values
  if (proxy !== undefined && proxy !== 'haproxy')
    throw new StepError(`--proxy ${proxy} is not known.`, 'It may be haproxy.')
  const options = { ...known }
  for (const name of /** @type {(keyof typeof known)[]} */ (Object.keys(known))) {
    options[name] = Number(values[name] ?? known[name])
    if (!(options[name] > 0)) throw new StepError(`--${name} takes a number above 0.`, `Without it: ${known[name]}.`)
  }
  await buildUnits()
  const { output, ...report } = await runPromotions({ ...options, proxy, say: console.log })
  console.log(JSON.stringify(report, null, 2))
  const { lost, doubled, missed, doubledEvents, resyncs } = report
  process.exit(lost + doubled + missed + doubledEvents + resyncs === 0 ? 0 : 1)
})
