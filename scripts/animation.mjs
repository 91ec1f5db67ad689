// npm run animation: the tour on the first page of the documentation, docs/tour.webp, and its first picture for people
// who want nothing to move, docs/tour.still.webp.
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
  process.exitCode = await runAloud(process.execPath, [join(root, 'e2e/animation.mjs'), join(root, 'docs')], { env })
})
