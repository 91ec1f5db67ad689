// npm run lighthouse [-- --form mobile]: Lighthouse on the pages that people see most, each category at least 95.
import { join } from 'node:path'
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { ensureChromium } from './steps/programs/ensureChromium.mjs'
import { root } from './steps/root.mjs'
import { runAloud } from './steps/run/runAloud.mjs'
import { runMain } from './steps/run/runMain.mjs'

await runMain(async () => {
  await installDependencies()
  const env = { ...process.env, CHROMIUM_PATH: await ensureChromium() }
  await buildUnits()
  const program = [join(root, 'e2e/lighthouse.mjs'), ...process.argv.slice(2)]
  process.exitCode = await runAloud(process.execPath, program, { env })
})
