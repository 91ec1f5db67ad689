// node scripts/liveChaos.mjs [--sockets 1000] [--seconds 60]: everything goes wrong, and live queries lose nothing.
import { parseArgs } from 'node:util'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'
import { runLiveChaos } from './steps/runLiveChaos.mjs'

const known = { sockets: 1000, seconds: 60, writers: 24, rate: 60, servers: 3, seed: 1 }

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({
    options: { sockets: text, seconds: text, writers: text, rate: text, servers: text, seed: text },
  })
  const options = { ...known }
  for (const name of /** @type {(keyof typeof known)[]} */ (Object.keys(known))) {
    options[name] = Number(values[name] ?? known[name])
    if (!(options[name] > 0)) throw new StepError(`--${name} takes a number above 0.`, `Without it: ${known[name]}.`)
  }
  const started = Date.now()
  const say = (/** @type {string} */ line) => {
    console.log(`${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s  ${line}`)
  }
  const { faults, ...figures } = await runLiveChaos({ ...options, say })
  console.log(JSON.stringify(figures, null, 2))
  for (const fault of faults.slice(0, 20)) console.log(`✗ ${fault}`)
  console.log(faults.length === 0 ? 'Every subscriber received exactly what happened.' : `${faults.length} faults`)
  process.exit(faults.length === 0 ? 0 : 1)
})
