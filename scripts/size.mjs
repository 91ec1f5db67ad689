// Bundles what a dapp would bundle and holds it, and the web application's first load, to .size-limit.mjs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from './steps/root.mjs'
import { runAloud } from './steps/run/runAloud.mjs'
import { weighWithEsbuild } from './steps/weighWithEsbuild.mjs'

const output = join(root, 'node_modules/.cache/countersign/size')

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const dist = join(root, 'packages/react/dist')
const index = JSON.stringify(join(dist, 'index.js'))
const every = ['index', 'account', 'chain']
  .map((entry) => `export * from ${JSON.stringify(join(dist, `${entry}.js`))}\n`)
  .join('')
const moralis = join(root, 'packages/moralis/dist/index.js')
const single = (/** @type {string} */ hook) => `export { CountersignProvider, ${hook} } from ${index}\n`
/** Two stars leave out a name that both have, so such a name is exported from each by hand. */
async function withMoralis() {
  const older = Object.keys(await import(moralis))
  const entries = ['index', 'account', 'chain'].map((entry) => join(dist, `${entry}.js`))
  const present = await Promise.all(
    entries.map(async (entry) => {
      const both = Object.keys(await import(entry)).filter((name) => older.includes(name))
      return both.length > 0 ? { both, text: `export { ${both} } from ${JSON.stringify(entry)}` } : { both, text: '' }
    }),
  )
  const both = present.flatMap((entry) => entry.both)
  return [
    every,
    ...present.map(({ text }) => text),
    `export * from ${JSON.stringify(moralis)}`,
    `export { ${both.map((name) => `${name} as Older${name}`)} } from ${JSON.stringify(moralis)}`,
  ].join('\n')
}
/** App code that uses this much of the package. Later entries are measured together with everything beside them. */
const apps = {
  core: `export * from ${JSON.stringify(join(dist, 'core.js'))}\n`,
  index: every,
  useSession: single('useSession'),
  useDocuments: single('useDocuments'),
  useWallet: single('useWallet'),
  query: `export * from ${JSON.stringify(join(dist, 'core.js'))}\nexport * from ${JSON.stringify(join(dist, 'query.js'))}\n`,
  suspense: `export { CountersignProvider } from ${index}\nexport * from ${JSON.stringify(join(dist, 'suspense.js'))}\n`,
  offline: `${every}export * from ${JSON.stringify(join(dist, 'offline.js'))}\n`,
  tanstackDb: `${every}export * from ${JSON.stringify(join(dist, 'tanstackDb.js'))}\n`,
  sheet: `${every}export * from ${JSON.stringify(join(dist, 'sheet.js'))}\n`,
  ...(existsSync(moralis) && { moralis: await withMoralis() }),
}
/** Imports that two bundlers have to agree on: what is not used is left out by both. */
const agreed = {
  errorCodes: `export { errorCodes } from ${index}\n`,
  useSession: apps.useSession,
  useDocuments: apps.useDocuments,
  useWallet: apps.useWallet,
  useLinkedWallets: `export { CountersignProvider } from ${index}\nexport { useLinkedWallets } from ${JSON.stringify(join(dist, 'account.js'))}\n`,
  useReadContract: `export { CountersignProvider } from ${index}\nexport { useReadContract } from ${JSON.stringify(join(dist, 'chain.js'))}\n`,
  signInWithPassword: `export { createClient, initialize, signInWithPassword } from ${JSON.stringify(join(dist, 'core.js'))}\n`,
}
for (const [name, text] of Object.entries({ ...apps, ...agreed })) {
  const entry = join(output, `${name}.entry.js`)
  writeFileSync(entry, text)
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      outDir: output,
      emptyOutDir: false,
      target: 'es2022',
      // Vite keeps the white space of an ES library; the apps that install it do not.
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: {
        external: [/^react(-dom)?($|\/)/],
        // It means nothing to a bundle without a server.
        onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
        // Like an app, whose entry has no fixed exports: code shared with a later chunk may stay in it.
        preserveEntrySignatures: 'allow-extension',
        // Chunks loaded later do not count for the entry, and neither do notes to bundlers, such as PURE, which an
        // app's own build removes.
        output: { chunkFileNames: 'later/[name]-[hash].js', minify: true, comments: false },
      },
    },
  })
}
checkSyntax()
const code = await runAloud(process.execPath, [join(root, 'node_modules/size-limit/bin.js')])
const more = existsSync(moralis) ? await checkMore('@countersign/moralis', 'moralis', 'index', 13_100) : 0
process.exit(code || more || (await checkAgreement()))

/** Safari before 16.4 does not parse a file with a look-behind. */
function checkSyntax() {
  const folders = [output, join(root, 'packages/server/dist/web')].filter((folder) => existsSync(folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))),
  )
  const wrong = files.filter((file) => file.endsWith('.js') && /\(\?<[=!]/.test(readFileSync(file, 'utf8')))
  if (wrong.length > 0) throw new Error(`Regular expressions with a look-behind: ${wrong.join(', ')}`)
}

/** @param {string} name */
async function weigh(name) {
  // Read now: it looks at the bundles when it is loaded.
  const { listBundle } = await import('../.size-limit.mjs')
  const files = listBundle(`${name}.js`).map((/** @type {string} */ file) => readFileSync(file))
  // Compressed together: into how many files the bundler cuts the same code differs from entry to entry.
  return gzipSync(Buffer.concat(files), { level: 9 }).length
}

/**
 * Difference between the sizes of a bundle and another one inside it.
 *
 * @param {string} label
 * @param {string} name
 * @param {string} within
 * @param {number} limit
 */
async function checkMore(label, name, within, limit) {
  const more = (await weigh(name)) - (await weigh(within))
  process.stdout.write(
    `  ${label}, on top of every hook\n  Size limit: ${limit / 1000} kB\n  Size:       ${more / 1000} kB gzipped\n\n`,
  )
  return more > limit ? 1 : 0
}

/** Fails if esbuild keeps much more than Vite does of the same import. Its chunks alone take 0.15 kB. */
async function checkAgreement() {
  process.stdout.write('  Bundlers, kB gzipped: Vite, esbuild, difference (limit 15 %, or 0.15 kB)\n')
  let isWrong = false
  for (const [name, text] of Object.entries(agreed)) {
    const [vite, esbuild] = [await weigh(name), await weighWithEsbuild(text)]
    const difference = esbuild / vite - 1
    if (Math.abs(difference) > 0.15 && Math.abs(esbuild - vite) > 150) isWrong = true
    const figures = [vite, esbuild].map((bytes) => (bytes / 1000).toFixed(2).padStart(6)).join(' ')
    process.stdout.write(`  ${name.padEnd(24)}${figures} ${`${Math.round(difference * 100)} %`.padStart(6)}\n`)
  }
  process.stdout.write('\n')
  return isWrong ? 1 : 0
}
