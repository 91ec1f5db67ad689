import { ensureChromium } from '../steps/programs/ensureChromium.mjs'
import { createEnvironment, openPage } from './followPage.mjs'
import { followDapp } from './tutorials/followDapp.mjs'
import { followParseServer } from './tutorials/followParseServer.mjs'
import { followQuickStart } from './tutorials/followQuickStart.mjs'
import { followRainbowKit } from './tutorials/followRainbowKit.mjs'
import { followReactMoralis } from './tutorials/followReactMoralis.mjs'
import { followTokenGate } from './tutorials/followTokenGate.mjs'

/**
 * The pages that somebody follows from the first line to the last, by the name that `--only tutorials:NAME` has for them.
 * A page is the only source of its commands and files; `follow` is what a reader does by hand between them: signs in,
 * clicks, looks. A sample that is not followed is a fault.
 *
 * @type {Record<string, { file: string, follow: (page: import('./followPage.mjs').Page, place: import('./followPage.mjs').Place) => Promise<void> }>}
 */
const tutorials = {
  'quick-start': { file: 'docs/quick-start.md', follow: followQuickStart },
  dapp: { file: 'docs/tutorial-dapp.md', follow: followDapp },
  rainbowkit: { file: 'docs/tutorial-rainbowkit.md', follow: followRainbowKit },
  'react-moralis': { file: 'docs/tutorial-react-moralis.md', follow: followReactMoralis },
  'parse-server': { file: 'docs/tutorial-parse-server.md', follow: followParseServer },
  'token-gate': { file: 'docs/tutorial-token-gate.md', follow: followTokenGate },
}

/** @type {[string, (stranger: import('../packagesInstall.mjs').Stranger) => Promise<void>][]} */
export const tutorialChecks = Object.entries(tutorials).map(([name, { file, follow }]) => [
  `tutorials:${name}`,
  async (stranger) => {
    process.env.CHROMIUM_PATH = await ensureChromium()
    const page = openPage(file, stranger.say)
    try {
      await follow(page, { folder: stranger.folder, env: await createEnvironment(stranger, stranger.folder) })
    } catch (error) {
      const reason = error instanceof Error ? error.stack : error
      throw new Error(`${file}, under "${page.heading()}":\n${reason}`)
    }
  },
])
