// node e2e/lighthouse.mjs [--url http://localhost:1337] [--form desktop|mobile] [--only profile]: the scores of the
// pages that people see most, each at least 95.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromiumOptions } from './lib/chromiumOptions.mjs'
import { createApi } from './lib/createApi.mjs'
import { createOwner } from './lib/createOwner.mjs'
import { findFreePort } from './lib/findFreePort.mjs'
import { signIn } from './lib/signIn.mjs'
import { startServer } from './lib/startServer.mjs'

const least = 95
/** Another program on the machine takes points away and nothing gives any: the best of so many tries counts. */
const tries = 3
const pages = [
  { name: 'home-visitor', path: '/' },
  { name: 'home', path: '/', signedIn: true },
  { name: 'profile', path: '/account/profile', signedIn: true },
  { name: 'portfolio', path: '/account/portfolio', signedIn: true },
]

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    only: { type: 'string' },
    form: { type: 'string', multiple: true, default: ['desktop'] },
  },
})

const server = values.url ? { url: values.url, stop: async () => {} } : await startServer()
const profile = await mkdtemp(join(tmpdir(), 'countersign-lighthouse-'))
const port = await findFreePort()
// Lighthouse looks at the browser's own profile, so the session has to be there and not in a context beside it.
const context = await chromium.launchPersistentContext(profile, {
  ...chromiumOptions,
  args: [...chromiumOptions.args, `--remote-debugging-port=${port}`],
  baseURL: server.url,
})
let failures = 0
try {
  for (const form of values.form) {
    await context.clearCookies()
    for (const page of pages) {
      if (values.only && page.name !== values.only) continue
      if (page.signedIn && (await context.cookies()).length === 0) await enter()
      failures += await judge(page, form)
    }
  }
} finally {
  await context.close()
  await server.stop()
  await rm(profile, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0

async function enter() {
  const page = await context.newPage()
  const username = await createOwner(createApi(server.url), `ada${Date.now() % 100_000}`)
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  await page.close()
}

/**
 * @param {{ name: string, path: string }} page
 * @param {string} form
 * @returns {Promise<number>} how many categories are below what is asked
 */
async function judge({ name, path }, form) {
  /** @type {Record<string, number>} */
  const best = {}
  /** @type {string[]} */
  let lost = []
  for (let run = 0; run < tries; run++) {
    const result = await lighthouse(
      server.url + path,
      { port, output: 'json', logLevel: 'error', disableStorageReset: true, maxWaitForLoad: 30_000 },
      form === 'desktop' ? desktopConfig : undefined,
    )
    if (!result) throw new Error(`Lighthouse gave no result for ${path}.`)
    const { categories, audits, finalDisplayedUrl, runtimeError } = result.lhr
    if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`)
    if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${finalDisplayedUrl}.`)
    for (const { id, score } of Object.values(categories))
      best[id] = Math.max(best[id] ?? 0, Math.round((score ?? 0) * 100))
    lost = Object.values(categories).flatMap((category) =>
      category.auditRefs
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `    ${category.id}: ${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`.trimEnd()),
    )
    if (Object.values(best).every((score) => score >= least)) break
  }
  const low = Object.values(best).filter((score) => score < least).length
  const scores = Object.entries(best).map(([id, score]) => `${id} ${score}`)
  console.log(`${low === 0 ? '✓' : '✗'} ${name}, ${form}: ${scores.join(', ')}`)
  if (low > 0) console.log(lost.join('\n'))
  return low
}
