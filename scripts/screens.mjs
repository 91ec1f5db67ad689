// npm run screens [-- --only wallets]: the gallery in docs/screens.
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
  const program = [
    join(root, 'e2e/screens.mjs'),
    join(root, 'docs/screens'),
    '--looks',
    'desktop,dark,phone,right-to-left',
    '--index',
  ]
  process.exitCode = await runAloud(process.execPath, [...program, ...process.argv.slice(2)], { env })
})
