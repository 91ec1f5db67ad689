// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
// Script time of a page before its first paint, by client library. npm run bench -- --only paint
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { build } from 'vite'
import { chromiumOptions } from '../../e2e/lib/chromiumOptions.mjs'
import { installDependencies } from '../../scripts/steps/installDependencies.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { median } from '../measure/median.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, only: { type: 'string' } } })

/** The libraries are those of the sizes. */
const libraries = fileURLToPath(new URL('../sizes/', import.meta.url))
await installDependencies(libraries)

const dist = (/** @type {string} */ name) => JSON.stringify(join(root, `packages/react/dist/${name}.js`))
const provider = `<CountersignProvider appId="bench" serverUrl="/server">`

/**
 * Each page shows one line. `aim`: at most this multiple of bare React.
 *
 * @type {{ name: string, title: string, aim?: number, text: string }[]}
 */
const pages = [
  { name: 'react', title: 'React alone', text: `show(<p>Hello</p>)` },
  {
    name: 'session',
    title: 'Countersign: session',
    aim: 1.3,
    text: `import { CountersignProvider, useSession } from ${dist('index')}
const Line = () => <p>Hello {useSession().status}</p>
show(${provider}<Line /></CountersignProvider>)`,
  },
  {
    name: 'sheet',
    title: 'Countersign: session and sign-in sheet',
    aim: 1.5,
    text: `import { CountersignProvider, useSession } from ${dist('index')}
import { SignInButton } from ${dist('sheet')}
const Line = () => <p>Hello {useSession().status} <SignInButton /></p>
show(${provider}<Line /></CountersignProvider>)`,
  },
  {
    name: 'rainbowkit',
    title: 'wagmi + RainbowKit: its button',
    text: `import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import { WagmiProvider } from 'wagmi'
import { mainnet } from 'viem/chains'
const config = getDefaultConfig({ appName: 'bench', projectId: '00000000000000000000000000000000', chains: [mainnet] })
show(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <RainbowKitProvider><p>Hello <ConnectButton /></p></RainbowKitProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)`,
  },
  {
    name: 'betterAuth',
    title: 'better-auth: client for React',
    text: `import { createAuthClient } from 'better-auth/react'
const { useSession } = createAuthClient({ baseURL: location.origin })
const Line = () => <p>Hello {String(useSession().isPending)}</p>
show(<Line />)`,
  },
]

/** @param {string} folder @param {{ name: string, text: string }} page */
async function bundle(folder, { name, text }) {
  // Below the packages, so that their names are found.
  const entry = join(libraries, 'node_modules', `.paint-${name}.jsx`)
  writeFileSync(
    entry,
    `import { createRoot } from 'react-dom/client'
const show = (page) => createRoot(document.getElementById('root')).render(page)
${text}\n`,
  )
  await build({
    configFile: false,
    root: libraries,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { dedupe: ['react', 'react-dom'] },
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir: join(folder, name),
      emptyOutDir: false,
      minify: true,
      rolldownOptions: { input: entry, output: { entryFileNames: 'entry.js' } },
    },
  })
}

/** Script time (ms of processor time) until the first paint: compiling, running, and what React does. */
async function measure(/** @type {import('playwright').Browser} */ browser, /** @type {string} */ folder, name = '') {
  const context = await browser.newContext()
  try {
    await context.route('http://paint.test/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/')
        return route.fulfill({
          body: '<!doctype html><div id="root"></div><script type="module" src="/entry.js"></script>',
          contentType: 'text/html',
        })
      if (/^\/(entry\.js|assets\/)/.test(pathname)) return route.fulfill({ path: join(folder, name, pathname) })
      return route.fulfill({ status: 404, body: '{}', contentType: 'application/json' })
    })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.addInitScript(() => {
      const watcher = new PerformanceObserver((list) => {
        if (list.getEntriesByName('first-contentful-paint').length > 0) Object(globalThis).painted = true
      })
      watcher.observe({ type: 'paint', buffered: true })
    })
    await page.goto('http://paint.test/', { waitUntil: 'commit' })
    await page.waitForFunction(() => Object(globalThis).painted, undefined, { polling: 20 })
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (/** @type {string} */ key) => metrics.find((metric) => metric.name === key)?.value ?? 0
    return 1000 * (of('ScriptDuration') + of('V8CompileDuration'))
  } finally {
    await context.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-paint-'))
const browser = await chromium.launch(chromiumOptions)
try {
  const wanted = pages.filter(({ name }) => !values.only || values.only.split(',').includes(name))
  for (const page of wanted) await bundle(folder, page)
  /** @type {Map<string, number[]>} */
  const times = new Map(wanted.map(({ name }) => [name, []]))
  // In turns, so that a busy moment of the machine strikes all alike.
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name } of wanted) times.get(name)?.push(await measure(browser, folder, name))
  const bare = median(times.get('react') ?? [])
  console.log(`Load ${loadavg()[0]?.toFixed(1)}, ${values.rounds} rounds in turns, median.\n`)
  console.log('| page | script ms before the first paint | of React alone | aim |\n|---|---:|---:|---:|')
  for (const { name, title, aim } of wanted) {
    const value = median(times.get(name) ?? [])
    console.log(
      `| ${title} | ${value.toFixed(1)} | ${(value / bare).toFixed(2)} | ${aim ? `${value / bare <= aim ? '✓' : '✗'} ≤ ${aim}` : ''} |`,
    )
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
