// node scripts/poolers.mjs [--clients 16] [--rounds 40]: a mixed load through PgBouncer, in session mode and in
// transaction mode.
import { parseArgs } from 'node:util'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { StepError } from './steps/run/StepError.mjs'
import { sendMixedLoad } from './steps/servers/sendMixedLoad.mjs'
import { startBouncer } from './steps/servers/startBouncer.mjs'
import { startCountersign } from './steps/servers/startCountersign.mjs'

await runMain(async () => {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { clients: text, rounds: text } })
  const size = { clients: Number(values.clients ?? 16), rounds: Number(values.rounds ?? 40) }
  if (!(size.clients > 0 && size.rounds > 0)) throw new StepError('--clients and --rounds take numbers above 0.', '')
  await buildUnits()
  let failures = 0
  for (const mode of /** @type {const} */ (['session', 'transaction'])) {
    const { counts, errors } = await runMode(mode, size)
    failures += errors.length
    console.log(`${mode} mode: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    for (const error of new Set(errors)) console.log(`  ${error}`)
  }
  process.exit(failures === 0 ? 0 : 1)
})

/**
 * @param {'session' | 'transaction'} mode
 * @param {{ clients: number, rounds: number }} size
 */
async function runMode(mode, size) {
  /** @type {(() => unknown)[]} */
  const closing = []
  try {
    const postgres = await startPostgres()
    closing.push(postgres.stop)
    // In session mode each connection of the server holds one of the pooler.
    const bouncer = await startBouncer(postgres.port, mode, mode === 'session' ? 40 : 10)
    closing.push(bouncer.stop)
    const server = await startCountersign({
      DATABASE_URL: bouncer.url,
      COUNTERSIGN_DIRECT_DATABASE_URL: mode === 'transaction' ? postgres.url : '',
      COUNTERSIGN_LOG_LEVEL: 'warn',
    })
    closing.push(server.stop)
    return await sendMixedLoad(server.call, size)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
