import { StepError } from '../run/StepError.mjs'
import { findChromium } from './findChromium.mjs'
import { installSystemPackage } from './installSystemPackage.mjs'

/** @returns {Promise<string>} the path of a Chromium, installed now if there was none */
export async function ensureChromium() {
  const found = findChromium()
  if (found) return found
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) throw new StepError(`CHROMIUM_PATH names ${chosen}, which is not there.`, 'Correct it, or unset it.')
  const obstacle = await installSystemPackage('chromium')
  const installed = findChromium()
  if (installed) return installed
  throw new StepError(
    `The browser tests need Chromium, which was not found and could not be installed: ${obstacle}.`,
    'Install Chromium or Google Chrome (on Debian and Ubuntu: sudo apt-get install chromium),\nor name one: CHROMIUM_PATH=/path/to/chrome npm test',
  )
}
